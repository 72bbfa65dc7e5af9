//! Segments and channels.
use crate::{floats, sample, unique};
use std::os::unix::io::AsRawFd;
use std::os::unix::net::UnixStream;
use std::time::Duration;
use tensordict::*;

const SOON: Option<Duration> = Some(Duration::from_secs(20));

#[test]
fn a_snapshot_stays_while_the_segment_goes_on() {
    let name = unique("snapshot");
    let dict = sample();
    let mut owner = Segment::create_with(&name, &dict, SegmentOptions { snapshots: 3, ..Default::default() }).unwrap();
    let reader = Segment::open_with(&name, SegmentOpenOptions { populate: true, ..Default::default() }).unwrap();
    let before = reader.snapshot().unwrap();
    let mut changed = dict.deep_copy().unwrap();
    changed.fill("a", 9.0).unwrap();
    assert_eq!(reader.wait(0, Some(Duration::ZERO)).unwrap_err().kind(), ErrorKind::Timeout);
    owner.update(&changed).unwrap();
    assert_eq!(reader.wait(0, SOON).unwrap(), 2);
    assert_eq!(before.get("a").unwrap().to_vec::<f32>().unwrap()[5], 5.0);
    assert_eq!(reader.snapshot().unwrap().get("a").unwrap().to_vec::<f32>().unwrap()[5], 9.0);
    assert!(Segment::list(&name).unwrap().contains("segment"));
    assert_eq!(Segment::prune(&name).unwrap(), 0);
    drop(owner);
    let briefly = Some(Duration::from_millis(1));
    let patient = SegmentOpenOptions { timeout: briefly, ..Default::default() };
    assert_eq!(Segment::open_with(&name, patient).unwrap_err().kind(), ErrorKind::Timeout);
    assert_eq!(Channel::open_until(&name, Role::Consumes, briefly, None).unwrap_err().kind(), ErrorKind::Timeout);
    let stop = Cancel::new().unwrap();
    stop.request();
    let cancelled = Channel::open_until(&name, Role::Consumes, None, Some(&stop));
    assert_eq!(cancelled.unwrap_err().kind(), ErrorKind::Cancelled);
}

#[test]
fn a_dict_goes_through_a_socket() {
    let (ours, theirs) = UnixStream::pair().unwrap();
    Segment::send(&sample(), &ours).unwrap();
    let got = Segment::receive(&theirs, SOON).unwrap();
    assert!(got.dict().unwrap().contains(("n", "b")));
    let file = Segment::export(&sample()).unwrap();
    assert_eq!(Segment::import(&file).unwrap().dict().unwrap().batch_size(), [2, 3]);
    drop(ours);
    assert_eq!(Segment::receive(&theirs, SOON).unwrap_err().kind(), ErrorKind::Closed);
}

#[test]
fn messages_go_from_hand_to_hand() {
    let name = unique("channel");
    let schema = sample().exclude(["task"]).unwrap();
    let producer = Channel::create(&name, &schema).unwrap();
    let consumer = Channel::open(&name, Role::Consumes).unwrap();
    let mut draft = producer.acquire(SOON).unwrap();
    draft.dict_mut().unwrap().copy_into("a", &floats(&[7.0; 6], &[2, 3])).unwrap();
    draft.publish().unwrap();
    producer.publish(&schema).unwrap();
    assert!(consumer.descriptor(Role::Consumes).unwrap().as_raw_fd() > 2);
    assert_eq!(consumer.descriptor(Role::Produces).unwrap_err().kind(), ErrorKind::Argument);

    let first = consumer.take(SOON).unwrap();
    assert_eq!((first.number(), first.delivery(), first.lag()), (0, 1, 0));
    let tensor = first.dict().unwrap().get("a").unwrap();
    assert_eq!(tensor.to_vec::<f32>().unwrap(), [7.0; 6]);
    assert!(tensor.is_read_only());
    assert_eq!(consumer.statistics().unwrap().reading, 1);
    assert_eq!(first.open_views(), 1);
    assert_eq!(first.to_dict().unwrap().get("a").unwrap().to_vec::<f32>().unwrap(), [7.0; 6]);
    drop(first);
    assert_eq!(consumer.statistics().unwrap().reading, 1, "the tensor keeps the slot");
    drop(tensor);
    assert_eq!(consumer.statistics().unwrap().reading, 0);

    producer.close().unwrap();
    assert_eq!(producer.acquire(SOON).unwrap_err().kind(), ErrorKind::Closed);
    let rest: Vec<Message> = consumer.iter().collect::<Result<_>>().unwrap();
    assert_eq!(rest.len(), 1);
    assert!(producer.dump().unwrap().len() > 10 && producer.path().ends_with(&name) && producer.nbytes() > 0);
    assert_eq!((consumer.sweep().unwrap(), consumer.schema().unwrap().batch_size()), (0, vec![2, 3]));
}

#[test]
fn a_draft_that_is_dropped_is_given_up() {
    let name = unique("given-up");
    let options = ChannelOptions { slots: 1, overflow: Overflow::Fail, ..Default::default() };
    let producer = Channel::create_with(&name, &sample().exclude(["task"]).unwrap(), options).unwrap();
    let draft = producer.acquire(SOON).unwrap();
    assert_eq!(producer.acquire(SOON).unwrap_err().kind(), ErrorKind::NoSpace);
    drop(draft);
    assert!(producer.acquire(SOON).is_ok());
    assert_eq!(producer.take(SOON).unwrap_err().kind(), ErrorKind::Argument);
    Channel::unlink(&name).unwrap();
    assert_eq!(Channel::open(&name, Role::Observes).unwrap_err().kind(), ErrorKind::NotFound);
}

#[test]
fn a_broadcast_reaches_everybody() {
    let name = unique("broadcast");
    let options = ChannelOptions { mode: ChannelMode::Broadcast, ..Default::default() };
    let schema = sample().exclude(["task"]).unwrap();
    let producer = Channel::create_with(&name, &schema, options).unwrap();
    let threads: Vec<_> = (0..2)
        .map(|_| {
            let consumer = Channel::open(&name, Role::Consumes).unwrap();
            std::thread::spawn(move || consumer.into_iter_sum())
        })
        .collect();
    (0..3).for_each(|_| producer.publish(&schema).unwrap());
    producer.close().unwrap();
    for thread in threads {
        assert_eq!(thread.join().unwrap(), 3.0 * 15.0);
    }
}

trait Sum {
    fn into_iter_sum(self) -> f32;
}

impl Sum for Channel {
    fn into_iter_sum(self) -> f32 {
        self.iter()
            .map(|message| {
                message.unwrap().dict().unwrap().get("a").unwrap().to_vec::<f32>().unwrap().iter().sum::<f32>()
            })
            .sum()
    }
}

#[test]
fn a_wait_ends_when_another_thread_wants_it() {
    let name = format!("rust-test-cancel-{}", std::process::id());
    let _producer = Channel::create(&name, &sample().exclude(["task"]).unwrap()).unwrap();
    let consumer = Channel::open(&name, Role::Consumes).unwrap();
    let stop = Cancel::new().unwrap();
    std::thread::scope(|threads| {
        let waits = threads.spawn(|| consumer.take_until(None, Some(&stop)).unwrap_err().kind());
        stop.request();
        assert_eq!(waits.join().unwrap(), ErrorKind::Cancelled);
    });
    assert!(stop.is_requested());
    assert_eq!(consumer.take_until(None, Some(&stop.clone())).unwrap_err().kind(), ErrorKind::Cancelled);
}
