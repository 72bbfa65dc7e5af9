//! Choosing and renaming keys. New dicts share the tensors, and have nodes of their own.
use super::list::{filled, make_several};
use super::{apart, Dict, Node};
use crate::key::KeyArray;
use crate::{sys, Key, KeyBuf, Result, Tensor};

/// How [`Node::split_keys_with`] makes its parts.
#[derive(Clone, Debug)]
pub struct SplitOptions {
    /// Missing keys are refused; the default.
    pub strict: bool,
    /// Every part has all nodes, also those that are empty then.
    pub reproduce_struct: bool,
    /// Without `strict`: the tensor for missing keys.
    pub fill: Option<Tensor>,
    /// What the entries of each part are called there.
    pub names: Option<Vec<Vec<KeyBuf>>>,
}

impl Default for SplitOptions {
    fn default() -> Self {
        SplitOptions { strict: true, reproduce_struct: false, fill: None, names: None }
    }
}

fn arrays(sets: &[Vec<KeyBuf>]) -> Vec<KeyArray<'_>> {
    sets.iter().map(KeyArray::new).collect()
}

fn key_sets(arrays: &[KeyArray<'_>]) -> Vec<sys::td_key_set> {
    arrays.iter().map(|keys| sys::td_key_set { keys: keys.as_ptr(), n: keys.len() }).collect()
}

/// How [`Node::separate_with`] treats what is missing and what is left.
#[derive(Clone, Debug)]
pub struct SeparateOptions {
    /// Missing keys are refused, unless they are filled.
    pub strict: bool,
    /// Nodes that nothing is left of stay.
    pub keep_empty: bool,
    /// What the new dict has for a missing key.
    pub fill: Option<Tensor>,
}

impl Default for SeparateOptions {
    fn default() -> Self {
        SeparateOptions { strict: true, keep_empty: false, fill: None }
    }
}

impl Node {
    /// Moves an entry: to the end, or to the place of the entry that it replaces. `safe` refuses a key that is taken.
    /// Errors: Key; Exists; Shape; Locked.
    pub fn rename<'k>(&mut self, old: impl Into<Key<'k>>, new: impl Into<Key<'k>>, safe: bool) -> Result<()> {
        let new = new.into();
        old.into().with(|old| new.with(|new| done!(td_dict_rename_key_(self.as_raw(), old, new, safe.into()))))
    }

    /// The entries under `keys`, in their order; `strict` refuses missing ones. Errors: Key.
    pub fn select<'k, K: Into<Key<'k>>>(&self, keys: impl IntoIterator<Item = K>, strict: bool) -> Result<Dict> {
        let keys = KeyArray::new(keys);
        apart!(td_dict_select(self.as_raw(), keys.as_ptr(), keys.len(), strict.into()))
    }

    /// Keeps only the entries under `keys`. Errors: Key; Locked.
    pub fn keep_only<'k, K: Into<Key<'k>>>(&mut self, keys: impl IntoIterator<Item = K>, strict: bool) -> Result<()> {
        let keys = KeyArray::new(keys);
        done!(td_dict_select_(self.as_raw(), keys.as_ptr(), keys.len(), strict.into()))
    }

    /// The entries that are not under `keys`; missing ones are no error.
    pub fn exclude<'k, K: Into<Key<'k>>>(&self, keys: impl IntoIterator<Item = K>) -> Result<Dict> {
        let keys = KeyArray::new(keys);
        apart!(td_dict_exclude(self.as_raw(), keys.as_ptr(), keys.len()))
    }

    /// Removes the entries under `keys`, as far as they are there. Errors: Locked.
    pub fn remove_all<'k, K: Into<Key<'k>>>(&mut self, keys: impl IntoIterator<Item = K>) -> Result<()> {
        let keys = KeyArray::new(keys);
        done!(td_dict_exclude_(self.as_raw(), keys.as_ptr(), keys.len()))
    }

    /// One dict for each set of keys, and last one of what is left. `strict` refuses missing keys.
    /// Errors: Key for a missing key, and for one that is in two sets.
    pub fn split_keys(&self, sets: &[Vec<KeyBuf>], strict: bool) -> Result<Vec<Dict>> {
        self.split_keys_with(sets, &SplitOptions { strict, ..Default::default() })
    }

    /// The same with more to choose. Errors: Argument unless there is a name for each key; Shape for `fill`; Key.
    pub fn split_keys_with(&self, sets: &[Vec<KeyBuf>], options: &SplitOptions) -> Result<Vec<Dict>> {
        let (arrays_of_sets, names) = (arrays(sets), options.names.as_deref().map(arrays));
        let sets = key_sets(&arrays_of_sets);
        let names = names.as_deref().map(key_sets);
        let options = sys::td_split_options {
            lenient: (!options.strict).into(),
            reproduce_struct: options.reproduce_struct.into(),
            fill: options.fill.as_ref().map_or(std::ptr::null(), |fill| fill.as_raw()),
            names: names.as_ref().map_or(std::ptr::null(), Vec::as_ptr),
            ..Default::default()
        };
        let parts = make_several(sets.len() + 1, |outs, err| unsafe {
            sys::td_dict_split_keys(self.as_raw(), sets.as_ptr(), sets.len(), &options, outs, err)
        })?;
        parts.into_iter().map(filled).collect()
    }

    /// Removes the entries under `keys`, and nodes that nothing is left of, and gives a dict of them.
    /// Errors: Key; Locked.
    pub fn separate<'k, K: Into<Key<'k>>>(&mut self, keys: impl IntoIterator<Item = K>, strict: bool) -> Result<Dict> {
        self.separate_with(keys, &SeparateOptions { strict, ..Default::default() })
    }

    /// The same, with more to choose. Errors: as [`separate`](Node::separate); Shape if the tensor lacks the batch dims.
    pub fn separate_with<'k, K: Into<Key<'k>>>(
        &mut self,
        keys: impl IntoIterator<Item = K>,
        options: &SeparateOptions,
    ) -> Result<Dict> {
        let keys = KeyArray::new(keys);
        let options = sys::td_separate_options {
            lenient: (!options.strict).into(),
            keep_empty: options.keep_empty.into(),
            fill: options.fill.as_ref().map_or(std::ptr::null(), |fill| fill.as_raw()),
            ..Default::default()
        };
        apart!(td_dict_separate(self.as_raw(), keys.as_ptr(), keys.len(), &options))
    }

    /// Removes nodes in which nothing but nodes is. Errors: Locked.
    pub fn remove_empty_nodes(&mut self) -> Result<()> {
        done!(td_dict_filter_empty_(self.as_raw()))
    }
}
