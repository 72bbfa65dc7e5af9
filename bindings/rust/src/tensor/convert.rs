//! Copies, casts, and writing.
use crate::{string, sys, Dtype, Element, Error, ErrorKind, Result, Scalar, Tensor, Value};

impl Tensor {
    /// The same tensor if it is row-major already, else a row-major copy.
    pub fn contiguous(&self) -> Result<Self> {
        made!(td_tensor_contiguous(self.as_raw()))
    }

    /// A copy with its own memory.
    pub fn deep_copy(&self) -> Result<Self> {
        made!(td_tensor_clone(self.as_raw()))
    }

    /// The same tensor if it has that dtype already, else a copy. Errors: Dtype.
    pub fn to_dtype(&self, dtype: Dtype) -> Result<Self> {
        made!(td_tensor_to(self.as_raw(), dtype.raw(), string::optional(None)))
    }

    /// The same tensor if it is there already, else a copy on another device. Errors: Device.
    pub fn to_device(&self, device: &str) -> Result<Self> {
        made!(td_tensor_to(self.as_raw(), sys::TD_DTYPE_NONE, string::borrow(device)))
    }

    /// Copies `src` into the memory of this tensor, with broadcasting and a cast. Errors: Shape; Locked.
    pub fn copy_from(&mut self, src: &Tensor) -> Result<()> {
        done!(td_tensor_copy_(self.as_raw(), src.as_raw()))
    }

    /// Copies row-major `data` into the memory of this tensor. Errors: Shape if it has another number of elements;
    /// Locked.
    pub fn write<T: Element>(&mut self, data: &[T]) -> Result<()> {
        self.copy_from(&Tensor::from_slice(data, &self.shape())?)
    }

    /// The value of a tensor with one element. Errors: Shape if it has more or fewer.
    pub fn item(&self) -> Result<Scalar> {
        let mut out = Value::None.raw();
        done!(td_tensor_item(self.as_raw(), &mut out))?;
        let kind = out.kind;
        Scalar::of(&out).ok_or_else(|| Error::new(ErrorKind::Internal, &format!("an element of kind {kind}")))
    }

    /// A view with dims added on the right until the shape is the given one. Errors: Shape.
    pub fn expand_right(&self, shape: &[i64]) -> Result<Self> {
        made!(td_tensor_expand_right(self.as_raw(), shape.as_ptr(), shape.len()))
    }

    /// The same, until the shape is that of `other`. Errors: Shape.
    pub fn expand_as_right(&self, other: &Tensor) -> Result<Self> {
        made!(td_tensor_expand_as_right(self.as_raw(), other.as_raw()))
    }
}
