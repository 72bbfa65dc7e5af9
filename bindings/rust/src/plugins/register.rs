//! Types written in Rust, registered at run time. Each is one value that makes all of its instances' results from their
//! config.
use crate::callback::{self, borrowed, destroy, keep, lend, lend_mut};
use crate::module::give_tensors;
use crate::{op, string, sys, BoxError, Error, ErrorKind, Generator, Node, Result, Stat, Tensor};
use std::os::raw::c_void;

type Failed<T> = std::result::Result<T, BoxError>;

/// What a type says of itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct TypeInfo<'a> {
    /// "org.name"; "td." belongs to the bundled plugins.
    pub id: &'a str,
    /// "1.0.0"; None: "0".
    pub version: Option<&'a str>,
    /// Of the config; None: any JSON object.
    pub schema: Option<&'a str>,
    /// What it promises: `sys::TD_PLUGIN_...`, joined with `|`. Without THREAD_SAFE calls for one instance come in
    /// turn.
    pub flags: u64,
}

impl TypeInfo<'_> {
    fn raw(&self) -> sys::td_type_info {
        sys::td_type_info {
            id: string::borrow(self.id),
            version: string::optional(self.version),
            schema: string::optional(self.schema),
            flags: self.flags,
            ..Default::default()
        }
    }
}

/// The rows that a hash gets.
#[derive(Clone, Copy, Debug)]
pub struct HashRows<'a> {
    bytes: &'a [u8],
    n: usize,
    row_bytes: usize,
    stride: usize,
}

impl<'a> HashRows<'a> {
    /// The rows in order.
    pub fn iter(&self) -> impl Iterator<Item = &'a [u8]> {
        let HashRows { bytes, n, row_bytes, stride } = *self;
        (0..n).map(move |row| &bytes[row * stride..row * stride + row_bytes])
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.n
    }

    /// True without rows.
    pub fn is_empty(&self) -> bool {
        self.n == 0
    }
}

unsafe extern "C" fn hash_rows<F>(
    userdata: *mut c_void,
    config: sys::td_str,
    rows: *const c_void,
    n: usize,
    row_bytes: usize,
    stride: usize,
    out: *mut u64,
    err: *mut *mut sys::td_error,
) -> sys::td_status
where
    F: Fn(&str, HashRows<'_>, &mut [u64]) -> Failed<()> + Send + Sync + 'static,
{
    callback::run(err, || {
        if n == 0 {
            return Ok(());
        }
        // SAFETY: `userdata` is the closure that was kept; the rows, of which the last has no gap behind it, and the
        // room for `n` results are the library's.
        unsafe {
            let bytes = std::slice::from_raw_parts(rows.cast::<u8>(), (n - 1) * stride + row_bytes);
            std::ptr::write_bytes(out, 0, n);
            let out = std::slice::from_raw_parts_mut(out, n);
            (*userdata.cast::<F>())(string::view(config), HashRows { bytes, n, row_bytes, stride }, out)
        }
    })
}

/// Registers a hash: the closure gets the config and the rows, and fills in 64 bits for each.
///
/// ```
/// # fn main() -> tensordict::Result<()> {
/// use tensordict::{plugins, Hash};
/// let info = plugins::TypeInfo { id: "example.length", ..Default::default() };
/// plugins::register_hash(info, |_config, rows, out| {
///     out.iter_mut().zip(rows.iter()).for_each(|(hash, row)| *hash = row.len() as u64);
///     Ok(())
/// })?;
/// assert_eq!(Hash::create("example.length", "{}")?.rows(&[0; 6], 3)?, [3, 3]);
/// # Ok(())
/// # }
/// ```
///
/// Errors: Argument for a bad info; Exists if the id is taken.
pub fn register_hash<F>(info: TypeInfo<'_>, f: F) -> Result<()>
where
    F: Fn(&str, HashRows<'_>, &mut [u64]) -> Failed<()> + Send + Sync + 'static,
{
    let callbacks = sys::td_hash_callbacks {
        struct_size: std::mem::size_of::<sys::td_hash_callbacks>(),
        hash_rows: Some(hash_rows::<F>),
        userdata: keep(f),
        destroy: Some(destroy::<F>),
    };
    done!(td_plugins_register_hash(&info.raw(), &callbacks))
}

/// A type of modules.
pub trait ModuleType: Send + Sync + 'static {
    /// Fills two empty dicts: the trained tensors, and the ones that are carried along.
    fn init(
        &self,
        config: &str,
        generator: Option<&mut Generator>,
        parameters: &mut Node,
        buffers: &mut Node,
    ) -> Failed<()> {
        let _ = (config, generator, parameters, buffers);
        Ok(())
    }

    /// `n` outputs of these inputs; `state` holds the parameters, then the buffers, in the order of their keys.
    fn forward(
        &self,
        config: &str,
        state: &[Tensor],
        inputs: &[Tensor],
        training: bool,
        n: usize,
    ) -> Failed<Vec<Tensor>>;
}

unsafe extern "C" fn init<M: ModuleType>(
    userdata: *mut c_void,
    config: sys::td_str,
    mut generator: *mut sys::td_generator,
    parameters: *mut sys::td_dict,
    buffers: *mut sys::td_dict,
    err: *mut *mut sys::td_error,
) -> sys::td_status {
    // SAFETY: `userdata` is the value that was kept, and the library lends the rest for this call.
    callback::run(err, || unsafe {
        let (parameters, buffers) = (Node::lend_mut(parameters), Node::lend_mut(buffers));
        (*userdata.cast::<M>()).init(string::view(config), lend_mut(&mut generator), parameters, buffers)
    })
}

unsafe extern "C" fn forward<M: ModuleType>(
    userdata: *mut c_void,
    config: sys::td_str,
    state: *const *mut sys::td_tensor,
    n_state: usize,
    inputs: *const *mut sys::td_tensor,
    n_inputs: usize,
    training: sys::td_bool,
    outputs: *mut *mut sys::td_tensor,
    n_outputs: usize,
    err: *mut *mut sys::td_error,
) -> sys::td_status {
    // SAFETY: as above.
    callback::run(err, || unsafe {
        let (state, inputs) = (borrowed(state, n_state), borrowed(inputs, n_inputs));
        let module = &*userdata.cast::<M>();
        give_tensors(module.forward(string::view(config), state, inputs, training != 0, n_outputs)?, outputs, n_outputs)
    })
}

/// Registers a type of modules. Errors: Argument for a bad info; Exists if the id is taken.
pub fn register_module<M: ModuleType>(info: TypeInfo<'_>, module: M) -> Result<()> {
    let callbacks = sys::td_module_callbacks {
        struct_size: std::mem::size_of::<sys::td_module_callbacks>(),
        init: Some(init::<M>),
        forward: Some(forward::<M>),
        userdata: keep(module),
        destroy: Some(destroy::<M>),
    };
    done!(td_plugins_register_module(&info.raw(), &callbacks))
}

/// A type of distributions. `params` are broadcast together, in the order of [`names`](DistType::names).
pub trait DistType: Send + Sync + 'static {
    /// The names of its parameters.
    fn names(&self) -> Vec<&str>;

    /// Draws values of this shape.
    fn sample(
        &self,
        config: &str,
        params: &[Tensor],
        shape: &[i64],
        generator: Option<&mut Generator>,
    ) -> Failed<Tensor>;

    /// The same with gradients to the parameters.
    fn rsample(
        &self,
        config: &str,
        params: &[Tensor],
        shape: &[i64],
        generator: Option<&mut Generator>,
    ) -> Failed<Tensor> {
        let _ = (config, params, shape, generator);
        Err(unsupported())
    }

    /// The log of the density or mass at `value`.
    fn log_prob(&self, config: &str, params: &[Tensor], value: &Tensor) -> Failed<Tensor>;

    /// The mean, the mode, the variance or the entropy.
    fn stat(&self, config: &str, params: &[Tensor], which: Stat) -> Failed<Tensor> {
        let _ = (config, params, which);
        Err(unsupported())
    }
}

fn unsupported() -> BoxError {
    Error::new(ErrorKind::Unsupported, "the distribution has no such function").into()
}

struct Registered<D> {
    dist: D,
    n: usize,
}

macro_rules! draw {
    ($name:ident) => {
        unsafe extern "C" fn $name<D: DistType>(
            userdata: *mut c_void,
            config: sys::td_str,
            params: *const *mut sys::td_tensor,
            dims: *const i64,
            ndim: usize,
            mut generator: *mut sys::td_generator,
            out: *mut *mut sys::td_tensor,
            err: *mut *mut sys::td_error,
        ) -> sys::td_status {
            // SAFETY: `userdata` is the value that was kept, and the library lends the rest for this call.
            callback::run(err, || unsafe {
                let this = &*userdata.cast::<Registered<D>>();
                let shape = if ndim == 0 { &[] } else { std::slice::from_raw_parts(dims, ndim) };
                let (params, generator) = (borrowed(params, this.n), lend_mut(&mut generator));
                *out = op::give_tensor(this.dist.$name(string::view(config), params, shape, generator)?);
                Ok(())
            })
        }
    };
}

draw!(sample);
draw!(rsample);

unsafe extern "C" fn log_prob<D: DistType>(
    userdata: *mut c_void,
    config: sys::td_str,
    params: *const *mut sys::td_tensor,
    value: *const sys::td_tensor,
    out: *mut *mut sys::td_tensor,
    err: *mut *mut sys::td_error,
) -> sys::td_status {
    let value = value as *mut sys::td_tensor;
    // SAFETY: as above.
    callback::run(err, || unsafe {
        let this = &*userdata.cast::<Registered<D>>();
        let params = borrowed(params, this.n);
        *out = op::give_tensor(this.dist.log_prob(string::view(config), params, lend(&value))?);
        Ok(())
    })
}

unsafe extern "C" fn stat<D: DistType>(
    userdata: *mut c_void,
    config: sys::td_str,
    params: *const *mut sys::td_tensor,
    which: sys::td_dist_stat,
    out: *mut *mut sys::td_tensor,
    err: *mut *mut sys::td_error,
) -> sys::td_status {
    // SAFETY: as above.
    callback::run(err, || unsafe {
        let this = &*userdata.cast::<Registered<D>>();
        let which = Stat::from_raw(which).ok_or_else(unsupported)?;
        *out = op::give_tensor(this.dist.stat(string::view(config), borrowed(params, this.n), which)?);
        Ok(())
    })
}

/// Registers a type of distributions. Errors: Argument for a bad info; Exists if the id is taken.
pub fn register_dist<D: DistType>(info: TypeInfo<'_>, dist: D) -> Result<()> {
    let names: Vec<String> = dist.names().into_iter().map(str::to_owned).collect();
    let raws = string::borrow_all(names.iter().map(|name| Some(&**name)));
    let callbacks = sys::td_dist_callbacks {
        struct_size: std::mem::size_of::<sys::td_dist_callbacks>(),
        params: raws.as_ptr(),
        n_params: raws.len(),
        sample: Some(sample::<D>),
        rsample: Some(rsample::<D>),
        log_prob: Some(log_prob::<D>),
        stat: Some(stat::<D>),
        userdata: keep(Registered { dist, n: names.len() }),
        destroy: Some(destroy::<Registered<D>>),
    };
    done!(td_plugins_register_dist(&info.raw(), &callbacks))
}
