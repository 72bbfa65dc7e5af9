//! Every ATen operator by name, through LibTorch's dispatcher, so that autograd and vmap see it.
mod arithmetic;
mod value;

pub(crate) use value::{outputs, Named};
pub use value::{Output, Scalar, Value};

use crate::string::Text;
use crate::{string, sys, Error, ErrorKind, Result, Tensor};
use std::fmt;
use std::ptr::NonNull;

/// An operator, or all of its overloads.
///
/// ```
/// # fn main() -> tensordict::Result<()> {
/// use tensordict::{Op, Tensor};
/// let x = Tensor::from_slice(&[0.0f64, 0.0], &[1, 2])?;
/// let softmax = Op::find("softmax")?;
/// assert_eq!(softmax.call(&[(&x).into(), (-1).into()])?.to_vec::<f64>()?, [0.5, 0.5]);
/// assert_eq!(x.op("cos", &[])?.to_vec::<f64>()?, [1.0, 1.0]);       // the same in one step
/// # Ok(())
/// # }
/// ```
pub struct Op {
    handle: OpHandle,
    reshapes: bool,
}

handle! {
    pub(crate) OpHandle: td_op, td_op_release, td_op_retain
}

// What these do to a tensor in place is more than to write its elements. Out-parameters, which are only given by name,
// are resized, too.
const RESHAPING: &[&str] = &[
    "as_strided_",
    "detach_",
    "rename_",
    "requires_grad_",
    "resize_",
    "resize_as_",
    "resize_as_sparse_",
    "set_",
    "set_data",
    "sparse_resize_",
    "sparse_resize_and_clear_",
    "squeeze_",
    "swapaxes_",
    "swapdims_",
    "t_",
    "transpose_",
    "unsqueeze_",
];

fn reshapes(name: &str) -> bool {
    let short = name.rsplit("::").next().unwrap_or(name);
    let short = short.split('.').next().unwrap_or(short);
    RESHAPING.contains(&short) || short.starts_with("_resize")
}

fn refused() -> Error {
    let message = "an operator that changes the shape or the memory of a tensor in place is not safe: \
                   take its form without the underscore, or without out=";
    Error::new(ErrorKind::Unsupported, message)
}

fn has_tensors(kwargs: &[(&str, Value<'_>)]) -> bool {
    kwargs.iter().any(|(_, value)| matches!(value, Value::Tensor(_) | Value::Tensors(_)))
}

fn only(outputs: Vec<Output>) -> Result<Tensor> {
    match outputs.into_iter().next() {
        Some(output) => output.tensor(),
        None => Err(Error::new(ErrorKind::Argument, "the operator gives nothing")),
    }
}

impl Op {
    /// All overloads of `name` ("add" is "aten::add"): each call takes the first whose schema fits the arguments. The
    /// name may have one overload in it: "add.Tensor". Errors: NotFound.
    pub fn find(name: &str) -> Result<Self> {
        Op::find_overload(name, None)
    }

    /// One overload; "" is the one without a name. Errors: NotFound, with the overloads that exist.
    pub fn find_overload(name: &str, overload: Option<&str>) -> Result<Self> {
        let handle: OpHandle = made!(td_op_find(string::borrow(name), string::optional(overload)))?;
        Ok(Op { handle, reshapes: reshapes(name) })
    }

    /// The C handle, borrowed: for [`sys`] calls that are not covered here.
    pub fn as_raw(&self) -> *mut sys::td_op {
        self.handle.as_raw()
    }

    /// True if it changes more of a tensor than its elements, its shape or its memory for instance. Safe functions
    /// refuse such an operator with Unsupported: its form without the underscore gives the same as a new tensor.
    pub fn reshapes(&self) -> bool {
        self.reshapes
    }

    pub(crate) fn checked(&self, kwargs: &[(&str, Value<'_>)]) -> Result<*mut sys::td_op> {
        let schema = if has_tensors(kwargs) { self.schema()? } else { String::new() };
        if self.reshapes || kwargs.iter().any(|(name, _)| schema.contains(&format!("!) {name}"))) {
            return Err(refused());
        }
        Ok(self.as_raw())
    }

    /// The schemas, one a line, as PyTorch prints them.
    pub fn schema(&self) -> Result<String> {
        made!(td_op_schema(self.as_raw())).map(Text::take)
    }

    /// Calls the operator, which gives one tensor. Errors: Argument if the arguments fit no schema, or if it gives
    /// something else; Shape, Index, Dtype, Locked; Torch.
    pub fn call(&self, args: &[Value<'_>]) -> Result<Tensor> {
        self.call_with(args, &[])
    }

    /// The same with arguments by name.
    pub fn call_with(&self, args: &[Value<'_>], kwargs: &[(&str, Value<'_>)]) -> Result<Tensor> {
        only(self.call_many(args, kwargs, 1)?)
    }

    /// Finds an operator and calls it, as [`find`](Op::find) and [`call_many`](Op::call_many) do. Only the first call
    /// with a name looks it up.
    pub fn run(name: &str, args: &[Value<'_>], kwargs: &[(&str, Value<'_>)], n: usize) -> Result<Vec<Output>> {
        if has_tensors(kwargs) {
            return Op::find(name)?.call_many(args, kwargs, n);
        }
        if reshapes(name) {
            return Err(refused());
        }
        let raw: Vec<_> = args.iter().map(Value::raw).collect();
        let named = Named::new(kwargs);
        let mut outs = vec![Value::None.raw(); n];
        let name = string::borrow(name);
        done!(td_op_run(name, raw.as_ptr(), raw.len(), named.as_ptr(), named.len(), outs.as_mut_ptr(), n))?;
        outputs(outs)
    }

    pub(crate) fn run_one(name: &str, args: &[Value<'_>]) -> Result<Tensor> {
        only(Op::run(name, args, &[], 1)?)
    }

    /// Calls the operator, which gives up to `n` results; places without one are `None`.
    pub fn call_many(&self, args: &[Value<'_>], kwargs: &[(&str, Value<'_>)], n: usize) -> Result<Vec<Output>> {
        let op = self.checked(kwargs)?;
        let raw: Vec<_> = args.iter().map(Value::raw).collect();
        let named = Named::new(kwargs);
        let mut outs = vec![Value::None.raw(); n];
        done!(td_op_call(op, raw.as_ptr(), raw.len(), named.as_ptr(), named.len(), outs.as_mut_ptr(), n))?;
        outputs(outs)
    }
}

impl Clone for Op {
    fn clone(&self) -> Self {
        Op { handle: self.handle.clone(), reshapes: self.reshapes }
    }
}

impl fmt::Debug for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Op({})", self.schema().unwrap_or_default())
    }
}

impl Tensor {
    /// Calls an operator with this tensor as its first argument: `x.op("softmax", &[(-1).into()])`.
    /// Errors: NotFound; as [`Op::call`].
    pub fn op(&self, name: &str, args: &[Value<'_>]) -> Result<Tensor> {
        let mut all = vec![Value::Tensor(self)];
        all.extend_from_slice(args);
        Op::run_one(name, &all)
    }

    /// One tensor of several, joined along `dim`. Errors: Argument for none; Shape.
    pub fn cat(tensors: &[Tensor], dim: i64) -> Result<Tensor> {
        Op::run_one("cat", &[tensors.into(), dim.into()])
    }

    /// One tensor of several, along a new dim `dim`. Errors: Argument for none; Shape.
    pub fn stack(tensors: &[Tensor], dim: i64) -> Result<Tensor> {
        Op::run_one("stack", &[tensors.into(), dim.into()])
    }
}

/// Releases what results own that nobody takes over.
pub(crate) fn clear(raws: &mut [sys::td_value]) {
    for raw in raws {
        // SAFETY: a result of the library, or NONE.
        unsafe { sys::td_value_clear(raw) }
    }
}

/// Results of a closure, which the library takes over.
pub(crate) fn give(outputs: Vec<Output>, outs: *mut sys::td_value, capacity: usize) -> Result<usize> {
    if outputs.len() > capacity {
        let message = format!("the closure gave {} results, where {capacity} are taken", outputs.len());
        return Err(Error::new(ErrorKind::Argument, &message));
    }
    let n = outputs.len();
    for (index, output) in outputs.into_iter().enumerate() {
        let mut raw = Value::None.raw();
        match output {
            Output::None => {}
            Output::Tensor(tensor) => {
                raw = Value::Tensor(&tensor).raw();
                std::mem::forget(tensor);
            }
            Output::Dict(dict) => {
                raw = Value::Dict(&dict).raw();
                std::mem::forget(dict);
            }
            Output::Data(data) => {
                raw = Value::Data(&data).raw();
                std::mem::forget(data);
            }
            Output::Scalar(scalar) => raw = Value::from(scalar).raw(),
            Output::Dtype(dtype) => raw = Value::Dtype(dtype).raw(),
            Output::Tensors(_) => {
                // SAFETY: these places were written below, and own what they hold.
                clear(unsafe { std::slice::from_raw_parts_mut(outs, index) });
                return Err(Error::new(ErrorKind::Argument, "a closure gives tensors one by one"));
            }
        }
        // SAFETY: `outs` has room for `capacity` values.
        unsafe { outs.add(index).write(raw) };
    }
    Ok(n)
}

/// The handle that a closure's result is given away as.
pub(crate) fn give_tensor(tensor: Tensor) -> *mut sys::td_tensor {
    let raw = NonNull::new(tensor.as_raw()).map_or(std::ptr::null_mut(), NonNull::as_ptr);
    std::mem::forget(tensor);
    raw
}
