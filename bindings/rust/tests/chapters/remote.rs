use crate::{floats, unique};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tensordict::*;

/// A server of the test's own, on a socket in its directory.
struct Server {
    process: Child,
    directory: PathBuf,
}

impl Server {
    /// None where there is none, and says so.
    fn start(test: &str) -> Option<Self> {
        if !has_feature("redis") {
            eprintln!("SKIPPED, NOTHING WAS TESTED: the library was built without libhiredis");
            return None;
        }
        let directory = std::env::temp_dir().join(unique(test));
        std::fs::create_dir_all(&directory).unwrap();
        let start = |name: &str| {
            let mut command = Command::new(name);
            command.args(["--port", "0", "--unixsocket", "s", "--save", ""]).current_dir(&directory);
            command.stdout(Stdio::null()).spawn().ok()
        };
        let process = match start("redis-server").or_else(|| start("valkey-server")) {
            Some(process) => process,
            None => {
                eprintln!("SKIPPED, NOTHING WAS TESTED: there is neither redis-server nor valkey-server");
                return None;
            }
        };
        let server = Server { process, directory };
        for _ in 0..1000 {
            if UnixStream::connect(server.directory.join("s")).is_ok() {
                return Some(server);
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("the server does not answer");
    }

    fn url(&self, rest: &str) -> String {
        format!("unix://{}/s{rest}", self.directory.display())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}

#[test]
fn a_dict_on_a_server_is_shared() {
    let server = match Server::start("remote") {
        Some(server) => server,
        None => return,
    };
    let (url, options) = (server.url("?id=replay"), RemoteOptions::default());
    assert_eq!(Dict::open_remote(&url, options).unwrap_err().kind(), ErrorKind::NotFound);
    let mut replay = Dict::create_remote(&url, &[4], options).unwrap();
    assert_eq!(Dict::create_remote(&url, &[4], options).unwrap_err().kind(), ErrorKind::Exists);
    replay.set(("next", "obs"), &floats(&[0.0; 8], &[4, 2])).unwrap();

    let wait = Some(Duration::from_secs(20));
    let mut other = Dict::open_remote(&url, RemoteOptions { mode: Mode::ReadWrite, timeout: wait }).unwrap();
    assert_eq!((other.kind(), other.batch_size()), (DictKind::Persistent, vec![4]));
    let mut rows = Dict::new(&[2]).unwrap();
    rows.set(("next", "obs"), &floats(&[1.0, 2.0, 3.0, 4.0], &[2, 2])).unwrap();
    other.set_at(1..3, &rows).unwrap();
    let seen = replay.get(("next", "obs")).unwrap().to_vec::<f32>().unwrap();
    assert_eq!(seen, [0.0, 0.0, 1.0, 2.0, 3.0, 4.0, 0.0, 0.0]);

    let version = replay.remote_version().unwrap();
    let mut more = Dict::new(&[4]).unwrap();
    more.set("done", &Tensor::zeros(&[4], Dtype::Bool).unwrap()).unwrap();
    other.remote_update_if(&more, version).unwrap();
    assert_eq!(replay.remote_update_if(&more, version).unwrap_err().kind(), ErrorKind::Busy);
    assert!(replay.contains("done") && replay.remote_version().unwrap() > version);
    assert_eq!(more.remote_version().unwrap_err().kind(), ErrorKind::Unsupported);

    let mut reader = Dict::open_remote(&url, options).unwrap();
    assert_eq!(reader.set_at(1..3, &rows).unwrap_err().kind(), ErrorKind::Locked);
    assert_eq!(Dict::list_remote(&server.url(""), options).unwrap(), ["replay"]);
    Dict::remove_remote(&url, options).unwrap();
    assert!(Dict::list_remote(&server.url(""), options).unwrap().is_empty());
    assert_eq!(Dict::open_remote("http://x?id=y", options).unwrap_err().kind(), ErrorKind::Argument);
}
