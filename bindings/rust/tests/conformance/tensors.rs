//! Tensors between programs and the library.
use crate::json::Json;
use tensordict::{Dtype, Result, Tensor};

const DTYPES: &[Dtype] = &[
    Dtype::Bool,
    Dtype::Uint8,
    Dtype::Int8,
    Dtype::Int16,
    Dtype::Int32,
    Dtype::Int64,
    Dtype::Uint16,
    Dtype::Uint32,
    Dtype::Uint64,
    Dtype::Float16,
    Dtype::Bfloat16,
    Dtype::Float32,
    Dtype::Float64,
    Dtype::Complex32,
    Dtype::Complex64,
    Dtype::Complex128,
];

pub fn dtype(name: &str) -> Dtype {
    *DTYPES.iter().find(|dtype| dtype.to_string() == name).unwrap_or_else(|| panic!("no dtype: {name}"))
}

/// As torch.tensor(numbers).to(dtype): whole numbers through int64, others through float64.
pub fn literal(spec: &Json) -> Result<Tensor> {
    let shape = spec.get("shape").unwrap().ints();
    let dtype = spec.get("dtype").map_or(Dtype::Float32, |name| dtype(name.str()));
    let n: i64 = shape.iter().product();
    let values: Vec<Json> = match (spec.get("data"), spec.get("full")) {
        (Some(data), _) => data.array().to_vec(),
        (_, Some(full)) => vec![full.clone(); n as usize],
        _ => {
            let first = spec.get("arange").unwrap().int();
            let number = |i: i64| if dtype == Dtype::Bool { (first + i).rem_euclid(2) } else { first + i };
            (0..n).map(|i| Json::Int(number(i))).collect()
        }
    };
    let whole: Option<Vec<i64>> = values
        .iter()
        .map(|value| match value {
            Json::Int(i) => Some(*i),
            Json::Bool(truth) => Some((*truth).into()),
            _ => None,
        })
        .collect();
    match whole {
        Some(whole) => Tensor::from_slice(&whole, &shape)?.to_dtype(dtype),
        None => {
            let numbers: Vec<f64> = values.iter().map(Json::float).collect();
            Tensor::from_slice(&numbers, &shape)?.to_dtype(dtype)
        }
    }
}

pub fn number(x: f64) -> Json {
    match x {
        x if x.is_nan() => Json::Str("nan".into()),
        x if x.is_infinite() => Json::Str(if x > 0.0 { "inf" } else { "-inf" }.into()),
        x => Json::Float(x),
    }
}

pub fn elements(tensor: &Tensor) -> Result<Vec<Json>> {
    let plain = tensor.detach()?;
    Ok(match tensor.dtype() {
        Dtype::Complex32 | Dtype::Complex64 | Dtype::Complex128 => {
            let parts = plain.to_dtype(Dtype::Complex128)?.op("view_as_real", &[])?.to_vec::<f64>()?;
            parts.chunks(2).map(|pair| Json::Array(pair.iter().copied().map(number).collect())).collect()
        }
        Dtype::Float16 | Dtype::Bfloat16 | Dtype::Float32 | Dtype::Float64 => {
            plain.to_dtype(Dtype::Float64)?.to_vec::<f64>()?.into_iter().map(number).collect()
        }
        Dtype::Bool => plain.to_vec::<u8>()?.into_iter().map(|byte| Json::Bool(byte != 0)).collect(),
        _ => plain.to_dtype(Dtype::Int64)?.to_vec::<i64>()?.into_iter().map(Json::Int).collect(),
    })
}

/// The bytes from the first to the last element.
pub fn extent(tensor: &Tensor) -> Result<(usize, usize)> {
    let start = tensor.data_ptr()? as usize;
    if tensor.numel() == 0 {
        return Ok((start, start));
    }
    let last: i64 = tensor.shape().iter().zip(tensor.strides()).map(|(size, stride)| (size - 1) * stride).sum();
    Ok((start, start + (last as usize + 1) * tensor.itemsize()))
}
