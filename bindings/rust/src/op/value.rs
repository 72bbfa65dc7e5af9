//! What operators take and give.
use crate::handle::Handle;
use crate::tensor::TensorList;
use crate::{sys, DataList, Dict, Dtype, Error, ErrorKind, Generator, Node, Result, Tensor};
use std::marker::PhantomData;
use std::ptr::NonNull;

/// A number or a truth value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scalar {
    /// A whole number.
    Int(i64),
    /// A floating-point number.
    Double(f64),
    /// True or false.
    Bool(bool),
    /// An element of dtype uint64, or a whole number that may be above `i64::MAX`.
    UInt(u64),
    /// A complex number: its real and its imaginary part.
    Complex(f64, f64),
}

impl Scalar {
    /// As a floating-point number; true is 1, and of a complex number it is the real part.
    pub fn to_f64(self) -> f64 {
        match self {
            Scalar::Int(value) => value as f64,
            Scalar::Double(value) => value,
            Scalar::Bool(value) => f64::from(u8::from(value)),
            Scalar::UInt(value) => value as f64,
            Scalar::Complex(re, _) => re,
        }
    }

    pub(crate) fn raw(self) -> sys::td_value {
        Value::from(self).raw()
    }

    /// What a result of the library is, if it is a number.
    pub(crate) fn of(raw: &sys::td_value) -> Option<Self> {
        // SAFETY: the kind says which member was written.
        unsafe {
            Some(match raw.kind {
                sys::TD_VALUE_INT => Scalar::Int(raw.as_.i),
                sys::TD_VALUE_DOUBLE => Scalar::Double(raw.as_.f),
                sys::TD_VALUE_BOOL => Scalar::Bool(raw.as_.i != 0),
                sys::TD_VALUE_UINT => Scalar::UInt(raw.as_.u),
                sys::TD_VALUE_COMPLEX => Scalar::Complex(raw.as_.c.re, raw.as_.c.im),
                _ => return None,
            })
        }
    }
}

macro_rules! scalars {
    ($($type:ty: |$value:ident| $make:expr;)*) => {$(
        impl From<$type> for Scalar {
            fn from($value: $type) -> Self {
                $make
            }
        }
    )*};
}

scalars! {
    i64: |value| Scalar::Int(value);
    i32: |value| Scalar::Int(value.into());
    u64: |value| Scalar::UInt(value);
    f64: |value| Scalar::Double(value);
    bool: |value| Scalar::Bool(value);
    (f64, f64): |value| Scalar::Complex(value.0, value.1);
}

/// An argument, borrowed for a call. Made by `From`, so that `&tensor`, `&dict`, `2`, `0.5`, `"cpu"` and `&[1, 2]` are
/// ones.
#[derive(Clone, Copy)]
pub enum Value<'a> {
    /// The operator's default.
    Default,
    /// No value, for optional parameters.
    None,
    /// A tensor.
    Tensor(&'a Tensor),
    /// A dict; not for [`Op::call`](crate::Op::call).
    Dict(&'a Node),
    /// A whole number.
    Int(i64),
    /// A floating-point number.
    Double(f64),
    /// True or false.
    Bool(bool),
    /// Text; devices are text, too.
    Str(&'a str),
    /// An element type.
    Dtype(Dtype),
    /// Whole numbers: a shape, for instance.
    Ints(&'a [i64]),
    /// Floating-point numbers.
    Doubles(&'a [f64]),
    /// Truth values.
    Bools(&'a [bool]),
    /// Tensors.
    Tensors(&'a [Tensor]),
    /// A generator of random numbers.
    Generator(&'a Generator),
    /// A whole number that may be above `i64::MAX`.
    UInt(u64),
    /// A complex number: its real and its imaginary part.
    Complex(f64, f64),
    /// Non-tensor data; not for [`Op::call`](crate::Op::call).
    Data(&'a DataList),
}

impl Value<'_> {
    pub(crate) fn raw(&self) -> sys::td_value {
        use sys::td_value_as as As;
        let (kind, size, as_) = match *self {
            Value::Default => (sys::TD_VALUE_DEFAULT, 0, As { i: 0 }),
            Value::None => (sys::TD_VALUE_NONE, 0, As { i: 0 }),
            Value::Tensor(tensor) => (sys::TD_VALUE_TENSOR, 0, As { tensor: tensor.as_raw() }),
            Value::Dict(dict) => (sys::TD_VALUE_DICT, 0, As { dict: dict.as_raw() }),
            Value::Int(i) => (sys::TD_VALUE_INT, 0, As { i }),
            Value::Double(f) => (sys::TD_VALUE_DOUBLE, 0, As { f }),
            Value::Bool(truth) => (sys::TD_VALUE_BOOL, 0, As { i: truth.into() }),
            Value::Str(text) => (sys::TD_VALUE_STR, 0, As { str: crate::string::borrow(text) }),
            Value::Dtype(dtype) => (sys::TD_VALUE_DTYPE, 0, As { i: dtype.raw().into() }),
            Value::Ints(ints) => (sys::TD_VALUE_INTS, ints.len(), As { ints: ints.as_ptr() }),
            Value::Doubles(doubles) => (sys::TD_VALUE_DOUBLES, doubles.len(), As { doubles: doubles.as_ptr() }),
            Value::Bools(bools) => (sys::TD_VALUE_BOOLS, bools.len(), As { bools: bools.as_ptr().cast() }),
            Value::Tensors(tensors) => {
                (sys::TD_VALUE_TENSORS, tensors.len(), As { tensors: crate::tensor::array(tensors) })
            }
            Value::Generator(generator) => (sys::TD_VALUE_GENERATOR, 0, As { generator: generator.as_raw() }),
            Value::UInt(u) => (sys::TD_VALUE_UINT, 0, As { u }),
            Value::Complex(re, im) => (sys::TD_VALUE_COMPLEX, 0, As { c: sys::td_complex { re, im } }),
            Value::Data(data) => (sys::TD_VALUE_DATA, 0, As { data: data.as_raw() }),
        };
        sys::td_value { kind, reserved: 0, size, as_ }
    }
}

macro_rules! values {
    ($($type:ty: |$value:ident| $make:expr;)*) => {$(
        impl<'a> From<$type> for Value<'a> {
            fn from($value: $type) -> Self {
                $make
            }
        }
    )*};
}

values! {
    &'a Tensor: |value| Value::Tensor(value);
    &'a Node: |value| Value::Dict(value);
    &'a Dict: |value| Value::Dict(value);
    i64: |value| Value::Int(value);
    i32: |value| Value::Int(value.into());
    f64: |value| Value::Double(value);
    u64: |value| Value::UInt(value);
    &'a DataList: |value| Value::Data(value);
    bool: |value| Value::Bool(value);
    &'a str: |value| Value::Str(value);
    Dtype: |value| Value::Dtype(value);
    &'a [i64]: |value| Value::Ints(value);
    &'a Vec<i64>: |value| Value::Ints(value);
    &'a [f64]: |value| Value::Doubles(value);
    &'a [bool]: |value| Value::Bools(value);
    &'a [Tensor]: |value| Value::Tensors(value);
    &'a Vec<Tensor>: |value| Value::Tensors(value);
    &'a mut Generator: |value| Value::Generator(value);
}

impl<'a, const N: usize> From<&'a [i64; N]> for Value<'a> {
    fn from(value: &'a [i64; N]) -> Self {
        Value::Ints(value)
    }
}

impl From<Scalar> for Value<'_> {
    fn from(value: Scalar) -> Self {
        match value {
            Scalar::Int(i) => Value::Int(i),
            Scalar::Double(f) => Value::Double(f),
            Scalar::Bool(truth) => Value::Bool(truth),
            Scalar::UInt(u) => Value::UInt(u),
            Scalar::Complex(re, im) => Value::Complex(re, im),
        }
    }
}

/// Arguments by name, for the time of a call.
pub(crate) struct Named<'a> {
    raw: Vec<sys::td_named_value>,
    from: PhantomData<Value<'a>>,
}

impl<'a> Named<'a> {
    pub(crate) fn new(values: &'a [(&'a str, Value<'a>)]) -> Self {
        let raw = |(name, value): &(&str, Value)| sys::td_named_value {
            name: crate::string::borrow(name),
            value: value.raw(),
        };
        Named { raw: values.iter().map(raw).collect(), from: PhantomData }
    }

    pub(crate) fn as_ptr(&self) -> *const sys::td_named_value {
        self.raw.as_ptr()
    }

    pub(crate) fn len(&self) -> usize {
        self.raw.len()
    }
}

/// What an operator or a function gave.
#[derive(Debug)]
pub enum Output {
    /// Nothing.
    None,
    /// A tensor.
    Tensor(Tensor),
    /// A dict.
    Dict(Dict),
    /// A number or a truth value.
    Scalar(Scalar),
    /// An element type.
    Dtype(Dtype),
    /// Several tensors.
    Tensors(Vec<Tensor>),
    /// Non-tensor data.
    Data(DataList),
}

impl Output {
    /// Takes over what a result of the library owns.
    pub(crate) fn take(raw: sys::td_value) -> Result<Self> {
        let lost = || Error::new(ErrorKind::Internal, "success without a result");
        // SAFETY: the kind says which member was written, and the result owns it.
        unsafe {
            Ok(match raw.kind {
                sys::TD_VALUE_TENSOR => {
                    NonNull::new(raw.as_.tensor).map_or(Output::None, |raw| Output::Tensor(Handle::from_raw(raw)))
                }
                sys::TD_VALUE_DICT => {
                    let raw = NonNull::new(raw.as_.dict as *mut sys::td_dict).ok_or_else(lost)?;
                    // The dict may be one that the library gave before, or share nodes with one.
                    Output::Dict(Dict::from_raw(raw).own_nodes()?)
                }
                sys::TD_VALUE_DTYPE => Output::Dtype(Dtype::from_raw(raw.as_.i as sys::td_dtype)),
                sys::TD_VALUE_TENSOR_LIST => {
                    let list = TensorList::from_raw(NonNull::new(raw.as_.list).ok_or_else(lost)?);
                    Output::Tensors(list.take()?)
                }
                sys::TD_VALUE_DATA => Output::Data(DataList::from_raw(NonNull::new(raw.as_.data).ok_or_else(lost)?)),
                _ => Scalar::of(&raw).map_or(Output::None, Output::Scalar),
            })
        }
    }

    /// The tensor that it is. Errors: Argument if it is something else.
    pub fn tensor(self) -> Result<Tensor> {
        match self {
            Output::Tensor(tensor) => Ok(tensor),
            other => Err(Error::new(ErrorKind::Argument, &format!("{other:?} is no tensor"))),
        }
    }
}

impl From<Tensor> for Output {
    fn from(tensor: Tensor) -> Self {
        Output::Tensor(tensor)
    }
}

impl From<DataList> for Output {
    fn from(data: DataList) -> Self {
        Output::Data(data)
    }
}

impl From<Dict> for Output {
    fn from(dict: Dict) -> Self {
        Output::Dict(dict)
    }
}

/// Room for results, taken over in their order.
pub(crate) fn outputs(raws: Vec<sys::td_value>) -> Result<Vec<Output>> {
    raws.into_iter().map(Output::take).collect()
}
