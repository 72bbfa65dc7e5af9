use tensordict::{Dict, Dtype, Error, ErrorKind, Segment, Tensor};

fn dict() -> Dict {
    let mut dict = Dict::new(&[3]).unwrap();
    dict.set("a", &Tensor::zeros(&[3, 2], Dtype::Float32).unwrap()).unwrap();
    dict
}

#[test]
fn a_missing_key_is_named() {
    let error = dict().get(("next", "obs")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Key);
    assert_eq!(error.key(), r#"("next", "obs")"#);
    assert!(error.to_string().contains("obs"), "{error}");
}

#[test]
fn a_wrong_batch_is_refused_and_nothing_changes() {
    let mut dict = dict();
    let error = dict.set("b", &Tensor::zeros(&[4], Dtype::Float32).unwrap()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Shape);
    assert!(error.message().contains('4') && error.message().contains('3'), "{error}");
    assert!(!dict.contains("b"));
}

#[test]
fn memory_is_read_only_as_what_it_is() {
    let mut tensor = dict().get("a").unwrap();
    assert_eq!(tensor.view::<i32>().unwrap_err().kind(), ErrorKind::Dtype);
    assert_eq!(unsafe { tensor.as_mut_slice::<f64>() }.unwrap_err().kind(), ErrorKind::Dtype);
    assert_eq!(Tensor::from_slice(&[1u8, 2, 3], &[2]).unwrap_err().kind(), ErrorKind::Shape);
}

#[test]
fn bools_read_as_bytes() {
    let tensor = Tensor::zeros(&[2], Dtype::Bool).unwrap();
    assert_eq!(tensor.to_vec::<u8>().unwrap(), [0, 0]);
}

#[test]
fn read_only_memory_gives_no_mutable_slice() {
    let name = format!("rust-test-read-only-{}", std::process::id());
    let _owner = Segment::create(&name, &dict()).unwrap();
    let mut reader = Segment::open(&name).unwrap();
    let mut tensor = reader.dict().unwrap().get("a").unwrap();
    assert!(tensor.is_read_only());
    assert_eq!(unsafe { tensor.as_mut_slice::<f32>() }.unwrap_err().kind(), ErrorKind::Locked);
    assert_eq!(reader.update(&dict()).unwrap_err().kind(), ErrorKind::Locked);
}

#[test]
fn the_dict_of_a_segment_is_locked() {
    let name = format!("rust-test-locked-{}", std::process::id());
    let segment = Segment::create(&name, &dict()).unwrap();
    let mut views = segment.dict().unwrap();
    assert!(views.is_locked());
    let error = views.set("new", &Tensor::zeros(&[3], Dtype::Int8).unwrap()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Locked);
}

#[test]
fn names_are_checked_and_taken_once() {
    assert_eq!(Segment::open("rust-test-nobody-made-this").unwrap_err().kind(), ErrorKind::NotFound);
    assert_eq!(Segment::create("no/slash", &dict()).unwrap_err().kind(), ErrorKind::Argument);
    let name = format!("rust-test-twice-{}", std::process::id());
    let _first = Segment::create(&name, &dict()).unwrap();
    assert_eq!(Segment::create(&name, &dict()).unwrap_err().kind(), ErrorKind::Exists);
}

#[test]
fn errors_travel_as_boxes_between_threads() {
    let thread = std::thread::spawn(|| -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        Dict::open("/nowhere/at/all")?;
        Ok(())
    });
    let error = thread.join().unwrap().unwrap_err();
    assert_eq!(error.downcast_ref::<Error>().unwrap().kind(), ErrorKind::NotFound);
}
