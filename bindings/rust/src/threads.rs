//! Why the types may cross threads, argued once for all of them.
//!
//! `tensordict.h` says: functions that take `const td_X *` may be called concurrently, those that take `td_X *` need
//! the handle for themselves, and reference counts are atomic. Rust says the same with `&` and `&mut`. It remains to
//! show that two values of this crate never are two ways to one object of which one is `&mut`:
//!
//! - **Dicts** are trees of nodes, and a [`Dict`] owns all nodes of its tree. What is put into a dict as a node is
//!   moved there ([`Node::set_dict`], [`Dict::lazy_stack`]). A node inside a tree is lent: [`Lent`] borrows the tree,
//!   [`LentMut`] borrows it alone. Operations whose result the library may build of nodes that are there (`select`, an
//!   index into a lazy stack, a reshape that changes nothing) give the result nodes of its own before they return it;
//!   tensors stay shared. A test runs every operation and compares the nodes. `&mut Node` may be swapped with another
//!   without effect, because a [`Node`] has no size: a lent dict cannot be carried away.
//! - **Modules, queries, stores, optimizers, hashes, channels, messages, segments** are moved into what keeps them,
//!   too, and none of them is `Clone`; members of a sequence are lent.
//! - **Tensors** are shared, like `Arc`. Their shape, strides and memory do not change while a tensor lives: operators
//!   that would do that ([`Op::reshapes`]) are refused by the safe layer. Their elements are cells that anybody may
//!   write, other processes too, so that no reference to them exists in safe code: [`View`] copies each out with an
//!   atomic load. Whether an operator sees half of what another thread writes meanwhile is the program's business, as
//!   it is with a file. Whether they require grad changes under one lock.
//! - **A dict that is being received into** is moved into its [`Receive`], since a thread of the library may read it
//!   until the transfer ends; what is sent is copied first. Calls for a **group** or a **work** have their own locks.
//! - **Distributions, transforms, paths, operators, errors and keys** are immutable.
//!
//! When the library itself refuses a second writer, that is a net below this, and no part of the argument.
use crate::*;

macro_rules! cross_threads {
    ($($name:ident)*) => {$(
        // SAFETY: the argument above.
        unsafe impl Send for $name {}
        // SAFETY: the argument above.
        unsafe impl Sync for $name {}
    )*};
}

cross_threads! {
    Cancel Channel DataList Dict Dist Dlpack Draft Error Generator Group Hash Message Module Node Op Optimizer Path
    Query RowMap Schedule Segment Store Tensor Transform Work
}

// SAFETY: a view reads by atomic loads what the tensor that it holds keeps mapped.
unsafe impl<T: Element> Send for View<T> {}
// SAFETY: as above.
unsafe impl<T: Element> Sync for View<T> {}
