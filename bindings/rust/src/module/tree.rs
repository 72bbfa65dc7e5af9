//! The tree of modules: what stands at its places.
use super::Module;
use crate::callback;
use crate::dict::{named, Lent};
use crate::key::KeyArray;
use crate::{string, sys, BoxError, Key, KeyBuf, Result, Tensor};
use std::os::raw::c_void;
use std::ptr::null_mut;

constants! {
    /// Which modules a visit reaches, and in which order.
    Visit {
        /// All of them, each before what is below it.
        Modules = TD_VISIT_MODULES,
        /// The direct children.
        Children = TD_VISIT_CHILDREN,
        /// All of them, each after what is below it.
        Apply = TD_VISIT_APPLY,
    }
}

/// What is listed.
#[derive(Clone, Debug)]
pub struct ListOptions {
    /// Goes before every name.
    pub prefix: Option<KeyBuf>,
    /// What is below, too; the default.
    pub recurse: bool,
    /// What stands under several names is listed under the first; the default.
    pub remove_duplicate: bool,
}

impl Default for ListOptions {
    fn default() -> Self {
        ListOptions { prefix: None, recurse: true, remove_duplicate: true }
    }
}

impl ListOptions {
    fn with<R>(&self, f: impl FnOnce(&sys::td_list_options) -> R) -> R {
        let prefix = KeyArray::new(&self.prefix);
        f(&sys::td_list_options {
            prefix: if prefix.len() == 0 { std::ptr::null() } else { prefix.as_ptr() },
            shallow: (!self.recurse).into(),
            keep_duplicates: (!self.remove_duplicate).into(),
            ..Default::default()
        })
    }
}

unsafe extern "C" fn visit<F>(
    userdata: *mut c_void,
    name: *const sys::td_key,
    module: *mut sys::td_module,
    err: *mut *mut sys::td_error,
) -> sys::td_status
where
    F: FnMut(&KeyBuf, &Module) -> std::result::Result<(), BoxError>,
{
    // SAFETY: `userdata` is the closure of the call under way, and the library lends the rest for this call.
    callback::run(err, || unsafe { (*userdata.cast::<F>())(&KeyBuf::copy(&*name), callback::lend(&module)) })
}

impl Module {
    /// Calls the closure for each module with its name, which has no parts for the module itself. Errors: those of the
    /// closure, as themselves.
    pub fn visit<F>(&self, order: Visit, options: &ListOptions, mut f: F) -> Result<()>
    where
        F: FnMut(&KeyBuf, &Module) -> std::result::Result<(), BoxError>,
    {
        let (module, userdata) = (self.as_raw(), &mut f as *mut F as *mut c_void);
        options.with(|options| done!(td_module_visit(module, order.raw(), options, Some(visit::<F>), userdata)))
    }

    /// The parameters as `options` say.
    pub fn parameters_with(&self, options: &ListOptions) -> Result<Vec<(KeyBuf, Tensor)>> {
        options.with(|options| {
            named(|keys, tensors, err| unsafe { sys::td_module_parameters(self.as_raw(), options, keys, tensors, err) })
        })
    }

    /// The buffers as `options` say.
    pub fn buffers_with(&self, options: &ListOptions) -> Result<Vec<(KeyBuf, Tensor)>> {
        options.with(|options| {
            named(|keys, tensors, err| unsafe { sys::td_module_buffers(self.as_raw(), options, keys, tensors, err) })
        })
    }

    /// A parameter. Errors: Key naming what is not there, or is something else.
    pub fn get_parameter<'k>(&self, name: impl Into<Key<'k>>) -> Result<Tensor> {
        name.into().with(|name| made!(td_module_get_parameter(self.as_raw(), name)))
    }

    /// A buffer. Errors: Key.
    pub fn get_buffer<'k>(&self, name: impl Into<Key<'k>>) -> Result<Tensor> {
        name.into().with(|name| made!(td_module_get_buffer(self.as_raw(), name)))
    }

    /// A module below this one, lent. Errors: Key.
    pub fn get_submodule<'k>(&self, name: impl Into<Key<'k>>) -> Result<Lent<'_, Module>> {
        name.into().with(|name| made!(td_module_get_submodule(self.as_raw(), name))).map(Lent::new)
    }

    /// Puts another tensor in the place of a parameter. Errors: Key.
    pub fn set_parameter<'k>(&mut self, name: impl Into<Key<'k>>, value: Option<&Tensor>) -> Result<()> {
        let value = value.map_or(null_mut(), Tensor::as_raw);
        name.into().with(|name| done!(td_module_set_parameter(self.as_raw(), name, value)))
    }

    /// Puts another tensor in the place of a buffer. Errors: Key.
    pub fn set_buffer<'k>(&mut self, name: impl Into<Key<'k>>, value: Option<&Tensor>) -> Result<()> {
        let value = value.map_or(null_mut(), Tensor::as_raw);
        name.into().with(|name| done!(td_module_set_buffer(self.as_raw(), name, value)))
    }

    /// Moves another module into the place of one, or into a new place. Errors: Key.
    pub fn set_submodule<'k>(&mut self, name: impl Into<Key<'k>>, module: Module) -> Result<()> {
        name.into().with(|name| done!(td_module_set_submodule(self.as_raw(), name, module.as_raw())))
    }

    /// Adds a parameter; None is a name that holds nothing yet. Errors: Argument; Exists.
    pub fn register_parameter(&mut self, name: &str, value: Option<&Tensor>) -> Result<()> {
        let value = value.map_or(null_mut(), Tensor::as_raw);
        done!(td_module_register_parameter(self.as_raw(), string::borrow(name), value))
    }

    /// Adds a buffer, which is part of a state dict if it is `persistent`. Errors: Argument; Exists.
    pub fn register_buffer(&mut self, name: &str, value: Option<&Tensor>, persistent: bool) -> Result<()> {
        let value = value.map_or(null_mut(), Tensor::as_raw);
        done!(td_module_register_buffer(self.as_raw(), string::borrow(name), value, persistent.into()))
    }

    /// Moves a module in; None is a name that holds nothing yet. Errors: Argument; Exists.
    pub fn register_module(&mut self, name: &str, module: Option<Module>) -> Result<()> {
        let raw = module.as_ref().map_or(null_mut(), Module::as_raw);
        done!(td_module_register_module(self.as_raw(), string::borrow(name), raw))
    }
}
