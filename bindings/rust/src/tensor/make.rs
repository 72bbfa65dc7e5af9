//! Making tensors.
use crate::{string, sys, Dtype, Element, Error, ErrorKind, Generator, Result, Scalar, Tensor};
use std::os::raw::c_void;

impl Tensor {
    /// Copies row-major `data` into a new tensor. Errors: Shape if it does not hold that many elements.
    pub fn from_slice<T: Element>(data: &[T], shape: &[i64]) -> Result<Self> {
        check_fit(data.len(), shape)?;
        made!(td_tensor_copy_from(data.as_ptr().cast(), T::DTYPE.raw(), shape.as_ptr(), shape.len()))
    }

    /// Takes row-major `data` over, without a copy. Errors: Shape if it does not hold that many elements.
    pub fn from_vec<T: Element + Send>(data: Vec<T>, shape: &[i64]) -> Result<Self> {
        unsafe extern "C" fn release<T>(owner: *mut c_void) {
            // SAFETY: the box below, which the library gives back once.
            drop(unsafe { Box::from_raw(owner.cast::<Vec<T>>()) });
        }
        check_fit(data.len(), shape)?;
        let mut data = Box::new(data);
        let memory = data.as_mut_ptr().cast();
        let owner = Box::into_raw(data).cast();
        let release = Some(release::<T> as unsafe extern "C" fn(*mut c_void));
        made!(td_tensor_from_memory(
            memory,
            T::DTYPE.raw(),
            shape.as_ptr(),
            shape.len(),
            std::ptr::null(),
            release,
            owner
        ))
    }

    /// One element, without dims.
    pub fn scalar<T: Element>(value: T) -> Result<Self> {
        Tensor::from_slice(&[value], &[])
    }

    /// Bools, which [`view`](Tensor::view) reads as `u8`.
    pub fn from_bools(data: &[bool], shape: &[i64]) -> Result<Self> {
        check_fit(data.len(), shape)?;
        made!(td_tensor_copy_from(data.as_ptr().cast(), sys::TD_DTYPE_BOOL, shape.as_ptr(), shape.len()))
    }

    /// Undefined contents, on the CPU or another device.
    pub fn empty(shape: &[i64], dtype: Dtype, device: Option<&str>) -> Result<Self> {
        made!(td_tensor_empty(shape.as_ptr(), shape.len(), dtype.raw(), string::optional(device)))
    }

    /// Zeros on the CPU.
    pub fn zeros(shape: &[i64], dtype: Dtype) -> Result<Self> {
        made!(td_tensor_zeros(shape.as_ptr(), shape.len(), dtype.raw(), string::optional(None)))
    }

    /// One value everywhere, on the CPU. Errors: Torch if the dtype cannot hold it.
    pub fn full(shape: &[i64], value: impl Into<Scalar>, dtype: Dtype) -> Result<Self> {
        made!(td_tensor_full(shape.as_ptr(), shape.len(), &value.into().raw(), dtype.raw(), string::optional(None)))
    }

    /// Ones on the CPU.
    pub fn ones(shape: &[i64], dtype: Dtype) -> Result<Self> {
        Tensor::full(shape, 1.0, dtype)
    }

    /// Standard normal numbers on the CPU, from `generator` or LibTorch's default one.
    pub fn randn(shape: &[i64], dtype: Dtype, generator: Option<&mut Generator>) -> Result<Self> {
        let generator = Generator::optional(generator);
        made!(td_tensor_randn(shape.as_ptr(), shape.len(), dtype.raw(), string::optional(None), generator))
    }
}

/// A copy, with one dim.
impl<T: Element> TryFrom<&[T]> for Tensor {
    type Error = Error;

    fn try_from(data: &[T]) -> Result<Self> {
        Tensor::from_slice(data, &[data.len() as i64])
    }
}

/// The vector's own memory, with one dim.
impl<T: Element + Send> TryFrom<Vec<T>> for Tensor {
    type Error = Error;

    fn try_from(data: Vec<T>) -> Result<Self> {
        let shape = [data.len() as i64];
        Tensor::from_vec(data, &shape)
    }
}

fn check_fit(len: usize, shape: &[i64]) -> Result<()> {
    let elements = shape.iter().try_fold(1i64, |product, size| product.checked_mul(*size));
    if elements == i64::try_from(len).ok() && shape.iter().all(|size| *size >= 0) {
        return Ok(());
    }
    Err(Error::new(ErrorKind::Shape, &format!("shape {shape:?} does not hold {len} elements")))
}
