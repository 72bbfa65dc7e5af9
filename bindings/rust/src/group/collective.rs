//! What all ranks of a group do together: each calls the same functions in the same order, in one thread. If ranks of
//! this library differ, or one fails before it takes part, all of them get an error, no dict changes, and the group is
//! as good as before. Stock Python does not say what it does: ranks that differ wait, or mix up values.
use super::Group;
use crate::dict::DictList;
use crate::{sys, Dict, Node, Result};

constants! {
    /// How the values of all ranks are combined.
    GroupReduction {
        /// Their sum.
        Sum = TD_GROUP_REDUCTION_SUM,
        /// Their product.
        Product = TD_GROUP_REDUCTION_PRODUCT,
        /// The smallest.
        Min = TD_GROUP_REDUCTION_MIN,
        /// The largest.
        Max = TD_GROUP_REDUCTION_MAX,
    }
}

/// How [`Node::all_reduce_with`] and [`Node::reduce_to_with`] reduce; by default sums, each tensor alone.
#[derive(Clone, Copy, Debug)]
pub struct GroupReduceOptions {
    /// How values are combined.
    pub reduction: GroupReduction,
    /// Max bytes of tensors of one dtype that are reduced together; 0: each alone.
    pub bucket_bytes: i64,
}

impl Default for GroupReduceOptions {
    fn default() -> Self {
        GroupReduceOptions { reduction: GroupReduction::Sum, bucket_bytes: 0 }
    }
}

impl GroupReduceOptions {
    fn raw(self) -> sys::td_group_reduce_options {
        sys::td_group_reduce_options {
            bucket_bytes: self.bucket_bytes,
            reduction: self.reduction.raw(),
            ..Default::default()
        }
    }
}

impl Dict {
    /// The dict of rank `src` on every rank, with its structure and its non-tensor data; on `src` it is a copy, too.
    /// The others give None. Python: `broadcast`.
    /// Errors: Argument for a rank that is not in the group, without a dict on `src`, and if the ranks differ;
    /// Cancelled if another rank failed before it took part; Closed and Timeout, which name a rank where they can; Key,
    /// Unsupported and Corrupt as [`from_remote_init`](Dict::from_remote_init).
    pub fn broadcast(dict: Option<&Node>, group: &Group, src: i32) -> Result<Dict> {
        made!(td_dict_broadcast(Node::optional(dict), group.as_raw(), src))
    }
}

impl Node {
    /// Adds up each tensor over all ranks, in place; on any error nothing is changed. All dicts have the same
    /// structure, and their entries in the same order. Python: `all_reduce`.
    /// Errors: Shape if another rank has another structure; Dtype for tensors that Gloo cannot reduce; as
    /// [`broadcast`](Dict::broadcast).
    pub fn all_reduce(&mut self, group: &Group) -> Result<()> {
        self.all_reduce_with(group, GroupReduceOptions::default())
    }

    /// The same with options. Errors: as [`all_reduce`](Node::all_reduce).
    pub fn all_reduce_with(&mut self, group: &Group, options: GroupReduceOptions) -> Result<()> {
        done!(td_dict_all_reduce(self.as_raw(), group.as_raw(), &options.raw()))
    }

    /// Adds up as [`all_reduce`](Node::all_reduce) does, but changes only the dict of rank `dst`. Python: `reduce`.
    /// Errors: as `all_reduce`.
    pub fn reduce_to(&mut self, group: &Group, dst: i32) -> Result<()> {
        self.reduce_to_with(group, dst, GroupReduceOptions::default())
    }

    /// The same with options. Errors: as [`all_reduce`](Node::all_reduce).
    pub fn reduce_to_with(&mut self, group: &Group, dst: i32, options: GroupReduceOptions) -> Result<()> {
        done!(td_dict_reduce_to(self.as_raw(), group.as_raw(), dst, &options.raw()))
    }

    /// Copies of the dicts of all ranks, this one included, in rank order. They may have different structures. Python:
    /// `all_gather`. Errors: as [`broadcast`](Dict::broadcast).
    pub fn all_gather(&self, group: &Group) -> Result<Vec<Dict>> {
        made!(td_dict_all_gather(self.as_raw(), group.as_raw())).and_then(DictList::take)
    }

    /// Stacks the dicts of all other ranks along a new first dim into the tensors of this dict on rank `dst`, in place;
    /// its first batch dim is one less than the size of the group. The others send this dict. Python:
    /// `gather_and_stack`.
    /// Errors: on `dst` Key and Shape if the stack does not fit, and Unsupported for a dict that stock Python pickles
    /// as a whole; as [`broadcast`](Dict::broadcast).
    pub fn gather_and_stack(&mut self, group: &Group, dst: i32) -> Result<()> {
        done!(td_dict_gather_and_stack(self.as_raw(), group.as_raw(), dst))
    }
}
