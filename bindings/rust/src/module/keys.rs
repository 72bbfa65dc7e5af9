//! Modules that read and write keys.
use super::Module;
use crate::key::{self, KeyArray};
use crate::string::borrow_all;
use crate::{sys, Key, KeyBuf, Result};

constants! {
    /// Where a module writes its outputs.
    Inplace {
        /// A sequence gives what its last member gave; other modules write to a new dict.
        None = TD_INPLACE_NONE,
        /// Into the data.
        True = TD_INPLACE_TRUE,
        /// Into a new dict without batch dims.
        False = TD_INPLACE_FALSE,
        /// Into a new dict with the batch size and the device of the data.
        Empty = TD_INPLACE_EMPTY,
    }
}

/// How a module gets its keys.
#[derive(Clone, Debug)]
pub struct KeyedOptions {
    /// Where it writes.
    pub inplace: Inplace,
    /// A missing input is an error.
    pub strict: bool,
    /// One for each in-key: values are passed by these names.
    pub argument_names: Option<Vec<String>>,
}

impl Default for KeyedOptions {
    fn default() -> Self {
        KeyedOptions { inplace: Inplace::True, strict: false, argument_names: None }
    }
}

impl Module {
    /// Gives the module keys: it reads `in_keys` in their order and writes its results to `out_keys` ("_" drops one).
    /// Errors: Argument.
    pub fn with_keys<'k, I: Into<Key<'k>>, O: Into<Key<'k>>>(
        self,
        in_keys: impl IntoIterator<Item = I>,
        out_keys: impl IntoIterator<Item = O>,
    ) -> Result<Module> {
        let (ins, outs) = (KeyArray::new(in_keys), KeyArray::new(out_keys));
        let options = sys::td_tensordict_options { strict: 1, ..Default::default() };
        let (ins_at, outs_at) = (ins.as_ptr(), outs.as_ptr());
        made!(td_module_tensordict(self.as_raw(), ins_at, ins.len(), outs_at, outs.len(), &options))
    }

    /// The same with options. Errors: Argument.
    pub fn with_keys_and<'k, I: Into<Key<'k>>, O: Into<Key<'k>>>(
        self,
        in_keys: impl IntoIterator<Item = I>,
        out_keys: impl IntoIterator<Item = O>,
        options: &KeyedOptions,
    ) -> Result<Module> {
        let (ins, outs) = (KeyArray::new(in_keys), KeyArray::new(out_keys));
        let names = options.argument_names.as_ref().map(|names| borrow_all(names.iter().map(|name| Some(&**name))));
        let options = sys::td_tensordict_options {
            inplace: options.inplace.raw(),
            strict: options.strict.into(),
            argument_names: names.as_ref().map_or(std::ptr::null(), Vec::as_ptr),
            ..Default::default()
        };
        let (ins_at, outs_at) = (ins.as_ptr(), outs.as_ptr());
        made!(td_module_tensordict(self.as_raw(), ins_at, ins.len(), outs_at, outs.len(), &options))
    }

    /// The keys that it reads. Errors: Argument if it has no keys.
    pub fn in_keys(&self) -> Result<Vec<KeyBuf>> {
        key::list(|out, err| unsafe { sys::td_module_in_keys(self.as_raw(), out, err) })
    }

    /// The keys that it writes. Errors: Argument if it has no keys.
    pub fn out_keys(&self) -> Result<Vec<KeyBuf>> {
        key::list(|out, err| unsafe { sys::td_module_out_keys(self.as_raw(), out, err) })
    }

    /// Those that it would write without [`select_out_keys`](Module::select_out_keys).
    pub fn out_keys_source(&self) -> Result<Vec<KeyBuf>> {
        key::list(|out, err| unsafe { sys::td_module_out_keys_source(self.as_raw(), out, err) })
    }

    /// Narrows the out-keys. Errors: Key for one that it does not write.
    pub fn select_out_keys<'k, K: Into<Key<'k>>>(&mut self, keys: impl IntoIterator<Item = K>) -> Result<()> {
        let keys = KeyArray::new(keys);
        done!(td_module_select_out_keys(self.as_raw(), keys.as_ptr(), keys.len()))
    }

    /// Brings all out-keys back.
    pub fn reset_out_keys(&mut self) -> Result<()> {
        done!(td_module_reset_out_keys(self.as_raw()))
    }
}
