use crate::error::{call, create};
use crate::tensor::sizes;
use crate::{string, sys, Index, Key, KeyBuf, Result, Tensor};
use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;
use std::path::Path;
use std::ptr::NonNull;

/// A batched, nested, ordered map from keys to tensors and dicts.
///
/// Every entry's leading dims equal the batch size; that is checked when it is set. The dict is owned, like a `HashMap`:
/// a second one over the same tensors is made by [`copy`](Dict::copy).
pub struct Dict {
    raw: NonNull<sys::td_dict>,
}

// SAFETY: the functions that take `&self` take `const td_dict *`, which the header allows concurrently; those that take
// `&mut self` have the node for themselves, because no second owner of it is ever handed out: nested dicts are lent
// (DictRef) or moved in (set_dict), and the dict of a segment is locked.
unsafe impl Send for Dict {}
// SAFETY: as above.
unsafe impl Sync for Dict {}

/// Which keys [`Dict::keys`] lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keys {
    /// The entries of this dict.
    Here,
    /// And those of the dicts in it; a dict stands before what it holds.
    Nested,
    /// All tensors, nested ones too.
    Leaves,
}

impl Dict {
    /// An empty dict.
    pub fn new(batch_size: &[i64]) -> Result<Self> {
        create(|out, err| unsafe {
            sys::td_dict_new(batch_size.as_ptr(), batch_size.len(), std::ptr::null(), out, err)
        })
        .map(Dict::from_raw)
    }

    /// Opens what Python's `td.save(path)` or [`save`](Dict::save) wrote, without copying it. The memory is read-only.
    /// HDF5 is Unsupported here: its library believes what a file says. See [`open_trusted`](Dict::open_trusted).
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path_text(path.as_ref())?;
        create(|out, err| unsafe { sys::td_open(string::borrow(path), std::ptr::null(), out, err) }).map(Dict::from_raw)
    }

    /// As [`open`](Dict::open), and HDF5 files too: for what comes from a maker who is trusted.
    pub fn open_trusted(path: impl AsRef<Path>) -> Result<Self> {
        let path = path_text(path.as_ref())?;
        let options = sys::td_open_options { trusted: 1, ..Default::default() };
        create(|out, err| unsafe { sys::td_open(string::borrow(path), &options, out, err) }).map(Dict::from_raw)
    }

    /// Saves as a directory that stock Python opens. Errors: Exists if there is something under `path`.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        let path = path_text(path.as_ref())?;
        call(|err| unsafe { sys::td_save(self.as_raw(), string::borrow(path), std::ptr::null(), err) })
    }

    /// Takes over one reference, the only one to the node that can change it.
    pub(crate) fn from_raw(raw: NonNull<sys::td_dict>) -> Self {
        Dict { raw }
    }

    /// The C handle, borrowed: for [`sys`] calls that are not covered here.
    pub fn as_raw(&self) -> *mut sys::td_dict {
        self.raw.as_ptr()
    }

    /// The sizes of the batch dims.
    pub fn batch_size(&self) -> Vec<i64> {
        sizes(|out, capacity| unsafe { sys::td_dict_batch_size(self.as_raw(), out, capacity) })
    }

    /// The first batch size, or 0 without batch dims, as Python's `len(td)`.
    pub fn len(&self) -> usize {
        unsafe { sys::td_dict_len(self.as_raw()) }.try_into().unwrap_or(0)
    }

    /// True if there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes of all tensors, nested ones too.
    pub fn nbytes(&self) -> usize {
        unsafe { sys::td_dict_nbytes(self.as_raw()) }.try_into().unwrap_or(0)
    }

    /// True if the structure cannot be changed.
    pub fn is_locked(&self) -> bool {
        unsafe { sys::td_dict_is_locked(self.as_raw()) != 0 }
    }

    /// The tensor under `key`, shared. Errors: Key if it is missing or a dict.
    pub fn get<'k>(&self, key: impl Into<Key<'k>>) -> Result<Tensor> {
        key.into()
            .with(|key| create(|out, err| unsafe { sys::td_dict_get(self.as_raw(), key, out, err) }))
            .map(Tensor::from_raw)
    }

    /// The dict under `key`, lent. Errors: Key if it is missing or a tensor.
    pub fn get_dict<'k>(&self, key: impl Into<Key<'k>>) -> Result<DictRef<'_>> {
        key.into()
            .with(|key| create(|out, err| unsafe { sys::td_dict_get_dict(self.as_raw(), key, out, err) }))
            .map(|raw| DictRef { dict: Dict::from_raw(raw), parent: PhantomData })
    }

    /// True if there is a tensor or a dict under `key`.
    pub fn contains<'k>(&self, key: impl Into<Key<'k>>) -> bool {
        let mut kind = sys::TD_ENTRY_NONE;
        let found = key.into().with(|key| call(|err| unsafe { sys::td_dict_has(self.as_raw(), key, &mut kind, err) }));
        found.is_ok() && kind != sys::TD_ENTRY_NONE
    }

    /// Puts `value` under `key`; it is shared, not copied. Missing dicts on the way are made. Errors: Shape, Locked, Key.
    pub fn set<'k>(&mut self, key: impl Into<Key<'k>>, value: &Tensor) -> Result<()> {
        key.into().with(|key| call(|err| unsafe { sys::td_dict_set(self.as_raw(), key, value.as_raw(), err) }))
    }

    /// Moves `value` under `key`. Errors: as [`set`](Dict::set).
    pub fn set_dict<'k>(&mut self, key: impl Into<Key<'k>>, value: Dict) -> Result<()> {
        key.into().with(|key| call(|err| unsafe { sys::td_dict_set_dict(self.as_raw(), key, value.as_raw(), err) }))
    }

    /// Removes an entry. Errors: Key, Locked.
    pub fn remove<'k>(&mut self, key: impl Into<Key<'k>>) -> Result<()> {
        key.into().with(|key| call(|err| unsafe { sys::td_dict_delete(self.as_raw(), key, err) }))
    }

    /// A snapshot of the keys, in the order in which they were set.
    pub fn keys(&self, which: Keys) -> Result<Vec<KeyBuf>> {
        let flags = match which {
            Keys::Here => 0,
            Keys::Nested => sys::TD_KEYS_NESTED,
            Keys::Leaves => sys::TD_KEYS_NESTED | sys::TD_KEYS_LEAVES,
        };
        let list = create(|out, err| unsafe { sys::td_dict_keys(self.as_raw(), flags, out, err) })?;
        // SAFETY: the list is ours until it is released below; the keys are copied out of it.
        unsafe {
            let keys = (0..sys::td_keys_size(list.as_ptr()))
                .map(|index| {
                    let mut key = sys::td_key { parts: std::ptr::null(), n: 0 };
                    call(|err| sys::td_keys_get(list.as_ptr(), index, &mut key, err))?;
                    Ok(KeyBuf::copy(&key))
                })
                .collect();
            sys::td_keys_release(list.as_ptr());
            keys
        }
    }

    /// Indexes the batch dims of every entry: `td.index([3.into()])`, `td.index([Index::from(10..20)])`. Tensors in the
    /// result share memory with these, unless the index holds a tensor.
    pub fn index<'i>(&self, indices: impl AsRef<[Index<'i>]>) -> Result<Dict> {
        let raw: Vec<_> = indices.as_ref().iter().map(Index::raw).collect();
        create(|out, err| unsafe { sys::td_dict_index(self.as_raw(), raw.as_ptr(), raw.len(), out, err) })
            .map(Dict::from_raw)
    }

    /// A second dict with the same tensors, unlocked; nested dicts are new too.
    pub fn copy(&self) -> Result<Dict> {
        create(|out, err| unsafe { sys::td_dict_copy(self.as_raw(), out, err) }).map(Dict::from_raw)
    }

    /// A second dict with copies of the tensors.
    pub fn deep_copy(&self) -> Result<Dict> {
        create(|out, err| unsafe { sys::td_dict_clone(self.as_raw(), out, err) }).map(Dict::from_raw)
    }
}

fn path_text(path: &Path) -> Result<&str> {
    path.to_str().ok_or_else(|| crate::Error::new(crate::ErrorKind::Argument, &format!("{path:?} is not UTF-8")))
}

impl Drop for Dict {
    fn drop(&mut self) {
        unsafe { sys::td_dict_release(self.as_raw()) }
    }
}

/// What Python's `repr(td)` prints.
impl fmt::Display for Dict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = create(|out, err| unsafe { sys::td_dict_repr(self.as_raw(), out, err) }).map_err(|_| fmt::Error)?;
        f.write_str(&string::take(text))
    }
}

impl fmt::Debug for Dict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A dict inside another one, lent by it. To change it, set through the parent: `td.set(("next", "obs"), &t)`.
#[derive(Debug)]
pub struct DictRef<'a> {
    dict: Dict,
    parent: PhantomData<&'a Dict>,
}

impl Deref for DictRef<'_> {
    type Target = Dict;

    fn deref(&self) -> &Dict {
        &self.dict
    }
}
