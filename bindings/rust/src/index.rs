use crate::{sys, Tensor};
use std::ops::{Range, RangeFrom, RangeTo};

/// One component of an index, as in Python's `td[3, 10:20, mask]`.
#[derive(Clone, Copy, Debug)]
pub enum Index<'a> {
    /// One row; the dim goes away. Negative ones count from the end.
    At(i64),
    /// `start..stop` in steps of at least 1; negative `start` and `stop` count from the end.
    Slice {
        /// The first row.
        start: i64,
        /// The row after the last; `i64::MAX` for no end.
        stop: i64,
        /// 1 for every row.
        step: i64,
    },
    /// A new dim of size 1.
    NewDim,
    /// As many full slices as are left.
    Ellipsis,
    /// Integers, or a mask of bools: the result is a copy.
    Tensor(&'a Tensor),
}

impl Index<'_> {
    pub(crate) fn raw(&self) -> sys::td_index {
        let index = |kind, start, stop, step, tensor| sys::td_index { kind, reserved: 0, start, stop, step, tensor };
        let none = std::ptr::null();
        match *self {
            Index::At(row) => index(sys::TD_INDEX_KIND_INT, row, 0, 0, none),
            Index::Slice { start, stop, step } => index(sys::TD_INDEX_KIND_SLICE, start, stop, step, none),
            Index::NewDim => index(sys::TD_INDEX_KIND_NONE, 0, 0, 0, none),
            Index::Ellipsis => index(sys::TD_INDEX_KIND_ELLIPSIS, 0, 0, 0, none),
            Index::Tensor(tensor) => index(sys::TD_INDEX_KIND_TENSOR, 0, 0, 0, tensor.as_raw()),
        }
    }
}

impl From<i64> for Index<'_> {
    fn from(row: i64) -> Self {
        Index::At(row)
    }
}

impl From<Range<i64>> for Index<'_> {
    fn from(range: Range<i64>) -> Self {
        Index::Slice { start: range.start, stop: range.end, step: 1 }
    }
}

impl From<RangeFrom<i64>> for Index<'_> {
    fn from(range: RangeFrom<i64>) -> Self {
        Index::Slice { start: range.start, stop: sys::TD_END, step: 1 }
    }
}

impl From<RangeTo<i64>> for Index<'_> {
    fn from(range: RangeTo<i64>) -> Self {
        Index::Slice { start: 0, stop: range.end, step: 1 }
    }
}

impl<'a> From<&'a Tensor> for Index<'a> {
    fn from(tensor: &'a Tensor) -> Self {
        Index::Tensor(tensor)
    }
}
