//! Setting, updating and removing entries.
use super::{Dict, Node};
use crate::key::KeyArray;
use crate::{sys, Key, KeyBuf, Path, Result, Scalar, Tensor};

/// How [`Node::update_with`] takes entries over.
#[derive(Clone, Debug, Default)]
pub struct UpdateOptions {
    /// Copy into tensors that exist, which a locked dict allows.
    pub inplace: bool,
    /// Store copies of the tensors.
    pub clone: bool,
    /// A source of another batch size replaces all, if it has every key.
    pub update_batch_size: bool,
    /// Only these entries of the source.
    pub keys: Option<Vec<KeyBuf>>,
}

impl Node {
    /// Puts `value` under `key`; it is shared, not copied. Missing dicts on the way are made.
    /// Errors: Shape if its leading dims differ from the batch size; Locked; Key if the path runs through a tensor.
    pub fn set<'k>(&mut self, key: impl Into<Key<'k>>, value: &Tensor) -> Result<()> {
        key.into().with(|key| done!(td_dict_set(self.as_raw(), key, value.as_raw())))
    }

    /// The same for a key that was made ready.
    pub fn set_path(&mut self, path: &Path, value: &Tensor) -> Result<()> {
        done!(td_dict_set_path(self.as_raw(), path.as_raw(), value.as_raw()))
    }

    /// Puts several tensors under keys that were made ready; all or none.
    pub fn set_many<'t>(&mut self, items: impl IntoIterator<Item = (&'t Path, &'t Tensor)>) -> Result<()> {
        let (paths, values): (Vec<_>, Vec<_>) =
            items.into_iter().map(|(path, value)| (path.as_raw() as *const _, value.as_raw())).unzip();
        done!(td_dict_set_many(self.as_raw(), paths.as_ptr(), values.as_ptr(), paths.len()))
    }

    /// Puts a tensor of any shape under `key` that belongs to the whole batch: what is done to the batch dims leaves it
    /// as it is. Python: `UnbatchedTensor`. Errors: as [`set`](Node::set), but Shape.
    pub fn set_unbatched<'k>(&mut self, key: impl Into<Key<'k>>, value: &Tensor) -> Result<()> {
        key.into().with(|key| done!(td_dict_set_unbatched(self.as_raw(), key, value.as_raw())))
    }

    /// Moves `value` under `key`. Errors: as [`set`](Node::set).
    pub fn set_dict<'k>(&mut self, key: impl Into<Key<'k>>, value: Dict) -> Result<()> {
        key.into().with(|key| done!(td_dict_set_dict(self.as_raw(), key, value.as_raw())))
    }

    /// The tensor under `key`, which is `value` from now on if there was no entry. Errors: Key; as [`set`](Node::set).
    pub fn get_or_set<'k>(&mut self, key: impl Into<Key<'k>>, value: &Tensor) -> Result<Tensor> {
        key.into().with(|key| made!(td_dict_set_default(self.as_raw(), key, value.as_raw())))
    }

    /// Makes an empty dict under `key`, and those on the way. Errors: Exists; Key; Locked.
    pub fn create_nested<'k>(&mut self, key: impl Into<Key<'k>>) -> Result<()> {
        key.into().with(|key| done!(td_dict_create_nested(self.as_raw(), key)))
    }

    /// Copies `value` into the memory of the tensor under `key`; allowed on a locked dict.
    /// Errors: Key; Shape; Locked if that memory is read-only; Torch for a leaf that requires grad.
    pub fn copy_into<'k>(&mut self, key: impl Into<Key<'k>>, value: &Tensor) -> Result<()> {
        key.into().with(|key| done!(td_dict_copy_into(self.as_raw(), key, value.as_raw())))
    }

    /// Sets every entry of `src`: its tensors are shared, its dicts are not. A dict that both have is updated in turn.
    /// Errors: Shape; Locked.
    pub fn update(&mut self, src: &Node) -> Result<()> {
        self.update_with(src, &UpdateOptions::default())
    }

    /// The same with options. Errors: Argument for options that exclude each other; Key, Torch in place; as
    /// [`update`](Node::update).
    pub fn update_with(&mut self, src: &Node, options: &UpdateOptions) -> Result<()> {
        let keys = options.keys.as_ref().map(KeyArray::new);
        let options = sys::td_dict_update_options {
            inplace: options.inplace.into(),
            clone: options.clone.into(),
            update_batch_size: options.update_batch_size.into(),
            keys: keys.as_ref().map_or(std::ptr::null(), KeyArray::as_ptr),
            n_keys: keys.as_ref().map_or(0, KeyArray::len),
            ..Default::default()
        };
        let src = src.copy()?;
        done!(td_dict_update(self.as_raw(), src.as_raw(), &options))
    }

    /// Copies the values of `src` into the tensors under the same keys; allowed on a locked dict.
    /// Errors: Key; Shape; Locked for read-only memory; Torch for leaves that require grad.
    pub fn update_values(&mut self, src: &Node) -> Result<()> {
        done!(td_dict_update_(self.as_raw(), src.as_raw()))
    }

    /// A copy, updated with `src`. Errors: as [`update`](Node::update).
    pub fn replace(&self, src: &Node) -> Result<Dict> {
        let src = src.copy()?;
        made!(td_dict_replace(self.as_raw(), src.as_raw()))
    }

    /// Writes `value` over the tensor under `key`, or over all tensors below it. Errors: Key; Argument; Locked; Torch.
    pub fn fill<'k>(&mut self, key: impl Into<Key<'k>>, value: impl Into<Scalar>) -> Result<()> {
        key.into().with(|key| done!(td_dict_fill_(self.as_raw(), key, &value.into().raw())))
    }

    /// Writes zero over all tensors. Errors: Locked for read-only memory; Torch for leaves that require grad.
    pub fn zero(&mut self) -> Result<()> {
        done!(td_dict_zero_(self.as_raw()))
    }

    /// Removes an entry. Errors: Key; Locked.
    pub fn remove<'k>(&mut self, key: impl Into<Key<'k>>) -> Result<()> {
        key.into().with(|key| done!(td_dict_remove(self.as_raw(), key)))
    }

    /// Removes every entry. Errors: Locked.
    pub fn clear(&mut self) -> Result<()> {
        done!(td_dict_clear(self.as_raw()))
    }

    /// Takes over the batch size, the names and the entries of `other`: `td.become_dict(td.reshape(&[6])?)` is an
    /// operation in place. Errors: Locked; Shape; Device; Unsupported for lazy stacks and parameters.
    pub fn become_dict(&mut self, other: Dict) -> Result<()> {
        done!(td_dict_become(self.as_raw(), other.as_raw()))
    }

    /// Changes the batch size; allowed on a locked dict. Errors: Shape naming the first entry that does not fit.
    pub fn set_batch_size(&mut self, batch_size: &[i64]) -> Result<()> {
        done!(td_dict_set_batch_size(self.as_raw(), batch_size.as_ptr(), batch_size.len()))
    }

    /// Sets the longest batch size that all entries share, here and below, of at most `limit` dims.
    pub fn auto_batch_size(&mut self, limit: Option<usize>) -> Result<()> {
        let limit = limit.map_or(-1, |limit| limit.try_into().unwrap_or(i64::MAX));
        done!(td_dict_auto_batch_size_(self.as_raw(), limit))
    }
}
