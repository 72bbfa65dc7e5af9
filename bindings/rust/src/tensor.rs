use crate::element::matches;
use crate::error::{call, create};
use crate::{string, sys, Dtype, Element, Error, ErrorKind, Result, View};
use std::fmt;
use std::ptr::NonNull;

/// A reference to a tensor: shared memory with a shape, strides and an element type. `Clone` shares it.
pub struct Tensor {
    raw: NonNull<sys::td_tensor>,
}

// SAFETY: the reference count is atomic, and the safe functions here only take `const td_tensor *`, which the header
// allows concurrently. Those that write are `unsafe`, because a clone elsewhere may be reading.
unsafe impl Send for Tensor {}
// SAFETY: as above.
unsafe impl Sync for Tensor {}

impl Tensor {
    /// Copies row-major `data` into a new tensor.
    pub fn from_slice<T: Element>(data: &[T], shape: &[i64]) -> Result<Self> {
        let elements = shape.iter().try_fold(1i64, |product, size| product.checked_mul(*size));
        if elements != i64::try_from(data.len()).ok() {
            let message = format!("shape {shape:?} does not hold {} elements", data.len());
            return Err(Error::new(ErrorKind::Shape, &message));
        }
        create(|out, err| {
            // SAFETY: `data` holds as many elements as the shape says.
            unsafe {
                let data = data.as_ptr().cast();
                sys::td_tensor_copy_from(data, T::DTYPE.raw(), shape.as_ptr(), shape.len(), out, err)
            }
        })
        .map(Tensor::from_raw)
    }

    /// Zeros on the CPU.
    pub fn zeros(shape: &[i64], dtype: Dtype) -> Result<Self> {
        let cpu = string::borrow("cpu");
        create(|out, err| unsafe { sys::td_tensor_zeros(shape.as_ptr(), shape.len(), dtype.raw(), cpu, out, err) })
            .map(Tensor::from_raw)
    }

    /// Takes over one reference.
    pub(crate) fn from_raw(raw: NonNull<sys::td_tensor>) -> Self {
        Tensor { raw }
    }

    /// The C handle, borrowed: for [`sys`] calls that are not covered here.
    pub fn as_raw(&self) -> *mut sys::td_tensor {
        self.raw.as_ptr()
    }

    /// The size of each dim.
    pub fn shape(&self) -> Vec<i64> {
        sizes(|out, capacity| unsafe { sys::td_tensor_shape(self.as_raw(), out, capacity) })
    }

    /// The step between neighbours of each dim, in elements.
    pub fn strides(&self) -> Vec<i64> {
        sizes(|out, capacity| unsafe { sys::td_tensor_strides(self.as_raw(), out, capacity) })
    }

    /// The type of the elements.
    pub fn dtype(&self) -> Dtype {
        Dtype::from_raw(unsafe { sys::td_tensor_dtype(self.as_raw()) })
    }

    /// Number of elements.
    pub fn numel(&self) -> usize {
        unsafe { sys::td_tensor_numel(self.as_raw()) }.try_into().unwrap_or(0)
    }

    /// Bytes of all elements.
    pub fn nbytes(&self) -> usize {
        unsafe { sys::td_tensor_nbytes(self.as_raw()) }.try_into().unwrap_or(0)
    }

    /// True if the elements lie in row-major order without gaps.
    pub fn is_contiguous(&self) -> bool {
        unsafe { sys::td_tensor_is_contiguous(self.as_raw()) != 0 }
    }

    /// True if the memory is mapped read-only.
    pub fn is_read_only(&self) -> bool {
        unsafe { sys::td_tensor_is_read_only(self.as_raw()) != 0 }
    }

    /// The same tensor if it is row-major already, else a row-major copy.
    pub fn contiguous(&self) -> Result<Self> {
        create(|out, err| unsafe { sys::td_tensor_contiguous(self.as_raw(), out, err) }).map(Tensor::from_raw)
    }

    /// A copy with its own memory.
    pub fn deep_copy(&self) -> Result<Self> {
        create(|out, err| unsafe { sys::td_tensor_clone(self.as_raw(), out, err) }).map(Tensor::from_raw)
    }

    /// The elements where they lie. Errors: Dtype, Device; Unsupported for tensors that are not row-major, see
    /// [`contiguous`](Tensor::contiguous).
    pub fn view<T: Element>(&self) -> Result<View<'_, T>> {
        self.check_elements::<T>()?;
        let mut data = std::ptr::null();
        call(|err| unsafe { sys::td_tensor_data(self.as_raw(), &mut data, err) })?;
        let data = aligned(data.cast::<T>())?;
        // SAFETY: row-major elements of this type, kept mapped by `self`.
        Ok(unsafe { View::new(data, self.numel()) })
    }

    /// A copy of the elements.
    pub fn to_vec<T: Element>(&self) -> Result<Vec<T>> {
        Ok(self.contiguous()?.view::<T>()?.iter().collect())
    }

    /// The elements as a slice. Errors: as [`view`](Tensor::view).
    ///
    /// # Safety
    /// While the slice lives, nobody writes the memory: no clone of this tensor or view of it, no dict that holds it, and
    /// no other process, if it is shared.
    pub unsafe fn as_slice<T: Element>(&self) -> Result<&[T]> {
        let view = self.view::<T>()?;
        // SAFETY: the view's memory is valid, and constant by the caller's word.
        Ok(unsafe { std::slice::from_raw_parts(view.as_ptr(), view.len()) })
    }

    /// The elements as a slice to write to. Errors: as [`view`](Tensor::view), and Locked if the memory is read-only.
    ///
    /// # Safety
    /// While the slice lives, nobody else in this process reads or writes the memory.
    pub unsafe fn as_mut_slice<T: Element>(&mut self) -> Result<&mut [T]> {
        self.check_elements::<T>()?;
        let mut data = std::ptr::null_mut();
        call(|err| unsafe { sys::td_tensor_mutable_data(self.as_raw(), &mut data, err) })?;
        let data = aligned(data.cast::<T>())? as *mut T;
        // SAFETY: row-major elements of this type, writable, and ours alone by the caller's word.
        Ok(unsafe { std::slice::from_raw_parts_mut(data, self.numel()) })
    }

    fn check_elements<T: Element>(&self) -> Result<()> {
        if !matches::<T>(self.dtype()) {
            let message = format!("the tensor holds {}, it cannot be read as {}", self.dtype(), T::DTYPE);
            return Err(Error::new(ErrorKind::Dtype, &message));
        }
        if !self.is_contiguous() {
            return Err(Error::new(ErrorKind::Unsupported, "the tensor is not row-major: call contiguous() first"));
        }
        Ok(())
    }
}

fn aligned<T>(data: *const T) -> Result<*const T> {
    if data as usize % std::mem::align_of::<T>() != 0 {
        return Err(Error::new(ErrorKind::Unsupported, "the data is not aligned: call deep_copy() first"));
    }
    Ok(data)
}

/// Reads a shape: most have at most 8 dims, so one call is enough.
pub(crate) fn sizes(fill: impl Fn(*mut i64, usize) -> usize) -> Vec<i64> {
    let mut out = vec![0; 8];
    let ndim = fill(out.as_mut_ptr(), out.len());
    if ndim > out.len() {
        out.resize(ndim, 0);
        fill(out.as_mut_ptr(), out.len());
    }
    out.truncate(ndim);
    out
}

impl Clone for Tensor {
    fn clone(&self) -> Self {
        unsafe { sys::td_tensor_retain(self.as_raw()) };
        Tensor { raw: self.raw }
    }
}

impl Drop for Tensor {
    fn drop(&mut self) {
        unsafe { sys::td_tensor_release(self.as_raw()) }
    }
}

impl fmt::Debug for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tensor({}, {:?})", self.dtype(), self.shape())
    }
}
