//! Tensors: shared memory with a shape, strides and an element type.
mod autograd;
mod convert;
mod dlpack;
mod make;
mod part;

pub(crate) use autograd::RECORDING;
pub use autograd::{is_grad_enabled, no_grad};
pub use dlpack::Dlpack;

use crate::element::matches;
use crate::handle::{count, sizes};
use crate::string::Text;
use crate::{error, string, sys, Dtype, Element, Error, ErrorKind, Result, View};
use std::fmt;

handle! {
    /// A reference to a tensor: shared memory with a shape, strides and an element type. `Clone` shares it.
    pub Tensor: td_tensor, td_tensor_release, td_tensor_retain
}

impl Tensor {
    /// Number of dims.
    pub fn ndim(&self) -> usize {
        unsafe { sys::td_tensor_ndim(self.as_raw()) }
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

    /// [`dtype`](Self::dtype), unless this LibTorch lacks the dtype of what was opened: then the tensor shows the bytes of
    /// elements of this dtype, in one more dim if an element has more than one byte.
    pub fn stored_dtype(&self) -> Dtype {
        Dtype::from_raw(unsafe { sys::td_tensor_stored_dtype(self.as_raw()) })
    }

    /// Where the elements are, as "cpu" or "cuda:0".
    pub fn device(&self) -> &'static str {
        // SAFETY: static text.
        unsafe { string::view(sys::td_tensor_device(self.as_raw())) }
    }

    /// Number of elements.
    pub fn numel(&self) -> usize {
        count(unsafe { sys::td_tensor_numel(self.as_raw()) })
    }

    /// Bytes of one element.
    pub fn itemsize(&self) -> usize {
        count(unsafe { sys::td_tensor_itemsize(self.as_raw()) })
    }

    /// Bytes of all elements.
    pub fn nbytes(&self) -> usize {
        count(unsafe { sys::td_tensor_nbytes(self.as_raw()) })
    }

    /// True if the elements lie in row-major order without gaps.
    pub fn is_contiguous(&self) -> bool {
        unsafe { sys::td_tensor_is_contiguous(self.as_raw()) != 0 }
    }

    /// True if the memory is mapped read-only.
    pub fn is_read_only(&self) -> bool {
        unsafe { sys::td_tensor_is_read_only(self.as_raw()) != 0 }
    }

    /// True if forked processes, or others that map the same file or segment, see what is written.
    pub fn is_shared(&self) -> bool {
        unsafe { sys::td_tensor_is_shared(self.as_raw()) != 0 }
    }

    /// True if both are references to the same tensor.
    pub fn is_same(&self, other: &Tensor) -> bool {
        self.as_raw() == other.as_raw()
    }

    /// The first byte of the elements, wherever the memory is mapped. Errors: Device; Unsupported.
    pub fn data_ptr(&self) -> Result<*const u8> {
        let mut data = std::ptr::null();
        done!(td_tensor_data(self.as_raw(), &mut data))?;
        Ok(data.cast())
    }

    /// The elements where they lie. Errors: Dtype; Device; Unsupported for tensors that are not row-major, see
    /// [`contiguous`](Tensor::contiguous).
    pub fn view<T: Element>(&self) -> Result<View<T>> {
        self.check_elements::<T>()?;
        let alias = self.detach()?;
        let data = aligned(alias.data_ptr()?.cast::<T>())?;
        // SAFETY: row-major elements of this type, kept mapped by the alias.
        Ok(unsafe { View::new(data, alias) })
    }

    /// A copy of the elements. Errors: Dtype; Device.
    pub fn to_vec<T: Element>(&self) -> Result<Vec<T>> {
        Ok(self.contiguous()?.view::<T>()?.to_vec())
    }

    /// The elements as a slice. Errors: as [`view`](Tensor::view).
    ///
    /// # Safety
    /// While the slice lives, nobody writes the memory: no clone of this tensor or view of it, no dict that holds it,
    /// and no other process, if it is shared.
    pub unsafe fn as_slice<T: Element>(&self) -> Result<&[T]> {
        self.check_elements::<T>()?;
        let data = aligned(self.data_ptr()?.cast::<T>())?;
        // SAFETY: the memory is mapped while `self` lives, and constant by the caller's word.
        Ok(unsafe { std::slice::from_raw_parts(data, self.numel()) })
    }

    /// The elements as a slice to write to. Errors: as [`view`](Tensor::view), and Locked if the memory is read-only.
    /// [`copy_from`](Tensor::copy_from) and [`write`](Tensor::write) are the safe ways to write.
    ///
    /// # Safety
    /// While the slice lives, nobody else in this process reads or writes the memory.
    pub unsafe fn as_mut_slice<T: Element>(&mut self) -> Result<&mut [T]> {
        self.check_elements::<T>()?;
        let mut data = std::ptr::null_mut();
        done!(td_tensor_mutable_data(self.as_raw(), &mut data))?;
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

impl fmt::Display for Tensor {
    /// What Python's `repr(tensor)` prints.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = made!(td_tensor_repr(self.as_raw())).map(Text::take);
        f.write_str(&text.map_err(|_| fmt::Error)?)
    }
}

impl fmt::Debug for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tensor({}, {:?})", self.dtype(), self.shape())
    }
}

handle! {
    /// A list of tensors of the library, on its way to a Vec.
    pub(crate) TensorList: td_tensor_list, td_tensor_list_release
}

impl TensorList {
    pub(crate) fn take(self) -> Result<Vec<Tensor>> {
        let (mut tensors, mut n) = (std::ptr::null(), 0);
        done!(td_tensor_list_view(self.as_raw(), &mut tensors, &mut n))?;
        let one = |index| {
            // SAFETY: the array lives as long as the list; each tensor gets a reference of its own.
            let raw: *mut sys::td_tensor = unsafe { *tensors.add(index) };
            unsafe { sys::td_tensor_retain(raw) };
            let raw = std::ptr::NonNull::new(raw)
                .ok_or_else(|| Error::new(ErrorKind::Internal, "a list with no tensor in it"))?;
            Ok(<Tensor as crate::handle::Handle>::from_raw(raw))
        };
        (0..n).map(one).collect()
    }
}

/// Room for the tensors that a call makes: each place is filled, or the call fails.
pub(crate) fn make_several(
    n: usize,
    f: impl FnOnce(*mut *mut sys::td_tensor, *mut *mut sys::td_error) -> sys::td_status,
) -> Result<Vec<Tensor>> {
    let mut outs = vec![std::ptr::null_mut(); n];
    error::call(|err| f(outs.as_mut_ptr(), err))?;
    outs.into_iter()
        .map(|raw| {
            let raw = std::ptr::NonNull::new(raw);
            raw.map(crate::handle::Handle::from_raw)
                .ok_or_else(|| Error::new(ErrorKind::Internal, "success without a result"))
        })
        .collect()
}

/// Tensors as the array of handles that a function borrows.
pub(crate) fn array(tensors: &[Tensor]) -> *const *mut sys::td_tensor {
    // A Tensor is a transparent handle.
    tensors.as_ptr().cast()
}
