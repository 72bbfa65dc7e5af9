//! Lazy stacks: dicts that are seen as stacked and stay what they are, of different shapes and keys if need be.
use super::{Dict, DictList, Lent, LentMut, Node};
use crate::tensor::TensorList;
use crate::{handle::Handle, key, sys, Error, ErrorKind, Key, KeyBuf, Result, Tensor, Value};
use std::ptr::{null_mut, NonNull};

constants! {
    /// What a dict is.
    DictKind {
        /// An ordinary one.
        TensorDict = TD_DICT_KIND_TENSORDICT,
        /// A lazy stack.
        LazyStack = TD_DICT_KIND_LAZY_STACK,
        /// Parameters.
        Params = TD_DICT_KIND_PARAMS,
        /// One in an HDF5 file.
        Persistent = TD_DICT_KIND_PERSISTENT,
        /// Rows of another one.
        Window = TD_DICT_KIND_WINDOW,
    }
}

/// How shorter tensors are padded.
#[derive(Clone, Debug, Default)]
pub struct Padding {
    /// The padding.
    pub value: f64,
    /// Padding comes before the values.
    pub left: bool,
    /// Where [`Node::densify`] puts a dict of bool masks, true for values.
    pub mask_key: Option<KeyBuf>,
}

impl Padding {
    fn with<R>(&self, f: impl FnOnce(&sys::td_padding_options) -> R) -> R {
        let mask = key::KeyArray::new(&self.mask_key);
        let number = Value::Double(self.value).raw();
        f(&sys::td_padding_options {
            value: &number,
            left: self.left.into(),
            mask_key: if mask.len() == 0 { std::ptr::null() } else { mask.as_ptr() },
            ..Default::default()
        })
    }
}

fn raws(dicts: &[Dict]) -> *const *mut sys::td_dict {
    // A Dict is a transparent handle.
    dicts.as_ptr().cast()
}

impl Dict {
    /// A lazy stack of these dicts, which move into it, along a new batch dim. Errors: Argument for none; Shape;
    /// Device; Index.
    pub fn lazy_stack(dicts: Vec<Dict>, dim: i64) -> Result<Self> {
        made!(td_dict_lazy_stack(raws(&dicts), dicts.len(), dim))
    }

    /// A lazy stack without members yet, whose members will have the batch size `element`. Errors: Shape; Index.
    pub fn lazy_new(element: &[i64], dim: i64) -> Result<Self> {
        made!(td_dict_lazy_new(element.as_ptr(), element.len(), dim))
    }

    /// A stack of new tensors where keys and shapes agree, and where they do not a lazy one. Errors: as
    /// [`lazy_stack`](Dict::lazy_stack).
    pub fn maybe_dense_stack(dicts: Vec<Dict>, dim: i64) -> Result<Self> {
        made!(td_dict_maybe_dense_stack(raws(&dicts), dicts.len(), dim))
    }
}

impl Node {
    /// What it is.
    pub fn kind(&self) -> DictKind {
        DictKind::from_raw(unsafe { sys::td_dict_kind_of(self.as_raw()) }).unwrap_or(DictKind::TensorDict)
    }

    /// A lazy stack of the views that [`unbind`](Node::unbind) gives. Errors: Index.
    pub fn to_lazy_stack(&self, dim: i64) -> Result<Dict> {
        super::apart!(td_dict_to_lazy_stack(self.as_raw(), dim))
    }

    /// The batch dim along which the members are stacked, if it is a lazy stack.
    pub fn stack_dim(&self) -> Option<usize> {
        unsafe { sys::td_dict_stack_dim(self.as_raw()) }.try_into().ok()
    }

    /// The members, lent. Errors: Unsupported if it is not a lazy stack.
    pub fn members(&self) -> Result<Vec<Lent<'_, Dict>>> {
        let list: DictList = made!(td_dict_members(self.as_raw()))?;
        Ok(list.take()?.into_iter().map(Lent::new).collect())
    }

    /// One member, lent to be changed. Errors: Unsupported if it is not a lazy stack; Index.
    pub fn member_mut(&mut self, index: usize) -> Result<LentMut<'_>> {
        let list: DictList = made!(td_dict_members(self.as_raw()))?;
        list.get(index).map(LentMut::new)
    }

    /// Moves dicts among the members, before the one at `index`. Errors: Unsupported; Index; Shape; Device; Locked.
    pub fn insert(&mut self, index: usize, dicts: Vec<Dict>) -> Result<()> {
        done!(td_dict_insert(self.as_raw(), index as i64, raws(&dicts), dicts.len()))
    }

    /// Moves a dict behind the last member. Errors: as [`insert`](Node::insert).
    pub fn append(&mut self, dict: Dict) -> Result<()> {
        done!(td_dict_append(self.as_raw(), dict.as_raw()))
    }

    /// The shape of an entry; -1 where members differ, and alone if they have different numbers of dims. Errors: Key.
    pub fn entry_shape<'k>(&self, key: impl Into<Key<'k>>) -> Result<Vec<i64>> {
        let mut shape = vec![0; 64];
        let mut ndim = 0;
        let (node, room) = (self.as_raw(), shape.len());
        key.into().with(|key| done!(td_dict_entry_shape(node, key, shape.as_mut_ptr(), room, &mut ndim)))?;
        shape.truncate(ndim);
        Ok(shape)
    }

    /// The keys of all tensors whose shape differs between members: those that [`get`](Node::get) refuses.
    pub fn ragged_keys(&self) -> Result<Vec<KeyBuf>> {
        key::list(|out, err| unsafe { sys::td_dict_ragged_keys(self.as_raw(), out, err) })
    }

    /// The keys that a member has, and not all others. Errors: Unsupported; Index.
    pub fn exclusive_keys(&self, index: usize) -> Result<Vec<KeyBuf>> {
        key::list(|out, err| unsafe { sys::td_dict_exclusive_keys(self.as_raw(), index as i64, out, err) })
    }

    /// The tensor of each member. Errors: Key; Unsupported without a lazy stack on the way.
    pub fn get_list<'k>(&self, key: impl Into<Key<'k>>) -> Result<Vec<Tensor>> {
        let list: TensorList = key.into().with(|key| made!(td_dict_get_list(self.as_raw(), key)))?;
        list.take()
    }

    /// Sets one tensor in each member; all or none. Errors: Argument for another number of them; Unsupported; as
    /// [`set`](Node::set).
    pub fn set_list<'k>(&mut self, key: impl Into<Key<'k>>, values: &[Tensor]) -> Result<()> {
        let raws = crate::tensor::array(values);
        key.into().with(|key| done!(td_dict_set_list(self.as_raw(), key, raws, values.len())))
    }

    /// The members' tensors stacked, each dim as long as the longest, and a mask that is true for values.
    /// Errors: Key; Shape; Argument; Unsupported.
    pub fn get_padded<'k>(&self, key: impl Into<Key<'k>>, padding: &Padding) -> Result<(Tensor, Tensor)> {
        let node = self.as_raw();
        key.into().with(|key| {
            padding.with(|options| {
                two_tensors(|first, second, err| unsafe {
                    sys::td_dict_get_padded(node, key, options, first, second, err)
                })
            })
        })
    }

    /// The members' tensors joined along the first dim after the stack's, and where each begins.
    /// Errors: Key; Shape if another dim differs; Unsupported.
    pub fn get_jagged<'k>(&self, key: impl Into<Key<'k>>) -> Result<(Tensor, Tensor)> {
        let node = self.as_raw();
        key.into().with(|key| {
            two_tensors(|first, second, err| unsafe { sys::td_dict_get_jagged(node, key, first, second, err) })
        })
    }

    /// A dense dict of the entries that any member has: shorter tensors are padded, missing ones are padding all over.
    /// Errors: Key; Shape; Argument; Exists if the key of the masks is taken.
    pub fn densify(&self, padding: &Padding) -> Result<Dict> {
        let node = self.as_raw();
        padding.with(|options| super::apart!(td_dict_densify(node, options)))
    }
}

/// Two tensors that one call makes.
pub(crate) fn two_tensors(
    f: impl FnOnce(*mut *mut sys::td_tensor, *mut *mut sys::td_tensor, *mut *mut sys::td_error) -> sys::td_status,
) -> Result<(Tensor, Tensor)> {
    let (mut first, mut second) = (null_mut(), null_mut());
    crate::error::call(|err| f(&mut first, &mut second, err))?;
    let first = NonNull::new(first).map(Tensor::from_raw);
    let second = NonNull::new(second).map(Tensor::from_raw);
    first.zip(second).ok_or_else(|| Error::new(ErrorKind::Internal, "success without a result"))
}
