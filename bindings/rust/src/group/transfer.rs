//! Dicts that one rank sends to another.
use super::{Group, Receive, Work};
use crate::{sys, Dict, Node, Result};

/// How a dict is sent and received.
#[derive(Clone, Copy, Debug, Default)]
pub struct TransferOptions {
    /// Only a receive with the same tag gets the dict; 0 to 1073741823.
    pub tag: i32,
    /// To or from stock Python, one message per tensor, as Python sends without `consolidated=True`, with the tags from
    /// `tag` on. Ranks of this library need no such agreement.
    pub by_leaf: bool,
    /// With `by_leaf`: the tags are those of Python's `pseudo_rand=True`.
    pub pseudo_rand: bool,
}

impl TransferOptions {
    fn raw(self) -> sys::td_transfer_options {
        sys::td_transfer_options {
            tag: self.tag,
            by_leaf: self.by_leaf.into(),
            pseudo_rand: self.pseudo_rand.into(),
            ..Default::default()
        }
    }
}

impl Node {
    /// Sends the values of all tensors to rank `dst` as one message, and waits until it has received them. Non-tensor
    /// data is not sent. Python: `send` with `consolidated=True`.
    /// Errors: Argument for a rank that is not in the group and for this rank itself; Closed and Timeout, which name
    /// the rank; Key, Unsupported for what a consolidated file cannot hold.
    pub fn send(&self, group: &Group, dst: i32) -> Result<()> {
        self.send_with(group, dst, TransferOptions::default())
    }

    /// The same with options. Errors: Argument for a bad tag; as [`send`](Node::send).
    pub fn send_with(&self, group: &Group, dst: i32, options: TransferOptions) -> Result<()> {
        done!(td_dict_send(self.as_raw(), group.as_raw(), dst, &options.raw()))
    }

    /// Receives from rank `src` into the tensors, in place, which a locked dict allows. The sender's dict has the same
    /// structure, dtypes, shapes and non-tensor data, and its entries in the same order; on any error nothing is
    /// changed. From stock Python, which does not say what it sends, another structure mixes up values or lets Gloo end
    /// this process. Python: `recv` with `consolidated=True`.
    /// Errors: Shape if the structures differ; Corrupt for a message that is not from [`send`](Node::send); as `send`.
    pub fn recv(&mut self, group: &Group, src: i32) -> Result<()> {
        self.recv_with(group, src, TransferOptions::default())
    }

    /// The same with options. Errors: Argument for a bad tag; as [`recv`](Node::recv).
    pub fn recv_with(&mut self, group: &Group, src: i32, options: TransferOptions) -> Result<()> {
        done!(td_dict_recv(self.as_raw(), group.as_raw(), src, &options.raw()))
    }

    /// Begins to send as [`send`](Node::send) does. The values are copied before it returns, so that the dict is free
    /// at once. Python: `isend` with `return_early=True`.
    /// Errors: as `send`; what happens later is an error of [`Work::wait`].
    pub fn isend(&self, group: &Group, dst: i32) -> Result<Work> {
        self.isend_with(group, dst, TransferOptions::default())
    }

    /// The same with options. Errors: Argument for a bad tag; as [`isend`](Node::isend).
    pub fn isend_with(&self, group: &Group, dst: i32, options: TransferOptions) -> Result<Work> {
        made!(td_dict_isend(self.as_raw(), group.as_raw(), dst, &options.raw()))
    }

    /// Sends the dict with its structure and its non-tensor data to rank `dst`, and waits until it has received them
    /// with [`Dict::from_remote_init`]. Python: `init_remote`. Errors: as [`send`](Node::send).
    pub fn init_remote(&self, group: &Group, dst: i32) -> Result<()> {
        done!(td_dict_init_remote(self.as_raw(), group.as_raw(), dst))
    }
}

impl Dict {
    /// Begins to receive as [`recv`](Node::recv) does. The dict is moved into the [`Receive`], which gives it back at
    /// the end of the transfer; an error here drops it. Python: `irecv` with `return_premature=True`.
    /// Errors: as `recv`; what happens later is an error of [`Receive::wait`].
    pub fn irecv(self, group: &Group, src: i32) -> Result<Receive> {
        self.irecv_with(group, src, TransferOptions::default())
    }

    /// The same with options. Errors: Argument for a bad tag; as [`irecv`](Dict::irecv).
    pub fn irecv_with(self, group: &Group, src: i32, options: TransferOptions) -> Result<Receive> {
        let work = made!(td_dict_irecv(self.as_raw(), group.as_raw(), src, &options.raw()))?;
        Ok(Receive::new(work, self))
    }

    /// Receives a dict that rank `src` sends with [`Node::init_remote`], or stock Python with `init_remote`. Its
    /// tensors share one block of memory. Python: `from_remote_init`.
    /// Errors: Corrupt for another message or an invalid structure; Unsupported for non-tensor data that is not JSON;
    /// as [`recv`](Node::recv).
    pub fn from_remote_init(group: &Group, src: i32) -> Result<Dict> {
        made!(td_dict_from_remote_init(group.as_raw(), src))
    }
}
