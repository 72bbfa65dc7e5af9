//! Closures as modules. Their errors and panics come out of the call that ran the module, as themselves.
use super::Module;
use crate::callback::{self, borrowed, destroy, keep};
use crate::key::KeyArray;
use crate::{op, string, sys, BoxError, Dict, Error, ErrorKind, Key, Node, Output, Result, Scalar, Tensor, Value};
use std::os::raw::c_void;

type Failed<T> = std::result::Result<T, BoxError>;

unsafe extern "C" fn call_tensors<F>(
    userdata: *mut c_void,
    inputs: *const *mut sys::td_tensor,
    n_inputs: usize,
    outputs: *mut *mut sys::td_tensor,
    n_outputs: usize,
    err: *mut *mut sys::td_error,
) -> sys::td_status
where
    F: Fn(&[Tensor]) -> Failed<Vec<Tensor>> + Send + Sync + 'static,
{
    callback::run(err, || {
        // SAFETY: `userdata` is the closure that was kept, and the library lends the inputs for this call.
        let results = unsafe { (*userdata.cast::<F>())(borrowed(inputs, n_inputs))? };
        // SAFETY: there is room for so many.
        unsafe { give(results, outputs, n_outputs) }
    })
}

/// # Safety
/// There is room for `n` handles.
pub(crate) unsafe fn give(results: Vec<Tensor>, outputs: *mut *mut sys::td_tensor, n: usize) -> Failed<()> {
    if results.len() != n {
        let message = format!("the closure gave {} tensors instead of {n}", results.len());
        return Err(Error::new(ErrorKind::Argument, &message).into());
    }
    for (index, tensor) in results.into_iter().enumerate() {
        // SAFETY: as this function.
        unsafe { outputs.add(index).write(op::give_tensor(tensor)) };
    }
    Ok(())
}

/// What a callback got, borrowed.
///
/// # Safety
/// `raws` holds `n` values that live for 'a, each a tensor, a dict, data or nothing.
pub(crate) unsafe fn arguments<'a>(raws: *const sys::td_value, n: usize) -> Vec<Value<'a>> {
    let argument = |raw: &'a sys::td_value| {
        // SAFETY: the kind says which member was written.
        unsafe {
            match raw.kind {
                sys::TD_VALUE_TENSOR => Value::Tensor(callback::lend(&raw.as_.tensor)),
                sys::TD_VALUE_DICT => Value::Dict(Node::lend(raw.as_.dict)),
                sys::TD_VALUE_DATA => Value::Data(callback::lend(&raw.as_.data)),
                _ => Scalar::of(raw).map_or(Value::None, Value::from),
            }
        }
    };
    // SAFETY: as this function.
    (0..n).map(|index| argument(unsafe { &*raws.add(index) })).collect()
}

unsafe extern "C" fn call_values<F>(
    userdata: *mut c_void,
    args: *const sys::td_value,
    n_args: usize,
    kwargs: *const sys::td_named_value,
    n_kwargs: usize,
    outs: *mut sys::td_value,
    capacity: usize,
    n_outs: *mut usize,
    err: *mut *mut sys::td_error,
) -> sys::td_status
where
    F: Fn(&[Value<'_>], &[(&str, Value<'_>)]) -> Failed<Vec<Output>> + Send + Sync + 'static,
{
    callback::run(err, || {
        // SAFETY: as `call_tensors`.
        unsafe {
            let named: Vec<(&str, Value<'_>)> = (0..n_kwargs)
                .map(|index| {
                    let raw = kwargs.add(index);
                    (string::view((*raw).name), arguments(&(*raw).value, 1)[0])
                })
                .collect();
            let results = (*userdata.cast::<F>())(&arguments(args, n_args), &named)?;
            *n_outs = op::give(results, outs, capacity)?;
        }
        Ok(())
    })
}

unsafe extern "C" fn call_dict<F>(
    userdata: *mut c_void,
    data: *mut sys::td_dict,
    out: *mut *mut sys::td_dict,
    err: *mut *mut sys::td_error,
) -> sys::td_status
where
    F: Fn(&mut Node) -> Failed<Option<Dict>> + Send + Sync + 'static,
{
    callback::run(err, || {
        // SAFETY: as `call_tensors`; the data is for the module alone while it runs.
        unsafe {
            *out = match (*userdata.cast::<F>())(Node::lend_mut(data))? {
                Some(dict) => std::mem::ManuallyDrop::new(dict).as_raw(),
                None => {
                    sys::td_dict_retain(data);
                    data
                }
            };
        }
        Ok(())
    })
}

impl Module {
    /// A closure over tensors that reads `in_keys` in their order and writes `out_keys`.
    ///
    /// ```
    /// # fn main() -> tensordict::Result<()> {
    /// use tensordict::{Dict, Module, Tensor};
    /// let net = Module::from_fn(["obs"], ["action"], |x| Ok(vec![x[0].op("tanh", &[])?]))?;
    /// let mut td = Dict::new(&[2])?;
    /// td.set("obs", &Tensor::from_slice(&[0.0f32, 0.0], &[2])?)?;
    /// net.forward(&mut td)?;
    /// assert_eq!(td.get("action")?.to_vec::<f32>()?, [0.0, 0.0]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn from_fn<'k, I, O, F>(
        in_keys: impl IntoIterator<Item = I>,
        out_keys: impl IntoIterator<Item = O>,
        f: F,
    ) -> Result<Self>
    where
        I: Into<Key<'k>>,
        O: Into<Key<'k>>,
        F: Fn(&[Tensor]) -> Failed<Vec<Tensor>> + Send + Sync + 'static,
    {
        Module::from_tensors(f)?.with_keys(in_keys, out_keys)
    }

    /// A closure over tensors, without keys.
    pub fn from_tensors<F>(f: F) -> Result<Self>
    where
        F: Fn(&[Tensor]) -> Failed<Vec<Tensor>> + Send + Sync + 'static,
    {
        made!(td_module_from_function(&sys::td_module_function {
            fn_: Some(call_tensors::<F>),
            userdata: keep(f),
            destroy: Some(destroy::<F>),
            ..Default::default()
        }))
    }

    /// A closure that takes and gives anything a dict can hold: positional arguments, then those by name.
    pub fn from_values<F>(f: F) -> Result<Self>
    where
        F: Fn(&[Value<'_>], &[(&str, Value<'_>)]) -> Failed<Vec<Output>> + Send + Sync + 'static,
    {
        made!(td_module_from_values(&sys::td_values_function {
            fn_: Some(call_values::<F>),
            userdata: keep(f),
            destroy: Some(destroy::<F>),
            ..Default::default()
        }))
    }

    /// A closure over dicts, which changes the data (None) or gives another dict; `inplace` writes that one into the
    /// data.
    pub fn wrap<'k, I, O, F>(
        in_keys: impl IntoIterator<Item = I>,
        out_keys: impl IntoIterator<Item = O>,
        inplace: bool,
        f: F,
    ) -> Result<Self>
    where
        I: Into<Key<'k>>,
        O: Into<Key<'k>>,
        F: Fn(&mut Node) -> Failed<Option<Dict>> + Send + Sync + 'static,
    {
        let (ins, outs) = (KeyArray::new(in_keys), KeyArray::new(out_keys));
        let function = sys::td_dict_function {
            fn_: Some(call_dict::<F>),
            userdata: keep(f),
            destroy: Some(destroy::<F>),
            ..Default::default()
        };
        made!(td_module_wrap(&function, inplace.into(), ins.as_ptr(), ins.len(), outs.as_ptr(), outs.len()))
    }
}
