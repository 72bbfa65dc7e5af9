//! State dicts, and extra state of the caller's.
use super::state::taken;
use super::Module;
use crate::callback::{self, destroy, keep, lend};
use crate::key::List;
use crate::{string, sys, BoxError, Dict, KeyBuf, Node, Result};
use std::os::raw::c_void;
use std::ptr::null_mut;

/// The names that a state lacked, and those that it had too many.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Loaded {
    /// Of the module, and not in the state.
    pub missing: Vec<KeyBuf>,
    /// In the state, and not of the module.
    pub unexpected: Vec<KeyBuf>,
}

type Get = dyn Fn(&Module, &mut Node) -> std::result::Result<(), BoxError> + Send + Sync;
type Set = dyn Fn(&Module, &Node) -> std::result::Result<(), BoxError> + Send + Sync;

struct Extra {
    get: Option<Box<Get>>,
    set: Option<Box<Set>>,
}

unsafe extern "C" fn get(
    userdata: *mut c_void,
    module: *const sys::td_module,
    state: *mut sys::td_dict,
    err: *mut *mut sys::td_error,
) -> sys::td_status {
    let module = module as *mut sys::td_module;
    // SAFETY: `userdata` is what was kept, and the library lends the rest for this call.
    callback::run(err, || unsafe {
        let extra = &*userdata.cast::<Extra>();
        extra.get.as_ref().map_or(Ok(()), |get| get(lend(&module), Node::lend_mut(state)))
    })
}

unsafe extern "C" fn set(
    userdata: *mut c_void,
    module: *const sys::td_module,
    state: *const sys::td_dict,
    err: *mut *mut sys::td_error,
) -> sys::td_status {
    let module = module as *mut sys::td_module;
    // SAFETY: as above.
    callback::run(err, || unsafe {
        let extra = &*userdata.cast::<Extra>();
        extra.set.as_ref().map_or(Ok(()), |set| set(lend(&module), Node::lend(state)))
    })
}

impl Module {
    /// The parameters, persistent buffers and extra states under dotted names, in a flat dict; `prefix` goes before
    /// each. Tensors are detached, unless `keep_vars`. Errors: those of a hook or an extra state, as themselves.
    pub fn state_dict(&self, prefix: &str, keep_vars: bool) -> Result<Dict> {
        made!(td_module_state_dict(self.as_raw(), string::borrow(prefix), keep_vars.into()))
    }

    /// Loads a dict of nested or dotted names; on failure nothing is loaded. `strict` wants the names of the module,
    /// `assign` puts the given tensors in the places of its own. Errors: Key listing the names; Shape; Locked; those of
    /// a hook.
    pub fn load_state_dict(&mut self, state: &Node, strict: bool, assign: bool) -> Result<Loaded> {
        let options = sys::td_load_options { lenient: (!strict).into(), assign: assign.into(), ..Default::default() };
        let (mut missing, mut unexpected) = (null_mut(), null_mut());
        let (module, state) = (self.as_raw(), state.as_raw());
        done!(td_module_load_state_dict(module, state, &options, &mut missing, &mut unexpected))?;
        let (missing, unexpected) = (taken::<List>(missing), taken::<List>(unexpected));
        let names = |list: Option<List>| list.map_or_else(|| Ok(Vec::new()), List::take);
        Ok(Loaded { missing: names(missing)?, unexpected: names(unexpected)? })
    }

    /// Gives this one module extra state, in place of what it had: `get` puts a tensor or data into an empty dict under
    /// "_extra_state", `set` finds it there again, and leaves everything as it was if it fails.
    pub fn set_extra_state<G, S>(&mut self, get_state: Option<G>, set_state: Option<S>) -> Result<()>
    where
        G: Fn(&Module, &mut Node) -> std::result::Result<(), BoxError> + Send + Sync + 'static,
        S: Fn(&Module, &Node) -> std::result::Result<(), BoxError> + Send + Sync + 'static,
    {
        let extra = Extra {
            get: get_state.map(|get| Box::new(get) as Box<Get>),
            set: set_state.map(|set| Box::new(set) as Box<Set>),
        };
        type GetFn = unsafe extern "C" fn(
            *mut c_void,
            *const sys::td_module,
            *mut sys::td_dict,
            *mut *mut sys::td_error,
        ) -> sys::td_status;
        type SetFn = unsafe extern "C" fn(
            *mut c_void,
            *const sys::td_module,
            *const sys::td_dict,
            *mut *mut sys::td_error,
        ) -> sys::td_status;
        let (get_fn, set_fn) = (extra.get.as_ref().map(|_| get as GetFn), extra.set.as_ref().map(|_| set as SetFn));
        let raw = sys::td_extra_state {
            get: get_fn,
            set: set_fn,
            userdata: keep(extra),
            destroy: Some(destroy::<Extra>),
            ..Default::default()
        };
        done!(td_module_set_extra_state(self.as_raw(), &raw))
    }
}
