//! Hooks: closures around a module, and around its state dict.
use super::Module;
use crate::callback::{self, borrowed, destroy, keep, lend};
use crate::{string, sys, BoxError, Dict, Error, ErrorKind, Node, Result, Tensor};
use std::os::raw::c_void;

/// What a forward hook sees, and may replace.
pub struct HookCall<'a> {
    raw: &'a mut sys::td_hook_call,
}

/// What a backward hook sees, and may replace: gradients, of which there may be none.
pub struct BackwardCall<'a> {
    raw: &'a mut sys::td_backward_call,
}

/// A hook that was added; [`Module::remove_hook`] takes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HookId(u64);

/// When a forward hook runs.
#[derive(Clone, Copy, Debug, Default)]
pub struct HookFlags {
    /// Before the hooks there are.
    pub prepend: bool,
    /// Of a hook after the module: when the module has failed, too.
    pub always_call: bool,
}

constants! {
    /// When a state hook runs.
    StateHook {
        /// Before a state dict is made.
        StateDictPre = TD_STATE_HOOK_STATE_DICT_PRE,
        /// After it is made.
        StateDict = TD_STATE_HOOK_STATE_DICT,
        /// Before a state is checked.
        LoadPre = TD_STATE_HOOK_LOAD_STATE_DICT_PRE,
        /// Before a state that was checked is loaded.
        Load = TD_STATE_HOOK_LOAD_STATE_DICT,
    }
}

impl HookCall<'_> {
    /// The data, of a module that runs on a dict.
    pub fn data(&mut self) -> Option<&mut Node> {
        let raw = self.raw.data;
        // SAFETY: the library lends it for this call; `&mut self` keeps this and the result apart.
        (!raw.is_null()).then(|| unsafe { Node::lend_mut(raw) })
    }

    /// Puts another dict in the place of the data, when the hook has returned. Errors: Argument if there is no data.
    pub fn set_data(&mut self, dict: Dict) -> Result<()> {
        done!(td_hook_call_set_data(self.raw, dict.as_raw()))
    }

    /// The result, after a module that runs on a dict.
    pub fn result(&mut self) -> Option<&mut Node> {
        let raw = self.raw.result;
        // SAFETY: as above.
        (!raw.is_null()).then(|| unsafe { Node::lend_mut(raw) })
    }

    /// Puts another dict in the place of the result, when the hook has returned. Errors: Argument if there is none.
    pub fn set_result(&mut self, dict: Dict) -> Result<()> {
        done!(td_hook_call_set_result(self.raw, dict.as_raw()))
    }

    /// The inputs, of a module that runs on tensors.
    pub fn inputs(&self) -> &[Tensor] {
        // SAFETY: the library lends them for this call.
        unsafe { borrowed(self.raw.inputs, self.raw.n_inputs) }
    }

    /// Puts another tensor in the place of an input. Errors: Index.
    pub fn set_input(&mut self, index: usize, tensor: Tensor) -> Result<()> {
        done!(td_hook_call_set_input(self.raw, position(index), tensor.as_raw()))
    }

    /// The outputs, after a module that runs on tensors.
    pub fn outputs(&self) -> &[Tensor] {
        // SAFETY: as above.
        unsafe { borrowed(self.raw.outputs, self.raw.n_outputs) }
    }

    /// Puts another tensor in the place of an output. Errors: Index.
    pub fn set_output(&mut self, index: usize, tensor: Tensor) -> Result<()> {
        done!(td_hook_call_set_output(self.raw, position(index), tensor.as_raw()))
    }
}

impl BackwardCall<'_> {
    /// How many inputs the module had; 0 in a pre-hook.
    pub fn n_inputs(&self) -> usize {
        self.raw.n_inputs
    }

    /// How many outputs it had.
    pub fn n_outputs(&self) -> usize {
        self.raw.n_outputs
    }

    /// The gradient of an input. Errors: Index.
    pub fn grad_input(&self, index: usize) -> Result<Option<&Tensor>> {
        // SAFETY: the library lends them for this call.
        unsafe { gradient(self.raw.grad_inputs, self.raw.n_inputs, index) }
    }

    /// The gradient of an output. Errors: Index.
    pub fn grad_output(&self, index: usize) -> Result<Option<&Tensor>> {
        // SAFETY: as above.
        unsafe { gradient(self.raw.grad_outputs, self.raw.n_outputs, index) }
    }

    /// Puts another gradient, or none, in the place of that of an input. Errors: Index.
    pub fn set_grad_input(&mut self, index: usize, grad: Option<Tensor>) -> Result<()> {
        done!(td_backward_call_set_grad_input(self.raw, position(index), raw_gradient(&grad)))
    }

    /// The same of an output, in a pre-hook. Errors: Index.
    pub fn set_grad_output(&mut self, index: usize, grad: Option<Tensor>) -> Result<()> {
        done!(td_backward_call_set_grad_output(self.raw, position(index), raw_gradient(&grad)))
    }
}

fn in_range(index: usize, n: usize) -> Result<()> {
    if index < n {
        return Ok(());
    }
    Err(Error::new(ErrorKind::Index, &format!("{index} of {n} gradients")))
}

/// # Safety
/// `handles` holds `n` handles or NULLs that are alive for 'a.
unsafe fn gradient<'a>(handles: *const *mut sys::td_tensor, n: usize, index: usize) -> Result<Option<&'a Tensor>> {
    in_range(index, n)?;
    // SAFETY: in range, and no NULL is lent.
    Ok(unsafe {
        let handle = &*handles.add(index);
        (!handle.is_null()).then(|| lend(handle))
    })
}

// An index that no array has is out of range for the library too.
fn position(index: usize) -> i64 {
    index.try_into().unwrap_or(i64::MAX)
}

fn raw_gradient(grad: &Option<Tensor>) -> *mut sys::td_tensor {
    grad.as_ref().map_or(std::ptr::null_mut(), Tensor::as_raw)
}

unsafe extern "C" fn forward<F>(
    userdata: *mut c_void,
    module: *const sys::td_module,
    call: *mut sys::td_hook_call,
    err: *mut *mut sys::td_error,
) -> sys::td_status
where
    F: Fn(&Module, &mut HookCall<'_>) -> std::result::Result<(), BoxError> + Send + Sync + 'static,
{
    let module = module as *mut sys::td_module;
    // SAFETY: `userdata` is the closure that was kept, and the library lends the rest for this call.
    callback::run(err, || unsafe { (*userdata.cast::<F>())(lend(&module), &mut HookCall { raw: &mut *call }) })
}

unsafe extern "C" fn backward<F>(
    userdata: *mut c_void,
    module: *const sys::td_module,
    call: *mut sys::td_backward_call,
    err: *mut *mut sys::td_error,
) -> sys::td_status
where
    F: Fn(&Module, &mut BackwardCall<'_>) -> std::result::Result<(), BoxError> + Send + Sync + 'static,
{
    let module = module as *mut sys::td_module;
    // SAFETY: as above.
    callback::run(err, || unsafe { (*userdata.cast::<F>())(lend(&module), &mut BackwardCall { raw: &mut *call }) })
}

fn backward_hook<F>(f: F) -> sys::td_backward_hook
where
    F: Fn(&Module, &mut BackwardCall<'_>) -> std::result::Result<(), BoxError> + Send + Sync + 'static,
{
    sys::td_backward_hook {
        fn_: Some(backward::<F>),
        userdata: keep(f),
        destroy: Some(destroy::<F>),
        ..Default::default()
    }
}

unsafe extern "C" fn state<F>(
    userdata: *mut c_void,
    module: *const sys::td_module,
    state: *mut sys::td_dict,
    prefix: sys::td_str,
    err: *mut *mut sys::td_error,
) -> sys::td_status
where
    F: Fn(&Module, &mut Node, &str) -> std::result::Result<(), BoxError> + Send + Sync + 'static,
{
    let module = module as *mut sys::td_module;
    // SAFETY: as above.
    callback::run(err, || unsafe {
        (*userdata.cast::<F>())(lend(&module), Node::lend_mut(state), string::view(prefix))
    })
}

fn forward_hook<F>(f: F) -> sys::td_forward_hook
where
    F: Fn(&Module, &mut HookCall<'_>) -> std::result::Result<(), BoxError> + Send + Sync + 'static,
{
    sys::td_forward_hook {
        fn_: Some(forward::<F>),
        userdata: keep(f),
        destroy: Some(destroy::<F>),
        ..Default::default()
    }
}

impl HookFlags {
    fn raw(self) -> u64 {
        let prepend = if self.prepend { sys::TD_HOOK_PREPEND } else { 0 };
        prepend | if self.always_call { sys::TD_HOOK_ALWAYS_CALL } else { 0 }
    }
}

impl Module {
    /// Adds a closure that runs before the module.
    pub fn add_pre_hook<F>(&mut self, flags: HookFlags, f: F) -> Result<HookId>
    where
        F: Fn(&Module, &mut HookCall<'_>) -> std::result::Result<(), BoxError> + Send + Sync + 'static,
    {
        let mut id = 0;
        done!(td_module_add_forward_pre_hook(self.as_raw(), &forward_hook(f), flags.raw(), &mut id))?;
        Ok(HookId(id))
    }

    /// Adds a closure that runs after the module.
    pub fn add_hook<F>(&mut self, flags: HookFlags, f: F) -> Result<HookId>
    where
        F: Fn(&Module, &mut HookCall<'_>) -> std::result::Result<(), BoxError> + Send + Sync + 'static,
    {
        let mut id = 0;
        done!(td_module_add_forward_hook(self.as_raw(), &forward_hook(f), flags.raw(), &mut id))?;
        Ok(HookId(id))
    }

    /// Adds a closure around [`state_dict`](Module::state_dict) or [`load_state_dict`](Module::load_state_dict), which
    /// gets the flat dict and the module's prefix.
    pub fn add_state_hook<F>(&mut self, kind: StateHook, prepend: bool, f: F) -> Result<HookId>
    where
        F: Fn(&Module, &mut Node, &str) -> std::result::Result<(), BoxError> + Send + Sync + 'static,
    {
        let mut id = 0;
        let flags = HookFlags { prepend, always_call: false }.raw();
        let hook = sys::td_state_hook {
            fn_: Some(state::<F>),
            userdata: keep(f),
            destroy: Some(destroy::<F>),
            ..Default::default()
        };
        done!(td_module_add_state_hook(self.as_raw(), kind.raw(), &hook, flags, &mut id))?;
        Ok(HookId(id))
    }

    /// Adds a closure that runs when gradients have come to the outputs of the module, and may replace them. `prepend`:
    /// before the hooks there are. Errors: Unsupported for a module without gradients.
    pub fn add_backward_pre_hook<F>(&mut self, prepend: bool, f: F) -> Result<HookId>
    where
        F: Fn(&Module, &mut BackwardCall<'_>) -> std::result::Result<(), BoxError> + Send + Sync + 'static,
    {
        let mut id = 0;
        let flags = HookFlags { prepend, always_call: false }.raw();
        done!(td_module_add_backward_pre_hook(self.as_raw(), &backward_hook(f), flags, &mut id))?;
        Ok(HookId(id))
    }

    /// The same when the gradients of its inputs are there, which it may replace.
    pub fn add_backward_hook<F>(&mut self, prepend: bool, f: F) -> Result<HookId>
    where
        F: Fn(&Module, &mut BackwardCall<'_>) -> std::result::Result<(), BoxError> + Send + Sync + 'static,
    {
        let mut id = 0;
        let flags = HookFlags { prepend, always_call: false }.raw();
        done!(td_module_add_backward_hook(self.as_raw(), &backward_hook(f), flags, &mut id))?;
        Ok(HookId(id))
    }

    /// Removes a hook. Errors: NotFound.
    pub fn remove_hook(&mut self, id: HookId) -> Result<()> {
        done!(td_module_remove_hook(self.as_raw(), id.0))
    }
}
