//! DLPack: exchange with other array libraries, without a copy.
use crate::{sys, Result, Tensor};
use std::os::raw::c_void;

/// A tensor given away as DLPack's `DLManagedTensorVersioned`, for one receiver; dropped, it calls its own deleter.
#[derive(Debug)]
pub struct Dlpack {
    raw: *mut sys::DLManagedTensorVersioned,
}

impl Dlpack {
    /// The struct, for a C library that takes it over and calls its deleter once.
    pub fn into_raw(self) -> *mut c_void {
        std::mem::ManuallyDrop::new(self).raw.cast()
    }

    /// Takes a struct over.
    ///
    /// # Safety
    /// `raw` is a `DLManagedTensorVersioned` that nobody else uses any more, and whose memory is what it says.
    pub unsafe fn from_raw(raw: *mut c_void) -> Self {
        Dlpack { raw: raw.cast() }
    }
}

impl Drop for Dlpack {
    fn drop(&mut self) {
        // A tensor that is made of it and dropped calls the deleter, also if making it fails.
        let taken: Result<Tensor> = made!(td_tensor_from_dlpack(self.raw));
        drop(taken);
    }
}

impl Tensor {
    /// Gives another reference to the memory away. Errors: Unsupported for sparse tensors and ones that require grad;
    /// Device; Dtype.
    pub fn to_dlpack(&self) -> Result<Dlpack> {
        let mut raw = std::ptr::null_mut();
        done!(td_tensor_to_dlpack(self.as_raw(), &mut raw))?;
        Ok(Dlpack { raw })
    }

    /// The same in the form of before DLPack 1.0, which cannot say that memory is read-only (Locked). The receiver
    /// calls the struct's deleter once.
    pub fn to_dlpack_unversioned(&self) -> Result<*mut c_void> {
        let mut raw = std::ptr::null_mut();
        done!(td_tensor_to_dlpack_unversioned(self.as_raw(), &mut raw))?;
        Ok(raw.cast())
    }

    /// Takes the memory of another library's array. Errors: Version; Dtype; Device; Shape; Argument.
    pub fn from_dlpack(array: Dlpack) -> Result<Tensor> {
        made!(td_tensor_from_dlpack(array.into_raw().cast()))
    }

    /// The same for the form of before DLPack 1.0.
    ///
    /// # Safety
    /// `raw` is a `DLManagedTensor` that nobody else uses any more, and whose memory is what it says.
    pub unsafe fn from_dlpack_unversioned(raw: *mut c_void) -> Result<Tensor> {
        made!(td_tensor_from_dlpack_unversioned(raw.cast()))
    }
}
