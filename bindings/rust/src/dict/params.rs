//! Parameters: a dict whose floating tensors are leaves that require grad.
use super::many::named;
use super::{Dict, Node};
use crate::{sys, KeyBuf, Result, Tensor};

impl Dict {
    /// Makes parameters of the entries, which move into the result: floating and complex tensors become leaves that
    /// require grad, and so does what is set later. Errors: Unsupported for lazy stacks in it.
    pub fn into_params(self) -> Result<Dict> {
        self.into_params_with(false, false)
    }

    /// The same; with `no_convert` tensors stay what they are, with `lock` the dict is locked.
    pub fn into_params_with(self, no_convert: bool, lock: bool) -> Result<Dict> {
        let options = sys::td_params_options { no_convert: no_convert.into(), lock: lock.into(), ..Default::default() };
        made!(td_dict_params(self.as_raw(), &options))
    }
}

impl Node {
    /// The tensors that require grad, with their keys.
    pub fn parameters(&self) -> Result<Vec<(KeyBuf, Tensor)>> {
        named(|keys, tensors, err| unsafe { sys::td_dict_parameters(self.as_raw(), keys, tensors, err) })
    }

    /// The tensors that do not, with their keys.
    pub fn buffers(&self) -> Result<Vec<(KeyBuf, Tensor)>> {
        named(|keys, tensors, err| unsafe { sys::td_dict_buffers(self.as_raw(), keys, tensors, err) })
    }
}
