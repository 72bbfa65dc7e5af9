//! Dicts in files: an HDF5 file as a dict, without reading it.
use super::{path_text, Mode, SaveOptions};
use crate::key::KeyArray;
use crate::string::Text;
use crate::{string, sys, Dict, Dtype, KeyBuf, Node, Result};
use std::num::NonZeroUsize;
use std::path::Path;

/// An entry that is to be.
#[derive(Clone, Debug)]
pub struct SchemaEntry {
    /// Its key.
    pub key: KeyBuf,
    /// Its elements.
    pub dtype: Dtype,
    /// Its dims after the batch dims.
    pub shape: Vec<i64>,
}

/// Where the tensors of [`Dict::from_schema`] lie.
#[derive(Default)]
pub enum Storage<'a> {
    /// In memory; with a device, the dict has it too.
    #[default]
    Memory,
    /// On a device.
    Device(&'a str),
    /// In memory that forked processes share; the dict is locked.
    Shared,
    /// In a memmap directory.
    Memmap(&'a Path, SaveOptions<'a>),
    /// In an HDF5 file, open to be written.
    Hdf5(&'a Path, SaveOptions<'a>),
}

impl Dict {
    /// A dict of zeros: one entry for each of the schema. Errors: Exists; Key; Shape; Dtype; Device; those of saving.
    pub fn from_schema(schema: &[SchemaEntry], batch_size: &[i64], storage: Storage<'_>) -> Result<Dict> {
        let keys = KeyArray::new(schema.iter().map(|entry| &entry.key));
        let raw = |(index, entry): (usize, &SchemaEntry)| sys::td_schema_entry {
            // SAFETY: in range of the array of keys.
            key: unsafe { keys.as_ptr().add(index) },
            dtype: entry.dtype.raw(),
            reserved: 0,
            dims: entry.shape.as_ptr(),
            ndim: entry.shape.len(),
        };
        let entries: Vec<_> = schema.iter().enumerate().map(raw).collect();
        let (kind, path, device, save) = match storage {
            Storage::Memory => (sys::TD_STORAGE_MEMORY, None, None, None),
            Storage::Device(device) => (sys::TD_STORAGE_MEMORY, None, Some(device), None),
            Storage::Shared => (sys::TD_STORAGE_SHARED, None, None, None),
            Storage::Memmap(path, save) => (sys::TD_STORAGE_MEMMAP, Some(path_text(path)?), None, Some(save)),
            Storage::Hdf5(path, save) => (sys::TD_STORAGE_HDF5, Some(path_text(path)?), None, Some(save)),
        };
        save.unwrap_or_default().with(|save| {
            let options = sys::td_schema_options {
                storage: kind,
                path: string::optional(path),
                device: string::optional(device),
                save,
                ..Default::default()
            };
            made!(td_dict_from_schema(entries.as_ptr(), entries.len(), batch_size.as_ptr(), batch_size.len(), &options))
        })
    }
}

/// How an HDF5 file is opened or made.
#[derive(Clone, Debug)]
pub struct PersistentOptions {
    /// Read or ReadWrite.
    pub mode: Mode,
    /// Of tensors that are new in the file: 1 to 9 with gzip, 0 not at all.
    pub compression: i32,
    /// None: what the file says; of a new file without dims.
    pub batch_size: Option<Vec<i64>>,
    /// If all entries have more in common, only so many dims.
    pub max_batch_dims: Option<NonZeroUsize>,
    /// Sizes of the first dims in which new tensors are stored; None: chosen where needed.
    pub chunks: Option<Vec<i64>>,
    /// Bytes of equal place come together before they are compressed.
    pub shuffle: bool,
}

impl Default for PersistentOptions {
    fn default() -> Self {
        let (batch_size, max_batch_dims, chunks) = (None, None, None);
        PersistentOptions { mode: Mode::Read, compression: 0, batch_size, max_batch_dims, chunks, shuffle: false }
    }
}

impl PersistentOptions {
    fn raw(&self) -> sys::td_persistent_options {
        let pointer = |sizes: &Option<Vec<i64>>| sizes.as_ref().map_or(std::ptr::null(), |sizes| sizes.as_ptr());
        sys::td_persistent_options {
            mode: self.mode.raw(),
            compression: self.compression,
            batch_size: pointer(&self.batch_size),
            ndim: self.batch_size.as_ref().map_or(0, Vec::len),
            max_batch_dims: self.max_batch_dims.map_or(0, |dims| dims.get() as i64),
            chunks: pointer(&self.chunks),
            n_chunks: self.chunks.as_ref().map_or(0, Vec::len),
            shuffle: self.shuffle.into(),
            ..Default::default()
        }
    }
}

impl Dict {
    /// Opens an HDF5 file as a dict: a tensor is read when it is asked for, an index reads only its rows.
    /// Errors: Shape; Argument; NotFound; Corrupt; Unsupported in a build without libhdf5; Io.
    pub fn open_persistent(path: impl AsRef<Path>, options: &PersistentOptions) -> Result<Dict> {
        let path = path_text(path.as_ref())?;
        made!(td_persistent_open(string::borrow(path), &options.raw()))
    }

    /// Makes an HDF5 file without entries and opens it to be written. Errors: Exists; Shape; Argument; Unsupported; Io.
    pub fn create_persistent(path: impl AsRef<Path>, options: &PersistentOptions) -> Result<Dict> {
        let path = path_text(path.as_ref())?;
        made!(td_persistent_create(string::borrow(path), &options.raw()))
    }
}

impl Node {
    /// The path that the file was opened by. Errors: Unsupported if the dict is in no file.
    pub fn persistent_file(&self) -> Result<String> {
        made!(td_persistent_file(self.as_raw())).map(Text::take)
    }

    /// True if the dict is in a file that takes what is written.
    pub fn is_persistent_writable(&self) -> bool {
        unsafe { sys::td_persistent_is_writable(self.as_raw()) != 0 }
    }

    /// Closes the file for this dict and all dicts of it, which then fail with Closed. Errors: Unsupported; NoSpace;
    /// Io.
    pub fn close_persistent(&mut self) -> Result<()> {
        done!(td_persistent_close(self.as_raw()))
    }
}
