//! Groups among processes of this test: each rank is this program again, with the one test and its number.
use crate::{floats, sample, unique};
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tensordict::*;

const RANK: &str = "TENSORDICT_TEST_RANK";
const STORE: &str = "TENSORDICT_TEST_STORE";
const SOON: Option<Duration> = Some(Duration::from_secs(20));
const LONG: Option<Duration> = Some(Duration::from_secs(60));
const NOW: Option<Duration> = Some(Duration::ZERO);

/// `$body` in `$n` processes that meet in a file; `$killed` is a rank that ends with SIGKILL.
macro_rules! ranks {
    ($test:ident, $n:literal, $body:expr) => {
        ranks!($test, $n, None, $body);
    };
    ($test:ident, $n:literal, $killed:expr, $body:expr) => {
        #[test]
        fn $test() {
            run(concat!(module_path!(), "::", stringify!($test)), $n, $killed, $body);
        }
    };
}

fn no_groups() -> bool {
    let none = !has_feature("group");
    if none {
        eprintln!("SKIPPED, NOTHING WAS TESTED: the library was built without groups");
    }
    none
}

fn run(test: &str, n: i32, killed: Option<i32>, body: fn(&Group)) {
    if no_groups() {
        return;
    }
    if let Ok(rank) = std::env::var(RANK) {
        let options = GroupOptions { rank: rank.parse().unwrap(), size: n, timeout: LONG, ..Default::default() };
        let group = Group::open(&std::env::var(STORE).unwrap(), options).unwrap();
        body(&group);
        drop(group);
        for kind in [sys::TD_OBJECT_DICT, sys::TD_OBJECT_GROUP, sys::TD_OBJECT_WORK] {
            assert_eq!(live_objects(kind), 0, "of kind {kind}");
        }
        return;
    }
    let file = StoreFile::new(test.rsplit("::").next().unwrap());
    let test = test.split_once("::").unwrap().1; // without the name of the program
    let start = |rank: i32| {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args([test, "--exact", "--nocapture"]).env(RANK, rank.to_string()).env(STORE, file.url());
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let ranks: Vec<Child> = (0..n).map(start).collect();
    for (rank, child) in (0..n).zip(ranks) {
        let output = child.wait_with_output().unwrap();
        let (said, told) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        let expected = match killed == Some(rank) {
            true => output.status.signal() == Some(9),
            false => output.status.success() && said.contains("1 passed"),
        };
        assert!(expected, "rank {rank} ended with {}\n{said}\n{told}", output.status);
    }
}

/// Where ranks meet.
struct StoreFile(PathBuf);

impl StoreFile {
    fn new(test: &str) -> Self {
        StoreFile(std::env::temp_dir().join(unique(test)))
    }

    fn url(&self) -> String {
        format!("file://{}", self.0.display())
    }
}

impl Drop for StoreFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn batch(value: f32) -> Dict {
    let mut dict = Dict::new(&[2]).unwrap();
    dict.set("a", &floats(&[value; 6], &[2, 3])).unwrap();
    dict.set(("below", "n"), &floats(&[value + 1.0; 2], &[2])).unwrap();
    dict
}

fn expect(dict: &Node, a: f32, n: f32) {
    assert_eq!(dict.get("a").unwrap().to_vec::<f32>().unwrap(), [a; 6]);
    assert_eq!(dict.get(("below", "n")).unwrap().to_vec::<f32>().unwrap(), [n; 2]);
}

fn expect_batch(dict: &Node, value: f32) {
    expect(dict, value, value + 1.0);
}

/// The rank as a value of a tensor.
fn number(group: &Group) -> f32 {
    f32::from(i16::try_from(group.rank()).unwrap())
}

fn kind<T: std::fmt::Debug>(result: Result<T>) -> ErrorKind {
    result.unwrap_err().kind()
}

/// The process of the rank ends here, with nothing that is dropped.
fn die() {
    let id = std::process::id().to_string();
    Command::new("sh").args(["-c", &format!("kill -9 {id}")]).status().unwrap();
}

// ---- Opening, values and barriers -----------------------------------------------------------------------------------

#[test]
fn bad_options_are_refused() {
    if no_groups() {
        return;
    }
    let file = StoreFile::new("group-refused");
    let two = GroupOptions { rank: 0, size: 2, ..Default::default() };
    assert_eq!(kind(Group::open("somewhere", two)), ErrorKind::Argument);
    assert_eq!(kind(Group::open(&file.url(), GroupOptions::default())), ErrorKind::Argument);
    assert_eq!(kind(Group::open(&file.url(), GroupOptions { rank: 2, ..two })), ErrorKind::Argument);
    let briefly = GroupOptions { timeout: Some(Duration::from_millis(200)), ..two };
    let missing = Group::open(&file.url(), briefly).unwrap_err();
    assert_eq!(missing.kind(), ErrorKind::Timeout);
    assert!(missing.message().contains("did not come in 200 ms: 1"), "{missing}");
    // Python is not in this process; LibTorch before 2.2 has no names of groups.
    for beside_stock in [false, true] {
        let adopted = kind(Group::adopt("0", beside_stock));
        assert!(matches!(adopted, ErrorKind::NotFound | ErrorKind::Unsupported), "{adopted:?}");
    }
    assert_eq!(kind(Group::adopt("", false)), ErrorKind::Argument);
}

#[test]
fn a_group_of_one_is_shared_by_threads() {
    if no_groups() {
        return;
    }
    let file = StoreFile::new("group-of-one");
    let options = GroupOptions { size: 1, prefix: Some("mine"), address: Some("127.0.0.1"), ..Default::default() };
    let group = Group::open(&file.url(), options).unwrap();
    assert_eq!(format!("{group:?}"), "Group(rank 0 of 1)");
    assert_eq!(kind(Group::open(&file.url(), options)), ErrorKind::Exists);
    let other = group.clone();
    let waits = std::thread::spawn(move || other.get("name", SOON).unwrap());
    group.set("name", "Ж").unwrap();
    assert_eq!(waits.join().unwrap(), "Ж");
    assert_eq!(kind(batch(0.0).send(&group, 0)), ErrorKind::Argument);
}

ranks! { values_of_the_store_are_seen_by_all, 3, |group| {
    assert_eq!(group.size(), 3);
    if group.rank() == 1 {
        group.set("out", "updated").unwrap();
    }
    assert_eq!(group.get("out", SOON).unwrap(), "updated");
    group.add("n", i64::from(group.rank()) + 1).unwrap();
    group.barrier().unwrap();
    assert_eq!(group.add("n", 0).unwrap(), 6);
    if group.rank() == 0 {
        assert!(group.remove("out").unwrap());
    }
    group.barrier().unwrap();
    assert!(!group.remove("out").unwrap());
    assert_eq!(kind(group.get("out", NOW)), ErrorKind::NotFound);
    assert_eq!(kind(group.get("out", Some(Duration::from_millis(20)))), ErrorKind::Timeout);
    assert_eq!(kind(group.set("", "no key")), ErrorKind::Argument);
    let stop = Cancel::new().unwrap();
    stop.request();
    assert_eq!(kind(group.get_until("out", None, Some(&stop))), ErrorKind::Cancelled);
    group.barrier().unwrap();
}}

// ---- One rank to another --------------------------------------------------------------------------------------------

ranks! { dicts_go_round, 3, |group| {
    let (next, last) = ((group.rank() + 1) % 3, (group.rank() + 2) % 3);
    let (mine, mut theirs) = (batch(number(group)), batch(-1.0));
    theirs.lock().unwrap();
    let options = TransferOptions { tag: 5, by_leaf: true, ..Default::default() };
    for _ in 0..3 {
        if group.rank() == 0 {
            mine.send(group, next).unwrap();
            theirs.recv(group, last).unwrap();
        } else {
            theirs.recv(group, last).unwrap();
            mine.send(group, next).unwrap();
        }
        expect(&theirs, f32::from(i16::try_from(last).unwrap()), f32::from(i16::try_from(last + 1).unwrap()));
        theirs.zero().unwrap();
    }
    match group.rank() {
        0 => mine.send_with(group, 1, options).unwrap(),
        1 => theirs.recv_with(group, 0, options).unwrap(),
        _ => assert_eq!(kind(mine.send_with(group, 1, TransferOptions { tag: -1, ..options })), ErrorKind::Argument),
    }
    if group.rank() == 1 {
        expect_batch(&theirs, 0.0);
    }
}}

ranks! { another_structure_is_refused, 2, |group| {
    let mut dict = batch(number(group));
    if group.rank() == 0 {
        let more = sample();
        more.send(group, 1).unwrap();
        dict.init_remote(group, 1).unwrap();
        dict.send(group, 1).unwrap();
    } else {
        assert_eq!(kind(dict.recv(group, 0)), ErrorKind::Shape);
        assert_eq!(kind(dict.recv(group, 0)), ErrorKind::Corrupt);
        expect_batch(&dict, 1.0);
        dict.recv(group, 0).unwrap();
        expect_batch(&dict, 0.0);
    }
}}

ranks! { a_dict_is_sent_with_its_structure, 2, |group| {
    if group.rank() == 0 {
        let mut dict = sample();
        dict.lock().unwrap();
        dict.init_remote(group, 1).unwrap();
    } else {
        let got = Dict::from_remote_init(group, 0).unwrap();
        assert_eq!(got.batch_size(), [2, 3]);
        assert_eq!(got.get("a").unwrap().to_vec::<f32>().unwrap(), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
        assert!(got.is_locked() && got.contains(("n", "b")) && got.contains("task"));
    }
}}

// ---- Transfers that are waited for later ----------------------------------------------------------------------------

ranks! { transfers_keep_their_order, 2, |group| {
    if group.rank() == 0 {
        let begin = |value: i16| {
            let mut dict = batch(value.into());
            let work = dict.isend(group, 1).unwrap();
            dict.zero().unwrap(); // too late to matter
            work
        };
        let works: Vec<Work> = (0..4).map(begin).collect();
        batch(20.0).send(group, 1).unwrap();
        for work in works {
            let other = work.clone();
            std::thread::spawn(move || other.wait().unwrap()).join().unwrap();
            work.wait_until(NOW, None).unwrap();
            assert!(work.is_done());
        }
    } else {
        let begun: Vec<Receive> = (0..4).map(|_| batch(-1.0).irecv(group, 0).unwrap()).collect();
        let mut last = batch(-1.0);
        last.recv(group, 0).unwrap();
        expect_batch(&last, 20.0);
        for (value, receive) in (0..4i16).zip(begun).rev() {
            expect_batch(&receive.wait().unwrap(), value.into());
        }
    }
}}

ranks! { a_wait_that_ends_early_does_no_harm, 2, |group| {
    if group.rank() == 0 {
        group.barrier().unwrap();
        batch(5.0).send(group, 1).unwrap();
        return;
    }
    let receive = batch(0.0).irecv(group, 0).unwrap();
    assert!(!receive.is_done());
    assert_eq!(format!("{receive:?}"), "Receive { done: false }");
    assert_eq!(kind(receive.wait_until(NOW, None)), ErrorKind::Timeout);
    let stop = Cancel::new().unwrap();
    stop.request();
    assert_eq!(kind(receive.wait_until(None, Some(&stop))), ErrorKind::Cancelled);
    let receive = receive.into_dict().unwrap_err();
    group.barrier().unwrap();
    receive.wait_until(None, None).unwrap();
    receive.wait_until(NOW, None).unwrap();
    let mut dict = receive.into_dict().unwrap();
    expect_batch(&dict, 5.0);
    dict.set("more", &floats(&[0.0; 2], &[2])).unwrap();
}}

ranks! { a_receive_that_fails_gives_the_dict_back, 2, |group| {
    if group.rank() == 0 {
        let works = [sample().isend(group, 1).unwrap(), sample().isend(group, 1).unwrap()];
        works.iter().for_each(|work| work.wait().unwrap());
        return;
    }
    let receive = batch(1.0).irecv(group, 0).unwrap();
    for _ in 0..2 {
        assert_eq!(kind(receive.wait_until(None, None)), ErrorKind::Shape);
    }
    expect_batch(&receive.into_dict().unwrap(), 1.0);
    assert_eq!(kind(batch(1.0).irecv(group, 0).unwrap().wait()), ErrorKind::Shape);
    assert_eq!(kind(batch(1.0).irecv(group, 1)), ErrorKind::Argument);
    let bad_tag = TransferOptions { tag: -1, ..Default::default() };
    assert_eq!(kind(batch(1.0).irecv_with(group, 0, bad_tag)), ErrorKind::Argument);
    assert_eq!(kind(batch(1.0).isend_with(group, 0, bad_tag)), ErrorKind::Argument);
}}

ranks! { a_transfer_needs_nobody_who_waits, 2, |group| {
    if group.rank() == 0 {
        drop(batch(3.0).isend(group, 1).unwrap());
        batch(4.0).send(group, 1).unwrap();
    } else {
        drop(batch(0.0).irecv(group, 0).unwrap()); // what arrives is forgotten
        let mut dict = batch(0.0);
        dict.recv(group, 0).unwrap();
        expect_batch(&dict, 4.0);
    }
}}

ranks! { a_rank_that_was_killed_is_closed_and_named, 3, Some(1), |group| {
    let receive = (group.rank() == 0).then(|| batch(7.0).irecv(group, 1).unwrap());
    group.barrier().unwrap();
    if group.rank() == 1 {
        die();
    }
    if let Some(receive) = receive {
        assert_eq!(kind(receive.wait_until(None, None)), ErrorKind::Closed);
        expect_batch(&receive.into_dict().unwrap(), 7.0);
    }
    let mut dict = batch(number(group));
    assert_eq!(kind(dict.recv(group, 1)), ErrorKind::Closed);
    let gone = group.barrier().unwrap_err();
    assert!(gone.kind() == ErrorKind::Closed && gone.message().contains("rank 1 has gone"), "{gone}");
    // The others go on.
    if group.rank() == 0 {
        dict.send(group, 2).unwrap();
    } else {
        dict.recv(group, 0).unwrap();
        expect_batch(&dict, 0.0);
    }
}}

// ---- All ranks together ---------------------------------------------------------------------------------------------

ranks! { everybody_gets_what_one_has, 3, |group| {
    let mine = (group.rank() == 2).then(sample);
    let mut got = Dict::broadcast(mine.as_deref(), group, 2).unwrap();
    assert!(got.contains("task") && got.contains(("n", "b")));
    got.fill("a", 9.0).unwrap();
    if let Some(mine) = mine {
        assert_eq!(mine.get("a").unwrap().to_vec::<f32>().unwrap()[5], 5.0);
    }
    let mut own = batch(number(group));
    if group.rank() == 1 {
        own.set("more", &floats(&[7.0; 2], &[2])).unwrap();
    }
    let mut all = own.all_gather(group).unwrap();
    assert_eq!(all.len(), 3);
    for (i, dict) in (0..3i16).zip(&mut all) {
        expect_batch(dict, i.into());
        assert_eq!(dict.contains("more"), i == 1);
        dict.zero().unwrap();
        dict.set("another", &floats(&[0.0; 2], &[2])).unwrap();
    }
    expect_batch(&own, number(group));
    assert!(!own.contains("another"));
}}

ranks! { values_are_reduced, 3, |group| {
    let with = |reduction, bucket_bytes| GroupReduceOptions { reduction, bucket_bytes };
    let rank = number(group);
    let mut dict = batch(rank);
    dict.all_reduce(group).unwrap();
    expect(&dict, 3.0, 6.0);
    let mut dict = batch(rank);
    dict.all_reduce_with(group, with(GroupReduction::Max, 1 << 20)).unwrap();
    expect(&dict, 2.0, 3.0);
    let mut dict = batch(rank);
    dict.reduce_to(group, 2).unwrap();
    if group.rank() == 2 { expect(&dict, 3.0, 6.0) } else { expect_batch(&dict, rank) }
    let mut dict = batch(rank);
    dict.reduce_to_with(group, 0, with(GroupReduction::Product, 0)).unwrap();
    if group.rank() == 0 { expect(&dict, 0.0, 6.0) } else { expect_batch(&dict, rank) }
    let mut dict = batch(rank);
    dict.all_reduce_with(group, with(GroupReduction::Min, 1)).unwrap();
    expect(&dict, 0.0, 1.0);
}}

ranks! { the_others_are_stacked, 3, |group| {
    let mut one = batch(number(group));
    if group.rank() != 1 {
        return one.gather_and_stack(group, 1).unwrap();
    }
    let mut rows = Dict::stack(&[&one, &one], 0).unwrap();
    rows.gather_and_stack(group, 1).unwrap();
    assert_eq!(rows.get(("below", "n")).unwrap().to_vec::<f32>().unwrap(), [1.0, 1.0, 3.0, 3.0]);
    one.zero().unwrap();
}}

ranks! { ranks_that_differ_are_told_and_go_on, 2, |group| {
    let mut dict = batch(number(group));
    let differs = if group.rank() == 0 { dict.all_reduce(group) } else { dict.all_gather(group).map(drop) };
    assert_eq!(kind(differs), ErrorKind::Argument);
    let absent = kind(Dict::broadcast(None, group, 1));
    assert_eq!(absent, if group.rank() == 1 { ErrorKind::Argument } else { ErrorKind::Cancelled });
    let mut other = batch(number(group));
    if group.rank() == 0 {
        other.set("more", &floats(&[7.0; 2], &[2])).unwrap();
    }
    assert_eq!(kind(other.all_reduce(group)), ErrorKind::Shape);
    assert_eq!(kind(Dict::broadcast(Some(&dict), group, 2)), ErrorKind::Argument);
    expect_batch(&dict, number(group));
    dict.all_reduce(group).unwrap();
    expect(&dict, 1.0, 3.0);
}}
