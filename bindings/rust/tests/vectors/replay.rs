//! Running vectors one by one.
use crate::json::Json;
use crate::live::live;
use std::any::Any;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tensordict::Result;

static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Counts what was run, and keeps what differs. There is one at a time, as live objects are those of the process.
pub struct Replay {
    what: &'static str,
    run: usize,
    wrong: Vec<String>,
    _alone: MutexGuard<'static, ()>,
}

impl Replay {
    pub fn new(what: &'static str) -> Self {
        let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        Replay { what, run: 0, wrong: Vec::new(), _alone }
    }

    /// An assertion that fails, and an error that is not expected, end the vector.
    pub fn run(&mut self, name: &str, vector: impl FnOnce() -> Result<()>) {
        self.run += 1;
        let before = live();
        let found = match catch_unwind(AssertUnwindSafe(vector)) {
            Ok(Ok(())) => (before != live()).then(|| "objects were not given back".to_owned()),
            Ok(Err(error)) => Some(error.to_string()),
            Err(panic) => Some(said(&*panic)),
        };
        self.wrong.extend(found.map(|found| format!("{name}: {found}")));
    }

    pub fn end(self, at_least: usize) {
        println!("{} {} run, {} differ", self.run, self.what, self.wrong.len());
        assert!(
            self.wrong.is_empty(),
            "{} of {} {}:\n{}",
            self.wrong.len(),
            self.run,
            self.what,
            self.wrong.join("\n")
        );
        assert!(self.run >= at_least, "only {} {}", self.run, self.what);
    }
}

fn said(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic without a text").to_owned()
}

pub fn text(file: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/vectors");
    std::fs::read_to_string(folder.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

pub fn parsed(file: &str) -> Json {
    Json::parse(&text(file))
}
