//! What a dict is, and what stands under its keys.
use super::{Dict, Lent, LentMut, Node};
use crate::handle::{count, sizes};
use crate::{key, string, sys, Dtype, Key, KeyBuf, Path, Result, Tensor};

/// Which keys [`Node::keys`] lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keys {
    /// The entries of this dict.
    Here,
    /// And those of the dicts in it; a dict stands before what it holds.
    Nested,
    /// The same, where a dict stands after what it holds, as Python has it.
    ChildrenFirst,
    /// All tensors, nested ones too.
    Leaves,
    /// All tensors and data, nested ones too.
    LeavesAndData,
    /// All data, nested ones too.
    Data,
}

impl Keys {
    fn flags(self) -> u64 {
        match self {
            Keys::Here => 0,
            Keys::Nested => sys::TD_KEYS_NESTED,
            Keys::ChildrenFirst => sys::TD_KEYS_NESTED | sys::TD_KEYS_CHILDREN_FIRST,
            Keys::Leaves => sys::TD_KEYS_NESTED | sys::TD_KEYS_LEAVES,
            Keys::LeavesAndData => sys::TD_KEYS_NESTED | sys::TD_KEYS_LEAVES | sys::TD_KEYS_DATA,
            Keys::Data => sys::TD_KEYS_NESTED | sys::TD_KEYS_DATA_ONLY,
        }
    }
}

impl Node {
    /// The sizes of the batch dims; -1 where the members of a lazy stack differ.
    pub fn batch_size(&self) -> Vec<i64> {
        sizes(|out, capacity| unsafe { sys::td_dict_batch_size(self.as_raw(), out, capacity) })
    }

    /// True if both are the same dict: it may be lent in several ways at once, to be read.
    ///
    /// ```
    /// # fn main() -> tensordict::Result<()> {
    /// use tensordict::Dict;
    /// let mut td = Dict::new(&[2])?;
    /// td.create_nested("next")?;
    /// let (next, same) = (td.get_dict("next")?, td.get_dict("next")?);
    /// assert!(next.is_same(&same) && !next.is_same(&td));
    /// # Ok(())
    /// # }
    /// ```
    pub fn is_same(&self, other: &Node) -> bool {
        self.as_raw() == other.as_raw()
    }

    /// The first batch size, or 0 without batch dims, as Python's `len(td)`.
    pub fn len(&self) -> usize {
        count(unsafe { sys::td_dict_len(self.as_raw()) })
    }

    /// True if there is nothing but nodes, at any depth.
    pub fn is_empty(&self) -> bool {
        unsafe { sys::td_dict_is_empty(self.as_raw()) != 0 }
    }

    /// Number of entries of this dict itself.
    pub fn count(&self) -> usize {
        unsafe { sys::td_dict_count(self.as_raw()) }
    }

    /// The product of the batch size; -1 if a size is.
    pub fn numel(&self) -> i64 {
        unsafe { sys::td_dict_numel(self.as_raw()) }
    }

    /// Bytes of all tensors, nested ones too.
    pub fn nbytes(&self) -> usize {
        count(unsafe { sys::td_dict_nbytes(self.as_raw()) })
    }

    /// The levels of nodes above the deepest tensor.
    pub fn depth(&self) -> usize {
        count(unsafe { sys::td_dict_depth(self.as_raw()) })
    }

    /// The dtype that all tensors have, if there is one.
    pub fn dtype(&self) -> Option<Dtype> {
        match unsafe { sys::td_dict_dtype(self.as_raw()) } {
            sys::TD_DTYPE_NONE => None,
            raw => Some(Dtype::from_raw(raw)),
        }
    }

    /// True if all tensors are floating, also without tensors.
    pub fn is_floating_point(&self) -> bool {
        unsafe { sys::td_dict_is_floating_point(self.as_raw()) != 0 }
    }

    /// True if all leaves are row-major.
    pub fn is_contiguous(&self) -> bool {
        unsafe { sys::td_dict_is_contiguous(self.as_raw()) != 0 }
    }

    /// Elements of all tensors; one that is under several keys counts once, unless `count_duplicates`.
    pub fn param_count(&self, count_duplicates: bool) -> usize {
        count(unsafe { sys::td_dict_param_count(self.as_raw(), count_duplicates.into()) })
    }

    /// Their bytes, with those of collected gradients.
    pub fn param_bytes(&self, count_duplicates: bool) -> usize {
        count(unsafe { sys::td_dict_param_bytes(self.as_raw(), count_duplicates.into()) })
    }

    /// The device that entries are moved to, if there is one.
    pub fn device(&self) -> Option<&'static str> {
        // SAFETY: static text.
        unsafe { string::present(sys::td_dict_device(self.as_raw())) }
    }

    /// The tensor under `key`, shared. Errors: Key if it is missing, or something else; [`find`](Node::find) gives
    /// None.
    pub fn get<'k>(&self, key: impl Into<Key<'k>>) -> Result<Tensor> {
        key.into().with(|key| made!(td_dict_get(self.as_raw(), key)))
    }

    /// The tensor under a key that was made ready. Errors: as [`get`](Node::get).
    pub fn get_path(&self, path: &Path) -> Result<Tensor> {
        made!(td_dict_get_path(self.as_raw(), path.as_raw()))
    }

    /// The tensors under several keys that were made ready. Errors: Key.
    pub fn get_many(&self, paths: &[Path]) -> Result<Vec<Tensor>> {
        // A Path is a transparent handle.
        let raws = paths.as_ptr().cast::<*const sys::td_path>();
        crate::tensor::make_several(paths.len(), |outs, err| unsafe {
            sys::td_dict_get_many(self.as_raw(), raws, paths.len(), outs, err)
        })
    }

    /// The dict under `key`, lent. Errors: Key if it is missing, or something else.
    pub fn get_dict<'k>(&self, key: impl Into<Key<'k>>) -> Result<Lent<'_, Dict>> {
        key.into().with(|key| made!(td_dict_get_dict(self.as_raw(), key))).map(Lent::new)
    }

    /// The dict under `key`, lent to be changed. Errors: Key if it is missing, or something else.
    pub fn get_dict_mut<'k>(&mut self, key: impl Into<Key<'k>>) -> Result<LentMut<'_>> {
        key.into().with(|key| made!(td_dict_get_dict(self.as_raw(), key))).map(LentMut::new)
    }

    /// True if something stands under `key`.
    pub fn contains<'k>(&self, key: impl Into<Key<'k>>) -> bool {
        matches!(self.kind_of(key), Ok(kind) if kind != sys::TD_ENTRY_NONE)
    }

    /// True if the tensor under `key` belongs to the whole batch. Errors: Key if there is no tensor.
    pub fn is_unbatched<'k>(&self, key: impl Into<Key<'k>>) -> Result<bool> {
        let mut unbatched = 0;
        key.into().with(|key| done!(td_dict_is_unbatched(self.as_raw(), key, &mut unbatched)))?;
        Ok(unbatched != 0)
    }

    pub(crate) fn kind_of<'k>(&self, key: impl Into<Key<'k>>) -> Result<sys::td_entry_kind> {
        let mut kind = sys::TD_ENTRY_NONE;
        key.into().with(|key| done!(td_dict_entry_kind(self.as_raw(), key, &mut kind)))?;
        Ok(kind)
    }

    /// A snapshot of the keys, in the order in which they were set.
    pub fn keys(&self, which: Keys) -> Result<Vec<KeyBuf>> {
        self.keys_with(which.flags())
    }

    /// The same, sorted by their parts joined with dots.
    pub fn keys_sorted(&self, which: Keys) -> Result<Vec<KeyBuf>> {
        self.keys_with(which.flags() | sys::TD_KEYS_SORTED)
    }

    /// The same for any flags: `sys::TD_KEYS_...`, joined with `|`. Errors: Argument for unknown ones.
    pub fn keys_with(&self, flags: u64) -> Result<Vec<KeyBuf>> {
        key::list(|out, err| unsafe { sys::td_dict_keys(self.as_raw(), flags, out, err) })
    }
}
