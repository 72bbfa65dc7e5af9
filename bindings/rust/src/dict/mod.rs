//! Dicts: batched, nested, ordered maps from keys to tensors, dicts and non-tensor data.
//!
//! One file an idea, as in the header. Every function of them has the same shape: `made!` or `done!` around the C
//! function.
mod access;
mod autograd;
mod change;
mod copy;
mod data;
mod entry;
mod index;
mod join;
mod keys;
mod lazy;
mod list;
mod lock;
mod many;
mod map;
mod math;
mod names;
mod pack;
mod params;
mod records;
mod repr;
mod rows;
mod shape;
mod shape_more;
mod split;

pub use access::Keys;
pub use autograd::Backward;
pub use change::UpdateOptions;
pub use copy::NewTensor;
pub use data::{Data, DataList};
pub use entry::{Entries, Entry, Taken};
pub use index::{Index, Indices};
pub use join::{Masks, PadSequence};
pub use keys::{SeparateOptions, SplitOptions};
pub use lazy::{DictKind, Padding};
pub(crate) use list::{array, filled, DictList};
pub(crate) use many::named;
pub use many::Item;
pub use map::{Emptied, MapOptions, MappedData};
pub use math::{Missing, Reduce};
pub use pack::PackLayout;
pub use records::Field;
pub use repr::ReprFlags;
pub use rows::GroupValues;
pub(crate) use shape::check_pairs;

use crate::{handle::Handle, sys, Result};
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

handle! {
    /// A batched, nested, ordered map from keys to tensors, dicts and data, which it owns as a tree.
    ///
    /// Every entry's leading dims equal the batch size; that is checked when it is set. Tensors are shared references,
    /// but the nodes of a tree belong to one `Dict`: nested dicts are lent ([`Lent`], [`LentMut`]) or moved in. So
    /// `&mut` is honest: nobody else changes, or sees a change of, what is reached through it. Where Python's
    /// operations give the same nodes again (`select`, or a `reshape` that changes nothing), the result here has nodes
    /// of its own, and the same tensors. Nearly all functions are those of [`Node`], which it derefs to.
    pub Dict: td_dict, td_dict_release
}

/// A dict wherever it stands: a whole [`Dict`], one inside another, or in a segment or a message.
///
/// It has no size of its own and is only seen as `&Node` or `&mut Node`.
#[repr(transparent)]
pub struct Node {
    _raw: sys::td_dict,
}

/// Something inside `'a` that is lent by it, to be read.
#[derive(Debug)]
pub struct Lent<'a, T> {
    value: T,
    owner: PhantomData<&'a T>,
}

/// A dict inside another one, lent by it to be changed.
#[derive(Debug)]
pub struct LentMut<'a> {
    dict: Dict,
    owner: PhantomData<&'a mut Dict>,
}

impl Dict {
    /// An empty dict. Errors: Shape for a negative size.
    pub fn new(batch_size: &[i64]) -> Result<Self> {
        made!(td_dict_new(batch_size.as_ptr(), batch_size.len(), std::ptr::null()))
    }

    /// An empty dict that moves every tensor set into it to a device. Errors: Shape; Device.
    pub fn new_on(batch_size: &[i64], device: &str) -> Result<Self> {
        let options = sys::td_dict_options { device: crate::string::borrow(device), ..Default::default() };
        made!(td_dict_new(batch_size.as_ptr(), batch_size.len(), &options))
    }

    pub(crate) fn from_raw(raw: NonNull<sys::td_dict>) -> Self {
        Handle::from_raw(raw)
    }

    /// The same entries with nodes of their own, for a result that may share nodes with what it was made of.
    pub(crate) fn own_nodes(self) -> Result<Dict> {
        let mut own = self.copy()?;
        if self.is_locked() {
            own.lock()?;
        }
        Ok(own)
    }
}

/// A result that may be `$self` itself, or be made of nodes of it.
macro_rules! apart {
    ($function:ident($($argument:expr),* $(,)?)) => {{
        let shared: $crate::Dict = made!($function($($argument),*))?;
        shared.own_nodes()
    }};
}
pub(crate) use apart;

impl Node {
    /// The C handle, borrowed: for [`sys`] calls that are not covered here.
    pub fn as_raw(&self) -> *mut sys::td_dict {
        self as *const Node as *mut sys::td_dict
    }

    pub(crate) fn optional(node: Option<&Node>) -> *mut sys::td_dict {
        node.map_or(std::ptr::null_mut(), Node::as_raw)
    }

    /// What C lends a callback.
    ///
    /// # Safety
    /// `raw` is alive for 'a, and nobody else uses it.
    pub(crate) unsafe fn lend_mut<'a>(raw: *mut sys::td_dict) -> &'a mut Node {
        // SAFETY: a node has no size, so that the reference reaches no memory by itself.
        unsafe { &mut *raw.cast::<Node>() }
    }

    /// The same, to be read.
    ///
    /// # Safety
    /// `raw` is alive for 'a, and nobody changes it.
    pub(crate) unsafe fn lend<'a>(raw: *const sys::td_dict) -> &'a Node {
        // SAFETY: as above.
        unsafe { &*raw.cast::<Node>() }
    }
}

impl Deref for Dict {
    type Target = Node;

    fn deref(&self) -> &Node {
        // SAFETY: the dict is alive while `self` is borrowed.
        unsafe { Node::lend(self.as_raw()) }
    }
}

impl DerefMut for Dict {
    fn deref_mut(&mut self) -> &mut Node {
        // SAFETY: as above, and no other value reaches the nodes of this tree: see threads.rs.
        unsafe { Node::lend_mut(self.as_raw()) }
    }
}

impl AsRef<Node> for Dict {
    fn as_ref(&self) -> &Node {
        self
    }
}

impl AsRef<Node> for Node {
    fn as_ref(&self) -> &Node {
        self
    }
}

impl<T> Lent<'_, T> {
    /// `value` reaches nothing but what `'a` lends.
    pub(crate) fn new(value: T) -> Self {
        Lent { value, owner: PhantomData }
    }
}

impl<T> Deref for Lent<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl AsRef<Node> for Lent<'_, Dict> {
    fn as_ref(&self) -> &Node {
        &self.value
    }
}

impl std::fmt::Display for Lent<'_, Dict> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.value.fmt(f)
    }
}

impl LentMut<'_> {
    /// `dict` reaches nothing but what `'a` lends.
    pub(crate) fn new(dict: Dict) -> Self {
        LentMut { dict, owner: PhantomData }
    }
}

impl Deref for LentMut<'_> {
    type Target = Node;

    fn deref(&self) -> &Node {
        &self.dict
    }
}

impl DerefMut for LentMut<'_> {
    fn deref_mut(&mut self) -> &mut Node {
        &mut self.dict
    }
}

impl AsRef<Node> for LentMut<'_> {
    fn as_ref(&self) -> &Node {
        &self.dict
    }
}
