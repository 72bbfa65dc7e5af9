//! One test in a process of its own: the counters are the process's.
use tensordict::{sys, Dict, Dtype, Keys, Segment, Tensor};

fn live() -> Vec<(i32, i64)> {
    (sys::TD_OBJECT_ERROR..=sys::TD_OBJECT_MAPPING).map(|kind| (kind, unsafe { sys::td_live_objects(kind) })).collect()
}

fn use_everything() {
    let name = format!("rust-test-leak-{}", std::process::id());
    let mut dict = Dict::new(&[2]).unwrap();
    let tensor = Tensor::zeros(&[2, 3], Dtype::Float32).unwrap();
    dict.set(("a", "b"), &tensor.clone()).unwrap();
    let _ = (dict.to_string(), dict.keys(Keys::Nested).unwrap(), dict.get("missing").unwrap_err());
    let _ = (dict.get_dict("a").unwrap().get("b").unwrap().to_vec::<f32>(), dict.copy().unwrap(), dict.deep_copy());
    let _ = dict.set("bad", &Tensor::zeros(&[5], Dtype::Int8).unwrap()).unwrap_err();
    let mut segment = Segment::create(&name, &dict).unwrap();
    let other = Segment::open(&name).unwrap();
    segment.update(&dict).unwrap();
    let _ = other.dict().unwrap().get(("a", "b")).unwrap();
}

#[test]
fn nothing_is_left_behind() {
    use_everything();
    let before = live();
    for _ in 0..100 {
        use_everything();
    }
    assert_eq!(before, live());
    assert!(before.iter().all(|(_, count)| *count == 0), "{before:?}");
    assert_eq!(unsafe { sys::td_live_bytes() }, 0);
}
