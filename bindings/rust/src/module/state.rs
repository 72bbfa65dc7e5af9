//! The tensors of modules as dicts, and every tensor of a tree at once.
use super::{module_array as array, Module};
use crate::dict::{filled, named};
use crate::handle::Handle;
use crate::tensor::RECORDING;
use crate::{sys, Dict, Dtype, Error, ErrorKind, Generator, KeyBuf, Node, Result, Tensor};
use std::ptr::{null_mut, NonNull};

/// How [`Dict::from_modules_with`] stacks the states of modules.
#[derive(Clone, Copy, Debug)]
pub struct FromModules {
    /// Parameters and buffers, as [`Dict::into_params`] makes them.
    pub as_module: bool,
    /// The result is locked; the default.
    pub lock: bool,
    /// What a state dict has: nothing that requires grad, persistent buffers only.
    pub use_state_dict: bool,
    /// A lazy stack of the modules' own tensors.
    pub lazy_stack: bool,
    /// A tensor that all modules share is expanded, not copied.
    pub expand_identical: bool,
}

impl Default for FromModules {
    fn default() -> Self {
        FromModules { as_module: false, lock: true, use_state_dict: false, lazy_stack: false, expand_identical: false }
    }
}

impl Dict {
    /// The state of a module as a dict that mirrors its tree. The tensors are the module's own.
    pub fn from_module(module: &Module) -> Result<Dict> {
        crate::dict::apart!(td_dict_from_module(module.as_raw()))
    }

    /// The states of modules stacked along a new batch dim: new leaves that require grad as the first module's do.
    /// Errors: Argument for none; Key or Shape naming the entry that differs.
    pub fn from_modules(modules: &[Module]) -> Result<Dict> {
        made!(td_dict_from_modules(array(modules), modules.len(), std::ptr::null()))
    }

    /// The same with options. Errors: Argument for options that exclude each other; as
    /// [`from_modules`](Dict::from_modules).
    pub fn from_modules_with(modules: &[Module], options: FromModules) -> Result<Dict> {
        let options = sys::td_from_modules_options {
            as_module: options.as_module.into(),
            no_lock: (!options.lock).into(),
            use_state_dict: options.use_state_dict.into(),
            lazy_stack: options.lazy_stack.into(),
            expand_identical: options.expand_identical.into(),
            ..Default::default()
        };
        made!(td_dict_from_modules(array(modules), modules.len(), &options))
    }
}

impl Module {
    /// The parameters and the buffers of modules that are alike, stacked, as two flat dicts with dotted names.
    /// Errors: Argument; Key; Shape.
    pub fn stack_state(modules: &[Module]) -> Result<(Dict, Dict)> {
        let (mut params, mut buffers) = (null_mut(), null_mut());
        done!(td_module_stack_state(array(modules), modules.len(), &mut params, &mut buffers))?;
        let dict = |raw| filled(NonNull::new(raw).map(Dict::from_raw));
        Ok((dict(params)?, dict(buffers)?))
    }

    /// The parameters, with their names; each module's own before those below it.
    pub fn parameters(&self) -> Result<Vec<(KeyBuf, Tensor)>> {
        named(|keys, tensors, err| unsafe {
            sys::td_module_parameters(self.as_raw(), std::ptr::null(), keys, tensors, err)
        })
    }

    /// The buffers, with their names.
    pub fn buffers(&self) -> Result<Vec<(KeyBuf, Tensor)>> {
        named(|keys, tensors, err| unsafe {
            sys::td_module_buffers(self.as_raw(), std::ptr::null(), keys, tensors, err)
        })
    }

    /// Turns gradients of all parameters on or off. Errors: Dtype for a parameter of integers.
    pub fn set_requires_grad(&mut self, requires_grad: bool) -> Result<()> {
        let _one_at_a_time = RECORDING.lock();
        done!(td_module_requires_grad_(self.as_raw(), requires_grad.into()))
    }

    /// Forgets the gradients of all parameters, or writes zeros into them.
    pub fn zero_grad(&mut self, set_to_none: bool) -> Result<()> {
        done!(td_module_zero_grad(self.as_raw(), set_to_none.into()))
    }

    /// Casts the floating and complex tensors. Errors: Dtype.
    pub fn to_dtype(&mut self, dtype: Dtype) -> Result<()> {
        done!(td_module_to(self.as_raw(), dtype.raw(), crate::string::optional(None)))
    }

    /// Moves all tensors. Errors: Device.
    pub fn to_device(&mut self, device: &str) -> Result<()> {
        done!(td_module_to(self.as_raw(), sys::TD_DTYPE_NONE, crate::string::borrow(device)))
    }

    /// Casts all tensors, integers too. Errors: Dtype.
    pub fn cast_all(&mut self, dtype: Dtype) -> Result<()> {
        done!(td_module_to_type(self.as_raw(), dtype.raw()))
    }

    /// Moves the memory of all parameters, buffers and their gradients to where processes that are forked from now on
    /// share it. Errors: Unsupported; NoSpace.
    ///
    /// # Safety
    /// No [`View`](crate::View) or slice of these tensors lives: their memory goes.
    pub unsafe fn share_memory(&mut self) -> Result<()> {
        done!(td_module_share_memory(self.as_raw()))
    }

    /// New tensors of the same shapes on `device` in place of all, whose values are not set: for a module on "meta".
    /// Errors: Device.
    pub fn to_empty(&mut self, device: &str) -> Result<()> {
        done!(td_module_to_empty(self.as_raw(), crate::string::borrow(device)))
    }

    /// Draws all parameters anew, children first, and says how many modules had any.
    pub fn reset_parameters(&mut self, generator: Option<&mut Generator>) -> Result<usize> {
        let mut reset = 0;
        let generator = Generator::optional(generator);
        done!(td_module_reset_parameters(self.as_raw(), null_mut(), generator, null_mut(), &mut reset))?;
        Ok(reset)
    }

    /// Draws parameters of this kind into `params` instead, and gives them as leaves that require grad, in the same
    /// memory.
    /// Errors: Shape; Key.
    pub fn draw_parameters(&mut self, params: &Node, generator: Option<&mut Generator>) -> Result<Dict> {
        let (generator, mut out) = (Generator::optional(generator), null_mut());
        done!(td_module_reset_parameters(self.as_raw(), params.as_raw(), generator, &mut out, null_mut()))?;
        let out = NonNull::new(out).map(Dict::from_raw);
        out.ok_or_else(|| Error::new(ErrorKind::Internal, "success without a result"))?.own_nodes()
    }
}

/// A handle that a call may have made.
pub(crate) fn taken<T: Handle>(raw: *mut T::Raw) -> Option<T> {
    NonNull::new(raw).map(T::from_raw)
}
