//! The tests of the safe layer, a module for each chapter of the header.
mod dicts;
mod errors;
mod group;
mod layout;
mod modules;
mod more;
mod ownership;
mod remote;
mod roundtrip;
mod scopes;
mod shared;
mod storage;
mod tensors;
mod threads;

use tensordict::{Dict, Tensor};

/// A name for shared memory that no other test has.
fn unique(test: &str) -> String {
    format!("rust-test-{test}-{}", std::process::id())
}

/// Batch size [2, 3] with the leaves "a" and ("n", "b"), and the data "task".
fn sample() -> Dict {
    let mut dict = Dict::new(&[2, 3]).unwrap();
    dict.set("a", &floats(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0], &[2, 3])).unwrap();
    dict.set(("n", "b"), &Tensor::from_vec((0..12i64).collect(), &[2, 3, 2]).unwrap()).unwrap();
    dict.set_data("task", "digits").unwrap();
    dict
}

fn floats(data: &[f32], shape: &[i64]) -> Tensor {
    Tensor::from_slice(data, shape).unwrap()
}
