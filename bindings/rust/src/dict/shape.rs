//! Other shapes of the batch dims. Feature dims stay behind them; negative dims count from the last batch dim. Results
//! share memory with the dict and are locked where it is, unless the doc says that they are copies; their nodes are
//! their own.
use super::{apart, Dict, Node};
use crate::{Error, ErrorKind, Result};

impl Node {
    /// The batch size becomes `sizes`, one of which may be -1, without copying. Errors: Shape naming a leaf that had to
    /// be copied; Unsupported for lazy stacks.
    pub fn view(&self, sizes: &[i64]) -> Result<Dict> {
        apart!(td_dict_view(self.as_raw(), sizes.as_ptr(), sizes.len()))
    }

    /// The same; leaves whose strides leave no other way are copied. Errors: Shape.
    pub fn reshape(&self, sizes: &[i64]) -> Result<Dict> {
        apart!(td_dict_reshape(self.as_raw(), sizes.as_ptr(), sizes.len()))
    }

    /// One dim in place of the dims `start` to `end`, inclusive. Errors: Index; Argument.
    pub fn flatten(&self, start: i64, end: i64) -> Result<Dict> {
        apart!(td_dict_flatten(self.as_raw(), start, end))
    }

    /// Dims of `sizes`, one of which may be -1, in place of `dim`. Errors: Index; Shape.
    pub fn unflatten(&self, dim: i64, sizes: &[i64]) -> Result<Dict> {
        apart!(td_dict_unflatten(self.as_raw(), dim, sizes.as_ptr(), sizes.len()))
    }

    /// Takes away those of `dims` that have size 1, or all such batch dims if there are none given. Errors: Index;
    /// Argument.
    pub fn squeeze(&self, dims: &[i64]) -> Result<Dict> {
        apart!(td_dict_squeeze(self.as_raw(), dims.as_ptr(), dims.len()))
    }

    /// A new batch dim of size 1. Errors: Index.
    pub fn unsqueeze(&self, dim: i64) -> Result<Dict> {
        apart!(td_dict_unsqueeze(self.as_raw(), dim))
    }

    /// Repeats dims of size 1 without copying, and adds new dims on the left; -1 keeps a size. Errors: Shape.
    pub fn expand(&self, sizes: &[i64]) -> Result<Dict> {
        apart!(td_dict_expand(self.as_raw(), sizes.as_ptr(), sizes.len()))
    }

    /// Repeats dims of size 1 until each tensor has the shape of the one that `other` has under its key, features too.
    /// Errors: Key; Shape.
    pub fn expand_as(&self, other: &Node) -> Result<Dict> {
        made!(td_dict_expand_as(self.as_raw(), other.as_raw()))
    }

    /// Puts the batch dims into another order. Errors: Index; Argument if it is no permutation.
    pub fn permute(&self, dims: &[i64]) -> Result<Dict> {
        apart!(td_dict_permute(self.as_raw(), dims.as_ptr(), dims.len()))
    }

    /// Swaps two batch dims. Errors: Index.
    pub fn transpose(&self, dim0: i64, dim1: i64) -> Result<Dict> {
        apart!(td_dict_transpose(self.as_raw(), dim0, dim1))
    }

    /// Moves batch dims from the places `source` to the places `destination`. Errors: Index; Argument.
    pub fn movedim(&self, source: &[i64], destination: &[i64]) -> Result<Dict> {
        check_pairs(source, destination)?;
        apart!(td_dict_movedim(self.as_raw(), source.as_ptr(), destination.as_ptr(), source.len()))
    }

    /// `length` elements of `dim` from `start` on. Errors: Index; Shape if they do not lie in the dim.
    pub fn narrow(&self, dim: i64, start: i64, length: i64) -> Result<Dict> {
        apart!(td_dict_narrow(self.as_raw(), dim, start, length))
    }
}

pub(crate) fn check_pairs(source: &[i64], destination: &[i64]) -> Result<()> {
    if source.len() == destination.len() {
        return Ok(());
    }
    let message = format!("{} dims cannot move to {} places", source.len(), destination.len());
    Err(Error::new(ErrorKind::Argument, &message))
}
