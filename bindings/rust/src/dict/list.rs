//! Lists of dicts, between Rust and the library.
use super::{Dict, Node};
use crate::{error, sys, Error, ErrorKind, Result};
use std::ptr::NonNull;

handle! {
    /// A list of dicts of the library, on its way to a Vec.
    pub(crate) DictList: td_dict_list, td_dict_list_release
}

impl DictList {
    pub(crate) fn get(&self, index: usize) -> Result<Dict> {
        made!(td_dict_list_get(self.as_raw(), index as i64))
    }

    /// The dicts themselves; the caller lends them.
    pub(crate) fn take(self) -> Result<Vec<Dict>> {
        let (mut dicts, mut n) = (std::ptr::null(), 0);
        done!(td_dict_list_view(self.as_raw(), &mut dicts, &mut n))?;
        let one = |index| {
            // SAFETY: the array lives as long as the list; each dict gets a reference of its own.
            let raw = unsafe { *dicts.add(index) };
            unsafe { sys::td_dict_retain(raw) };
            filled(NonNull::new(raw).map(Dict::from_raw))
        };
        (0..n).map(one).collect()
    }

    /// The same with nodes of their own.
    pub(crate) fn take_apart(self) -> Result<Vec<Dict>> {
        self.take()?.into_iter().map(Dict::own_nodes).collect()
    }
}

/// Dicts for the time of a call, as the array of handles that a function borrows.
pub(crate) fn array<D: AsRef<Node>>(dicts: impl IntoIterator<Item = D>) -> Vec<*const sys::td_dict> {
    dicts.into_iter().map(|dict| dict.as_ref().as_raw() as *const _).collect()
}

/// Room for the dicts that a call makes; places without one are None.
pub(crate) fn make_several(
    n: usize,
    f: impl FnOnce(*mut *mut sys::td_dict, *mut *mut sys::td_error) -> sys::td_status,
) -> Result<Vec<Option<Dict>>> {
    let mut outs = vec![std::ptr::null_mut(); n];
    error::call(|err| f(outs.as_mut_ptr(), err))?;
    Ok(outs.into_iter().map(|raw| NonNull::new(raw).map(Dict::from_raw)).collect())
}

/// The dict at a place that the call has filled.
pub(crate) fn filled(dict: Option<Dict>) -> Result<Dict> {
    dict.ok_or_else(|| Error::new(ErrorKind::Internal, "success without a result"))
}
