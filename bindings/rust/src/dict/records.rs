//! Arrays of records.
use super::{Dict, Node};
use crate::key::KeyArray;
use crate::{sys, Dtype, Error, ErrorKind, KeyBuf, Result};
use std::os::raw::c_void;

/// Where a field lies in every record of an array.
#[derive(Clone, Debug)]
pub struct Field {
    /// The key of its entry.
    pub key: KeyBuf,
    /// Its elements.
    pub dtype: Dtype,
    /// Its dims in one record; none for a single number.
    pub shape: Vec<i64>,
    /// In bytes, from the start of the record.
    pub offset: usize,
}

fn raw(fields: &[Field], keys: &KeyArray<'_>) -> Vec<sys::td_field> {
    let raw = |(index, field): (usize, &Field)| sys::td_field {
        // SAFETY: in range of the array of keys.
        key: unsafe { keys.as_ptr().add(index) },
        dtype: field.dtype.raw(),
        reserved: 0,
        dims: field.shape.as_ptr(),
        ndim: field.shape.len(),
        offset: field.offset,
    };
    fields.iter().enumerate().map(raw).collect()
}

impl Dict {
    /// A dict over an array of records of `itemsize` bytes each, which it takes over without a copy: each field is an
    /// entry on its memory. Errors: Argument naming the field that does not lie in its record; Key; Shape; Dtype.
    pub fn from_records(bytes: Vec<u8>, itemsize: usize, batch_size: &[i64], fields: &[Field]) -> Result<Dict> {
        unsafe extern "C" fn release(owner: *mut c_void) {
            // SAFETY: the box below, which the library gives back once.
            drop(unsafe { Box::from_raw(owner.cast::<Vec<u8>>()) });
        }
        let rows = batch_size.iter().try_fold(itemsize as i64, |product, size| product.checked_mul(*size));
        if rows != i64::try_from(bytes.len()).ok() {
            let message = format!("{} bytes are not {batch_size:?} records of {itemsize}", bytes.len());
            return Err(Error::new(ErrorKind::Shape, &message));
        }
        let keys = KeyArray::new(fields.iter().map(|field| &field.key));
        let fields = raw(fields, &keys);
        let (shape, ndim) = (batch_size.as_ptr(), batch_size.len());
        let mut bytes = Box::new(bytes);
        let data = bytes.as_mut_ptr().cast();
        let owner = Box::into_raw(bytes).cast();
        let release = Some(release as unsafe extern "C" fn(*mut c_void));
        made!(td_dict_from_struct_array(data, itemsize, shape, ndim, fields.as_ptr(), fields.len(), release, owner))
    }
}

impl Node {
    /// Copies entries into an array of such records, with a cast. Bytes of no field are left alone.
    /// Errors: Key for a field without a tensor; Shape; Argument if the array is too small.
    pub fn write_records(&self, fields: &[Field], itemsize: usize, bytes: &mut [u8]) -> Result<()> {
        let keys = KeyArray::new(fields.iter().map(|field| &field.key));
        let fields = raw(fields, &keys);
        let (data, size) = (bytes.as_mut_ptr().cast(), bytes.len());
        done!(td_dict_to_struct_array(self.as_raw(), fields.as_ptr(), fields.len(), itemsize, data, size))
    }
}
