//! One test in a process of its own: the counters are the process's.
use tensordict::{sys, Channel, Dict, Dtype, Hash, Keys, Message, Module, Query, QueryOptions, Role, Segment, Tensor};

fn live() -> Vec<(i32, i64)> {
    (sys::TD_OBJECT_ERROR..=sys::TD_OBJECT_ROW_MAP).map(|kind| (kind, unsafe { sys::td_live_objects(kind) })).collect()
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
    use_closures(&mut dict);
    use_messages(&name, &dict);
}

fn use_closures(dict: &mut Dict) {
    let _ = dict.map(|_, tensor| Ok((tensor + 1)?)).unwrap();
    let _ = dict.map(|_, _| Err("no".into())).unwrap_err();
    let _ = dict.map(|_, _| Err(Dict::new(&[-1]).unwrap_err().into())).unwrap_err();
    let net = Module::from_fn([("a", "b")], ["y"], |x| Ok(vec![x[0].clone()])).unwrap();
    let net = Module::sequential(vec![net]).unwrap();
    net.forward(dict).unwrap();
    let _ = (net.member(0).unwrap().in_keys().unwrap(), dict.find("a").unwrap(), dict.i(0).unwrap());
    dict.scope_flatten_keys(".", |flat| flat.remove("y")).unwrap();
    let _ = dict.scope_flatten_keys(".", |_| Err::<(), _>(Dict::new(&[-1]).unwrap_err())).unwrap_err();
    let hash = Hash::from_fn(|rows| Ok(rows.clone())).unwrap();
    let mut query = Query::new_with(["a"], QueryOptions { hashes: vec![hash], ..Default::default() }).unwrap();
    let _ = query.forward(dict).unwrap_err();
    let _ = (dict.get(("a", "b")).unwrap().to_dlpack().unwrap(), Tensor::from_vec(vec![1u8], &[1]).unwrap());
}

fn use_messages(name: &str, schema: &Dict) {
    let channel = Channel::create(&format!("{name}.channel"), schema).unwrap();
    let consumer = Channel::open(&format!("{name}.channel"), Role::Consumes).unwrap();
    drop(channel.acquire(None).unwrap());
    channel.publish(schema).unwrap();
    channel.close().unwrap();
    let read = |message: tensordict::Result<Message>| message.unwrap().dict().unwrap().get(("a", "b")).unwrap();
    assert_eq!(consumer.iter().map(read).collect::<Vec<_>>().len(), 1);
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
