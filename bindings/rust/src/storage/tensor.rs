//! Tensors in files of their own: nothing but the elements, row-major.
use super::{path_text, Mode, SaveOptions};
use crate::handle::make_optional;
use crate::string::Text;
use crate::{string, sys, Dtype, Result, Scalar, Tensor};
use std::path::Path;

impl Tensor {
    /// Makes a file of zeros and opens it to be written. Errors: Exists; Shape; Dtype; Unsupported; NoSpace; Io.
    pub fn memmap_zeros(path: impl AsRef<Path>, shape: &[i64], dtype: Dtype, options: SaveOptions<'_>) -> Result<Self> {
        let path = string::borrow(path_text(path.as_ref())?);
        options.with(|options| made!(td_tensor_memmap_zeros(path, shape.as_ptr(), shape.len(), dtype.raw(), options)))
    }

    /// The same with one value everywhere. Errors: as [`memmap_zeros`](Tensor::memmap_zeros); Torch if the dtype cannot
    /// hold it.
    pub fn memmap_full(
        path: impl AsRef<Path>,
        shape: &[i64],
        value: impl Into<Scalar>,
        dtype: Dtype,
        options: SaveOptions<'_>,
    ) -> Result<Self> {
        let path = string::borrow(path_text(path.as_ref())?);
        options.with(|options| {
            made!(td_tensor_memmap_full(path, shape.as_ptr(), shape.len(), &value.into().raw(), dtype.raw(), options))
        })
    }

    /// A copy in a file, open to be written. Errors: as [`memmap_zeros`](Tensor::memmap_zeros); Unsupported for layouts
    /// without bytes.
    pub fn memmap(&self, path: impl AsRef<Path>, options: SaveOptions<'_>) -> Result<Self> {
        let path = string::borrow(path_text(path.as_ref())?);
        options.with(|options| made!(td_tensor_memmap_from(self.as_raw(), path, options)))
    }

    /// The front of a file. Errors: NotFound; Corrupt if it is shorter than the shape needs; Shape; Dtype; Io.
    pub fn memmap_open(path: impl AsRef<Path>, shape: &[i64], dtype: Dtype, mode: Mode) -> Result<Self> {
        let path = string::borrow(path_text(path.as_ref())?);
        made!(td_tensor_memmap_open(path, shape.as_ptr(), shape.len(), dtype.raw(), mode.raw()))
    }

    /// The file whose elements these are, if there is one.
    pub fn saved_path(&self) -> Result<Option<String>> {
        let text: Option<Text> =
            make_optional(|out, err| unsafe { sys::td_tensor_saved_path(self.as_raw(), out, err) })?;
        Ok(text.map(Text::take))
    }
}
