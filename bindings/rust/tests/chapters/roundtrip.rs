use std::path::PathBuf;
use tensordict::{Dict, Dtype, Index, Keys, Segment, Tensor};

fn name(test: &str) -> String {
    format!("rust-test-{test}-{}", std::process::id())
}

fn sample() -> Dict {
    let mut dict = Dict::new(&[3]).unwrap();
    dict.set("a", &Tensor::from_slice(&[1i64, 2, 3], &[3]).unwrap()).unwrap();
    dict.set(("next", "obs"), &Tensor::from_slice(&[0.5f32, 1.0, 1.5, 2.0, 2.5, 3.0], &[3, 2]).unwrap()).unwrap();
    dict
}

#[test]
fn a_tensor_keeps_what_was_put_in() {
    let tensor = Tensor::from_slice(&[1u8, 2, 3, 4, 5, 6], &[2, 3]).unwrap();
    assert_eq!((tensor.shape(), tensor.strides()), (vec![2, 3], vec![3, 1]));
    assert_eq!((tensor.dtype(), tensor.numel(), tensor.nbytes()), (Dtype::Uint8, 6, 6));
    assert_eq!(tensor.to_vec::<u8>().unwrap(), [1, 2, 3, 4, 5, 6]);
}

#[test]
fn a_clone_shares_the_memory_and_a_deep_copy_does_not() {
    let mut tensor = Tensor::zeros(&[2], Dtype::Float64).unwrap();
    let (clone, copy) = (tensor.clone(), tensor.deep_copy().unwrap());
    unsafe { tensor.as_mut_slice::<f64>().unwrap()[1] = 7.0 };
    assert_eq!(clone.to_vec::<f64>().unwrap(), [0.0, 7.0]);
    assert_eq!(copy.to_vec::<f64>().unwrap(), [0.0, 0.0]);
}

#[test]
fn a_dict_gives_back_the_same_memory() {
    let tensor = Tensor::from_slice(&[1i32, 2], &[2]).unwrap();
    let mut dict = Dict::new(&[2]).unwrap();
    dict.set("x", &tensor).unwrap();
    let got = dict.get("x").unwrap();
    assert_eq!(got.view::<i32>().unwrap().as_ptr(), tensor.view::<i32>().unwrap().as_ptr());
}

#[test]
fn keys_keep_their_order_and_dots_are_ordinary() {
    let mut dict = sample();
    dict.set("b.c/d", &Tensor::zeros(&[3], Dtype::Bool).unwrap()).unwrap();
    assert_eq!(dict.keys(Keys::Here).unwrap(), ["a", "next", "b.c/d"]);
    let nested: Vec<_> = dict.keys(Keys::Nested).unwrap().iter().map(|key| key.to_string()).collect();
    assert_eq!(nested, ["'a'", "'next'", "('next', 'obs')", "'b.c/d'"]);
    let leaves = dict.keys(Keys::Leaves).unwrap();
    assert_eq!(leaves.len(), 3);
    assert!(leaves.iter().all(|key| dict.contains(key) && dict.get(key).is_ok()));
}

#[test]
fn every_way_to_write_a_key_is_the_same_key() {
    let dict = sample();
    let parts: &[&str] = &["next", "obs"];
    for tensor in [dict.get(("next", "obs")), dict.get(["next", "obs"]), dict.get(parts)] {
        assert_eq!(tensor.unwrap().shape(), [3, 2]);
    }
    assert_eq!(dict.get_dict("next").unwrap().get("obs").unwrap().shape(), [3, 2]);
}

#[test]
fn dicts_move_into_dicts() {
    let mut outer = Dict::new(&[3]).unwrap();
    outer.set_dict("inner", sample()).unwrap();
    assert!(outer.contains(["inner", "next", "obs"]));
    outer.remove(("inner", "a")).unwrap();
    assert!(!outer.contains(("inner", "a")));
}

#[test]
fn an_index_selects_rows() {
    let dict = sample();
    let row = dict.index([Index::At(-1)]).unwrap();
    assert_eq!((row.batch_size(), row.get("a").unwrap().to_vec::<i64>().unwrap()), (vec![], vec![3]));
    let rows = dict.index([Index::from(1..3)]).unwrap();
    assert_eq!(rows.get(("next", "obs")).unwrap().to_vec::<f32>().unwrap(), [1.5, 2.0, 2.5, 3.0]);
    let picked = Tensor::from_slice(&[2i64, 0], &[2]).unwrap();
    let rows = dict.index([Index::from(&picked)]).unwrap();
    assert_eq!(rows.get("a").unwrap().to_vec::<i64>().unwrap(), [3, 1]);
}

#[test]
fn display_is_what_python_prints() {
    let text = sample().to_string();
    assert!(text.starts_with("TensorDict(\n    fields={\n        a: Tensor(shape=torch.Size([3])"), "{text}");
    assert!(text.contains("batch_size=torch.Size([3])"), "{text}");
}

#[test]
fn a_saved_dict_opens_read_only() {
    let path = std::env::temp_dir().join(name("save"));
    sample().save(&path).unwrap();
    let dict = Dict::open(&path).unwrap();
    let obs = dict.get(("next", "obs")).unwrap();
    assert!(obs.is_read_only());
    assert_eq!(obs.to_vec::<f32>().unwrap(), [0.5, 1.0, 1.5, 2.0, 2.5, 3.0]);
    std::fs::remove_dir_all(path).unwrap();
}

#[test]
fn what_python_saved_opens() {
    let digits = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/digits/memmap");
    let dict = Dict::open(digits).unwrap();
    assert_eq!((dict.batch_size(), dict.len()), (vec![1797], 1797));
    assert_eq!(dict.get("image").unwrap().view::<u8>().unwrap().iter().take(5).collect::<Vec<_>>(), [0, 0, 5, 13, 9]);
    assert_eq!(dict.get("label").unwrap().view::<i64>().unwrap().get(9), 9);
}

#[test]
fn an_update_of_a_segment_is_seen_without_reopening() {
    let name = name("update");
    let mut mine = Segment::create(&name, &sample()).unwrap();
    let theirs = Segment::open(&name).unwrap();
    let tensor = theirs.dict().unwrap().get("a").unwrap();
    let view = tensor.view::<i64>().unwrap();
    assert_eq!(view.iter().collect::<Vec<_>>(), [1, 2, 3]);

    let mut changed = sample();
    changed.set("a", &Tensor::from_slice(&[1i64, 20, 3], &[3]).unwrap()).unwrap();
    let before = theirs.version();
    mine.update(&changed).unwrap();
    assert_eq!(view.get(1), 20);
    assert_eq!(theirs.version(), before + 2);
}

#[test]
fn tensors_of_a_segment_outlive_it() {
    let name = name("outlive");
    let tensor = {
        let segment = Segment::create(&name, &sample()).unwrap();
        assert!(segment.path().ends_with(&name));
        segment.dict().unwrap().get("a").unwrap()
    };
    assert_eq!(tensor.to_vec::<i64>().unwrap(), [1, 2, 3]);
    assert!(Segment::open(&name).is_err(), "the name goes with its owner");
}
