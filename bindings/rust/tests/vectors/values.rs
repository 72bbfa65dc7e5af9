//! Numbers as the vectors write them, and what is checked of them.
use crate::json::Json;
use crate::keys::{key_of, keys_of};
use tensordict::{Dict, Dtype, Error, ErrorKind, KeyBuf, Keys, Node, Result, Tensor};

/// The typed error that a call gives, which says something and is not an internal one.
pub fn refused<T>(result: Result<T>, what: &str) -> Error {
    let error = result.map(drop).expect_err(what);
    assert!(!error.message().is_empty(), "{what}: the error says nothing");
    assert_ne!(error.kind(), ErrorKind::Internal, "{what}: {error}");
    error
}

pub fn flag(v: &Json, name: &str) -> bool {
    v.get(name) == Some(&Json::Bool(true))
}

/// "nan", "inf" and "-inf" are texts.
pub fn number(v: &Json) -> f64 {
    match v {
        Json::Bool(truth) => f64::from(u8::from(*truth)),
        other => other.float(),
    }
}

fn flat(v: &Json) -> Vec<f64> {
    match v {
        Json::Array(parts) => parts.iter().flat_map(flat).collect(),
        one => vec![number(one)],
    }
}

/// A tensor of nested lists.
pub fn tensor(v: &Json, dtype: Dtype) -> Result<Tensor> {
    let (mut shape, mut at) = (Vec::new(), Some(v));
    while let Some(Json::Array(parts)) = at {
        shape.push(parts.len() as i64);
        at = parts.first();
    }
    Tensor::from_vec(flat(v), &shape)?.to_dtype(dtype)
}

/// "dtype" of the vector, or float64.
pub fn dtype_of(v: &Json) -> Result<Dtype> {
    v.get("dtype").map_or(Ok(Dtype::Float64), |name| name.str().parse())
}

pub fn numbers(t: &Tensor) -> Result<Vec<f64>> {
    t.detach()?.to_dtype(Dtype::Float64)?.to_vec()
}

pub fn check_numbers(got: &[f64], wanted: &[f64], tolerance: f64, what: &str) {
    assert_eq!(got.len(), wanted.len(), "the number of elements of {what}");
    for (i, (a, b)) in got.iter().zip(wanted).enumerate() {
        let near = a == b || a.is_nan() && b.is_nan() || (a - b).abs() <= tolerance * b.abs().max(1.0);
        assert!(near, "{what}[{i}] = {a}, not {b}");
    }
}

/// A text stands for a value that is the same everywhere: "nan", "inf", "-inf".
pub fn check_values(t: &Tensor, expected: &Json, tolerance: f64, what: &str) -> Result<()> {
    let got = numbers(t)?;
    let wanted = if let Json::Str(_) = expected { vec![number(expected); got.len()] } else { flat(expected) };
    check_numbers(&got, &wanted, tolerance, what);
    Ok(())
}

pub fn leaf_keys(d: &Node) -> Result<Vec<KeyBuf>> {
    d.keys(Keys::Leaves)
}

pub fn check_same_set(mut got: Vec<KeyBuf>, expected: &Json, what: &str) {
    let mut expected = keys_of(expected);
    got.sort();
    expected.sort();
    assert_eq!(got, expected, "{what}");
}

/// [[key, values], ...]: all leaves, in any order.
pub fn check_leaf_values(d: &Node, expected: &Json, tolerance: f64) -> Result<()> {
    assert_eq!(d.keys(Keys::Leaves)?.len(), expected.array().len(), "the number of leaves");
    expected.array().iter().try_for_each(|leaf| {
        let key = key_of(&leaf.array()[0]);
        check_values(&d.get(&key)?, &leaf.array()[1], tolerance, &key.to_string())
    })
}

/// [[key, shape], ...]: some of the leaves.
pub fn check_leaf_shapes(d: &Node, expected: &Json) -> Result<()> {
    expected.array().iter().try_for_each(|leaf| {
        let key = key_of(&leaf.array()[0]);
        assert_eq!(d.get(&key)?.shape(), leaf.array()[1].ints(), "the shape of {key}");
        Ok(())
    })
}

/// 0, 1, ... under the keys.
pub fn dict_of(keys: &Json) -> Result<Dict> {
    let mut out = Dict::new(&[])?;
    for (i, key) in keys_of(keys).iter().enumerate() {
        out.set(key, &Tensor::scalar(i as f32)?)?;
    }
    Ok(out)
}
