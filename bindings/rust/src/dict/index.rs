//! Rows by position: `td.i(3)`, `td.i((..8, -1))`, `td.i(&mask)`.
use super::{apart, Dict, LentMut, Node};
use crate::{sys, Key, Result, Scalar, Tensor};
use std::marker::PhantomData;
use std::ops::{Range, RangeFrom, RangeFull, RangeInclusive, RangeTo};

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
    /// Positions, without a tensor: the result is a copy.
    Ints(&'a [i64]),
}

impl Index<'_> {
    pub(crate) fn raw(&self) -> sys::td_index {
        let index = |kind, start, stop, step, tensor| sys::td_index {
            kind,
            reserved: 0,
            start,
            stop,
            step,
            tensor,
            ints: std::ptr::null(),
            n: 0,
        };
        let none = std::ptr::null();
        match *self {
            Index::At(row) => index(sys::TD_INDEX_KIND_INT, row, 0, 0, none),
            Index::Slice { start, stop, step } => index(sys::TD_INDEX_KIND_SLICE, start, stop, step, none),
            Index::NewDim => index(sys::TD_INDEX_KIND_NONE, 0, 0, 0, none),
            Index::Ellipsis => index(sys::TD_INDEX_KIND_ELLIPSIS, 0, 0, 0, none),
            Index::Tensor(tensor) => index(sys::TD_INDEX_KIND_TENSOR, 0, 0, 0, tensor.as_raw()),
            Index::Ints(positions) => sys::td_index {
                ints: positions.as_ptr(),
                n: positions.len(),
                ..index(sys::TD_INDEX_KIND_INTS, 0, 0, 0, none)
            },
        }
    }
}

/// A whole index: one component, a tuple of them, or a slice of [`Index`]es.
pub struct Indices<'a> {
    pub(crate) raw: Vec<sys::td_index>,
    tensors: PhantomData<&'a Tensor>,
}

impl<'a> Indices<'a> {
    fn of(components: &[Index<'a>]) -> Self {
        Indices { raw: components.iter().map(Index::raw).collect(), tensors: PhantomData }
    }
}

macro_rules! components {
    ($($type:ty: |$value:ident| $make:expr;)*) => {$(
        impl<'a> From<$type> for Index<'a> {
            fn from($value: $type) -> Self {
                $make
            }
        }

        impl<'a> From<$type> for Indices<'a> {
            fn from(value: $type) -> Self {
                Indices::of(&[value.into()])
            }
        }
    )*};
}

const END: i64 = sys::TD_END;

components! {
    i64: |row| Index::At(row);
    Range<i64>: |range| Index::Slice { start: range.start, stop: range.end, step: 1 };
    RangeFrom<i64>: |range| Index::Slice { start: range.start, stop: END, step: 1 };
    RangeTo<i64>: |range| Index::Slice { start: 0, stop: range.end, step: 1 };
    RangeFull: |_range| Index::Slice { start: 0, stop: END, step: 1 };
    // The row after the last one, -1, is the end.
    RangeInclusive<i64>: |range| Index::Slice {
        start: *range.start(),
        stop: if *range.end() == -1 { END } else { range.end().saturating_add(1) },
        step: 1,
    };
    &'a Tensor: |tensor| Index::Tensor(tensor);
}

impl<'a> From<Index<'a>> for Indices<'a> {
    fn from(component: Index<'a>) -> Self {
        Indices::of(&[component])
    }
}

impl<'a> From<&[Index<'a>]> for Indices<'a> {
    fn from(components: &[Index<'a>]) -> Self {
        Indices::of(components)
    }
}

impl<'a, const N: usize> From<[Index<'a>; N]> for Indices<'a> {
    fn from(components: [Index<'a>; N]) -> Self {
        Indices::of(&components)
    }
}

macro_rules! tuples {
    ($(($($name:ident)*))*) => {$(
        impl<'a, $($name: Into<Index<'a>>),*> From<($($name,)*)> for Indices<'a> {
            #[allow(non_snake_case)]
            fn from(($($name,)*): ($($name,)*)) -> Self {
                Indices::of(&[$($name.into()),*])
            }
        }
    )*};
}

tuples! { (A) (A B) (A B C) (A B C D) (A B C D E) (A B C D E F) }

impl Node {
    /// Indexes the batch dims of every entry. Tensors of the result share memory with these, unless a tensor is in the
    /// index; it is unlocked. Errors: Index; Dtype.
    ///
    /// ```
    /// # fn main() -> tensordict::Result<()> {
    /// use tensordict::{Dict, Dtype, Index, Tensor};
    /// let mut td = Dict::new(&[32, 4])?;
    /// td.set("obs", &Tensor::zeros(&[32, 4, 2], Dtype::Float32)?)?;
    /// assert_eq!(td.i(3)?.batch_size(), [4]);
    /// assert_eq!(td.i((..8, Index::NewDim, -1))?.batch_size(), [8, 1]);
    /// assert_eq!(td.i((Index::Ellipsis, 1..))?.batch_size(), [32, 3]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn i<'a>(&self, index: impl Into<Indices<'a>>) -> Result<Dict> {
        let index = index.into().raw;
        apart!(td_dict_index(self.as_raw(), index.as_ptr(), index.len()))
    }

    /// The same for components in a slice or an array.
    pub fn index<'a>(&self, components: impl AsRef<[Index<'a>]>) -> Result<Dict> {
        self.i(components.as_ref())
    }

    /// The selected rows without a copy: always locked, and what is written into its entries goes to this dict.
    /// Errors: Index; Dtype.
    ///
    /// ```
    /// # fn main() -> tensordict::Result<()> {
    /// use tensordict::{Dict, Dtype, Tensor};
    /// let mut td = Dict::new(&[3])?;
    /// td.set("a", &Tensor::zeros(&[3], Dtype::Float32)?)?;
    /// td.window(1..)?.fill("a", 1.0)?;
    /// assert_eq!(td.get("a")?.to_vec::<f32>()?, [0.0, 1.0, 1.0]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn window<'a>(&mut self, index: impl Into<Indices<'a>>) -> Result<LentMut<'_>> {
        let index = index.into().raw;
        made!(td_dict_window(self.as_raw(), index.as_ptr(), index.len())).map(LentMut::new)
    }

    /// Writes the entries of `value` into the selected rows; those that it lacks stay as they are.
    /// Errors: Index; Shape; Key; Locked; Torch for leaves that require grad. Nothing is written then.
    pub fn set_at<'a>(&mut self, index: impl Into<Indices<'a>>, value: &Node) -> Result<()> {
        let index = index.into().raw;
        done!(td_dict_set_at(self.as_raw(), index.as_ptr(), index.len(), value.as_raw()))
    }

    /// Writes one number into the selected rows of every tensor. Errors: as [`set_at`](Node::set_at); Argument.
    pub fn fill_at<'a>(&mut self, index: impl Into<Indices<'a>>, value: impl Into<Scalar>) -> Result<()> {
        let index = index.into().raw;
        done!(td_dict_set_at_value(self.as_raw(), index.as_ptr(), index.len(), &value.into().raw()))
    }

    /// The tensor under `key`, indexed; the index may go on behind the batch dims. Errors: Key; Index.
    pub fn get_at<'k, 'a>(&self, key: impl Into<Key<'k>>, index: impl Into<Indices<'a>>) -> Result<Tensor> {
        let index = index.into().raw;
        key.into().with(|key| made!(td_dict_get_at(self.as_raw(), key, index.as_ptr(), index.len())))
    }

    /// Copies `value` into a part of the tensor under `key`. Errors: Key; Index; Shape; Locked; Torch.
    pub fn copy_into_at<'k, 'a>(
        &mut self,
        key: impl Into<Key<'k>>,
        index: impl Into<Indices<'a>>,
        value: &Tensor,
    ) -> Result<()> {
        let index = index.into().raw;
        let node = self.as_raw();
        key.into().with(|key| done!(td_dict_copy_into_at(node, key, index.as_ptr(), index.len(), value.as_raw())))
    }
}
