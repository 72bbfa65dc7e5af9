use std::sync::Arc;
use tensordict::{Dict, Dtype, Error, Segment, Tensor, View};

#[test]
fn the_types_cross_threads() {
    fn crosses<T: Send + Sync>() {}
    crosses::<Dict>();
    crosses::<&mut tensordict::Node>();
    crosses::<Error>();
    crosses::<Segment>();
    crosses::<Tensor>();
    crosses::<View<f32>>();
}

#[test]
fn a_dict_is_read_by_many_threads() {
    let mut dict = Dict::new(&[1000]).unwrap();
    dict.set(("next", "reward"), &Tensor::from_slice(&vec![1.0f32; 1000], &[1000]).unwrap()).unwrap();
    let dict = Arc::new(dict);
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let dict = dict.clone();
            std::thread::spawn(move || {
                (0..100).map(|_| dict.get(("next", "reward")).unwrap().view::<f32>().unwrap().iter().sum::<f32>()).sum()
            })
        })
        .collect();
    for thread in threads {
        let sum: f32 = thread.join().unwrap();
        assert_eq!(sum, 100_000.0);
    }
}

#[test]
fn a_dict_made_here_is_changed_and_dropped_there() {
    let mut dict = Dict::new(&[2]).unwrap();
    let dict = std::thread::spawn(move || {
        dict.set("x", &Tensor::zeros(&[2], Dtype::Int64).unwrap()).unwrap();
        dict
    })
    .join()
    .unwrap();
    assert!(dict.contains("x"));
    std::thread::spawn(move || drop(dict)).join().unwrap();
}

#[test]
fn readers_see_whole_updates_by_the_version() {
    let name = format!("rust-test-versions-{}", std::process::id());
    let filled = |value: i64| {
        let mut dict = Dict::new(&[64]).unwrap();
        dict.set("x", &Tensor::from_slice(&[value; 64], &[64]).unwrap()).unwrap();
        dict
    };
    let mut owner = Segment::create(&name, &filled(0)).unwrap();
    let reader = std::thread::spawn({
        let segment = Segment::open(&name).unwrap();
        move || {
            let tensor = segment.dict().unwrap().get("x").unwrap();
            let view = tensor.view::<i64>().unwrap();
            let mut whole = 0;
            while whole == 0 || view.get(0) < 500 {
                let version = segment.version();
                let values: Vec<_> = view.iter().collect();
                if version % 2 == 0 && version == segment.version() {
                    assert!(values.iter().all(|value| *value == values[0]), "{values:?}");
                    whole += 1;
                }
            }
            whole
        }
    });
    for value in 1..=500 {
        owner.update(&filled(value)).unwrap();
    }
    assert!(reader.join().unwrap() > 0);
}
