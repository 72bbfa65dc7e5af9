//! Many members at once, vectorised.
use super::function::arguments;
use super::Module;
use crate::op::{clear, give, outputs};
use crate::{callback, sys, BoxError, Dict, Error, ErrorKind, Node, Output, Result, Value};
use std::os::raw::c_void;

constants! {
    /// What random operators do in a vmap.
    Randomness {
        /// They fail.
        Error = TD_RANDOMNESS_ERROR,
        /// Each member draws its own numbers.
        Different = TD_RANDOMNESS_DIFFERENT,
        /// All members draw the same.
        Same = TD_RANDOMNESS_SAME,
    }
}

/// How [`vmap`] maps.
#[derive(Clone, Debug)]
pub struct VmapOptions {
    /// What random operators do.
    pub randomness: Randomness,
    /// For each argument the dim of the members, None for an argument that all share; no list: 0 for all.
    pub in_dims: Option<Vec<Option<i32>>>,
    /// For each result; no list: 0 for all.
    pub out_dims: Option<Vec<i64>>,
    /// So many members at once; 0: all.
    pub chunk_size: i64,
}

impl Default for VmapOptions {
    fn default() -> Self {
        VmapOptions { randomness: Randomness::Error, in_dims: None, out_dims: None, chunk_size: 0 }
    }
}

impl Module {
    /// Runs the module once for each of the states (batch size [N], as [`Dict::from_modules`] gives them), vectorised.
    /// The result is a new dict of batch size [N, ...]. `data_dim` is the batch dim of `data` that is mapped; None:
    /// every member gets all of it. Errors: Shape; Index; Torch for random operators; as
    /// [`forward_with`](Module::forward_with).
    pub fn vmap(&self, states: &Node, data: &Node, data_dim: Option<i32>, randomness: Randomness) -> Result<Dict> {
        let options = sys::td_vmap_options {
            randomness: randomness.raw(),
            map_data: data_dim.is_some().into(),
            data_dim: data_dim.unwrap_or(0),
            ..Default::default()
        };
        crate::dict::apart!(td_module_vmap(self.as_raw(), states.as_raw(), data.as_raw(), &options))
    }
}

struct Mapped<F>(F);

unsafe extern "C" fn call<F>(
    userdata: *mut c_void,
    args: *const sys::td_value,
    n_args: usize,
    outs: *mut sys::td_value,
    n_outs: usize,
    err: *mut *mut sys::td_error,
) -> sys::td_status
where
    F: FnMut(&[Value<'_>]) -> std::result::Result<Vec<Output>, BoxError>,
{
    callback::run(err, || {
        // SAFETY: `userdata` is the closure of the call under way, and the library lends the arguments for this call.
        let results = unsafe { (*userdata.cast::<Mapped<F>>()).0(&arguments(args, n_args))? };
        let n = give(results, outs, n_outs)?;
        if n == n_outs {
            return Ok(());
        }
        // SAFETY: `give` has written so many.
        clear(unsafe { std::slice::from_raw_parts_mut(outs, n) });
        Err(Error::new(ErrorKind::Argument, &format!("the closure gave {n} results instead of {n_outs}")).into())
    })
}

/// Calls `f` once for all members, vectorised: it gets each argument without the dim of the members, and gives `n`
/// results.
///
/// ```
/// # fn main() -> tensordict::Result<()> {
/// use tensordict::{vmap, Tensor, Value, VmapOptions};
/// let rows = Tensor::from_slice(&[1.0f32, 2.0, 3.0, 4.0], &[2, 2])?;
/// let sums = vmap(&[(&rows).into()], 1, &VmapOptions::default(), |args| match args {
///     [Value::Tensor(row)] => Ok(vec![row.op("sum", &[])?.into()]),
///     _ => Err("one tensor was given".into()),
/// })?;
/// assert_eq!(sums.into_iter().next().unwrap().tensor()?.to_vec::<f32>()?, [3.0, 7.0]);
/// # Ok(())
/// # }
/// ```
///
/// Errors: Argument if no argument is mapped; Shape; Index; Torch; those of the closure, as themselves.
pub fn vmap<F>(args: &[Value<'_>], n: usize, options: &VmapOptions, f: F) -> Result<Vec<Output>>
where
    F: FnMut(&[Value<'_>]) -> std::result::Result<Vec<Output>, BoxError>,
{
    let misfit = |what: &str, got: usize, of: usize| {
        Error::new(ErrorKind::Argument, &format!("{got} {what} dims for {of} values"))
    };
    let ins = options
        .in_dims
        .as_ref()
        .map(|dims| -> Vec<i32> { dims.iter().map(|dim| dim.unwrap_or(sys::TD_VMAP_SHARED)).collect() });
    if let Some(dims) = ins.as_ref().filter(|dims| dims.len() != args.len()) {
        return Err(misfit("in", dims.len(), args.len()));
    }
    if let Some(dims) = options.out_dims.as_ref().filter(|dims| dims.len() != n) {
        return Err(misfit("out", dims.len(), n));
    }
    let raw = sys::td_vmap_function_options {
        randomness: options.randomness.raw(),
        in_dims: ins.as_ref().map_or(std::ptr::null(), Vec::as_ptr),
        out_dims: options.out_dims.as_ref().map_or(std::ptr::null(), Vec::as_ptr),
        chunk_size: options.chunk_size,
        ..Default::default()
    };
    let mut function = Mapped(f);
    let userdata = &mut function as *mut Mapped<F> as *mut c_void;
    let args: Vec<_> = args.iter().map(Value::raw).collect();
    let mut outs = vec![Value::None.raw(); n];
    done!(td_vmap(Some(call::<F>), userdata, args.as_ptr(), args.len(), &raw, outs.as_mut_ptr(), n))?;
    outputs(outs)
}
