//! Files: the formats of Python's tensordict, and safetensors.
mod memmap;
mod persistent;
mod remote;
mod tensor;

pub use persistent::{PersistentOptions, SchemaEntry, Storage};
pub use remote::RemoteOptions;

use crate::{callback, string, sys, BoxError, Dict, Error, ErrorKind, Key, Node, Result};
use std::os::raw::c_void;
use std::path::Path;

constants! {
    /// How a dict is kept on disk.
    Format {
        /// As the file says, or the ending of the path.
        Auto = TD_FORMAT_AUTO,
        /// A directory with one file a tensor.
        Memmap = TD_FORMAT_MEMMAP,
        /// One file, `.td`.
        Consolidated = TD_FORMAT_CONSOLIDATED,
        /// A zip file, `.tdz`.
        Archive = TD_FORMAT_ARCHIVE,
        /// `.h5`.
        Hdf5 = TD_FORMAT_HDF5,
        /// `.safetensors`.
        Safetensors = TD_FORMAT_SAFETENSORS,
        /// `.pt`, `.pth`: opened and not saved.
        TorchSave = TD_FORMAT_TORCH_SAVE,
    }
}

impl Format {
    /// Its name, "memmap directory" for instance.
    pub fn name(self) -> &'static str {
        // SAFETY: static text.
        unsafe { string::view(sys::td_format_name(self.raw())) }
    }

    /// The format of what lies at a path. Errors: NotFound; Corrupt if it is of none; Io.
    pub fn detect(path: impl AsRef<Path>) -> Result<Format> {
        let mut out = sys::TD_FORMAT_AUTO;
        let path = path_text(path.as_ref())?;
        done!(td_format_detect(string::borrow(path), &mut out))?;
        Ok(Format::from_raw(out).unwrap_or(Format::Auto))
    }

    /// The format that a save gives a file of this name, by its ending; a directory for any other name.
    pub fn of_ending(path: impl AsRef<Path>) -> Result<Format> {
        let mut out = sys::TD_FORMAT_AUTO;
        let path = path_text(path.as_ref())?;
        done!(td_format_of_ending(string::borrow(path), &mut out))?;
        Ok(Format::from_raw(out).unwrap_or(Format::Auto))
    }
}

constants! {
    /// What writes to an opened dict do.
    Mode {
        /// Memory is mapped read-only: Locked.
        Read = TD_OPEN_READ,
        /// They stay in this process.
        CopyOnWrite = TD_OPEN_COW,
        /// They are in the file at once.
        ReadWrite = TD_OPEN_READ_WRITE,
    }
}

constants! {
    /// How a save is squeezed.
    Compression {
        /// Not at all.
        None = TD_COMPRESSION_NONE,
        /// Archives and HDF5.
        Deflate = TD_COMPRESSION_DEFLATE,
        /// Archives, smaller and many times slower.
        Lzma = TD_COMPRESSION_LZMA,
    }
}

/// How [`Dict::open_with`] opens.
#[derive(Clone, Copy, Debug)]
pub struct OpenOptions {
    /// What writes do.
    pub mode: Mode,
    /// The format, if the file shall not say it.
    pub format: Format,
    /// Take what Python takes, as far as that is safe.
    pub lenient: bool,
    /// The maker of the file is trusted: then HDF5 too is opened by what the file says. Its library believes what it reads.
    pub trusted: bool,
}

impl OpenOptions {
    fn raw(&self) -> sys::td_open_options {
        sys::td_open_options {
            mode: self.mode.raw(),
            format: self.format.raw(),
            lenient: self.lenient.into(),
            trusted: self.trusted.into(),
            ..Default::default()
        }
    }
}

impl Default for OpenOptions {
    fn default() -> Self {
        OpenOptions { mode: Mode::Read, format: Format::Auto, lenient: false, trusted: false }
    }
}

/// Is told that so many of all bytes are written; an error gives up.
pub type Progress<'a> = dyn FnMut(i64, i64) -> std::result::Result<(), BoxError> + 'a;

/// How [`Node::save_with`] saves.
pub struct SaveOptions<'a> {
    /// Replace an earlier save as a whole; else Exists.
    pub overwrite: bool,
    /// Write through to the disk before the new save becomes visible.
    pub sync: bool,
    /// Threads that compress and write.
    pub threads: usize,
    /// Who is told how far it is.
    pub progress: Option<Box<Progress<'a>>>,
    /// The format, if the path's ending shall not say it.
    pub format: Format,
    /// How it is squeezed.
    pub compression: Compression,
}

impl Default for SaveOptions<'_> {
    fn default() -> Self {
        let (format, compression) = (Format::Auto, Compression::None);
        SaveOptions { overwrite: false, sync: false, threads: 0, progress: None, format, compression }
    }
}

unsafe extern "C" fn progress(
    userdata: *mut c_void,
    done: i64,
    total: i64,
    err: *mut *mut sys::td_error,
) -> sys::td_status {
    // SAFETY: `userdata` is the closure of the call under way.
    callback::run(err, || unsafe { (*userdata.cast::<Box<Progress<'_>>>())(done, total) })
}

impl SaveOptions<'_> {
    fn with<R>(mut self, f: impl FnOnce(&sys::td_save_options) -> R) -> R {
        let told = self.progress.as_mut().map(|closure| sys::td_progress {
            fn_: Some(progress),
            userdata: closure as *mut Box<Progress<'_>> as *mut c_void,
            ..Default::default()
        });
        f(&sys::td_save_options {
            overwrite: self.overwrite.into(),
            sync: self.sync.into(),
            threads: self.threads,
            progress: told.as_ref().map_or(std::ptr::null(), |told| told),
            format: self.format.raw(),
            compression: self.compression.raw(),
            ..Default::default()
        })
    }
}

impl Dict {
    /// Opens what Python's `td.save(path)` or [`save`](Node::save) wrote, in any format, without a copy where the
    /// format allows it. Memory is read-only. Errors: NotFound; Corrupt naming the file; Unsupported; Dtype; Io.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Dict::open_with(path, OpenOptions::default())
    }

    /// The same with options. The dict of a memmap directory that is opened to be written is locked.
    pub fn open_with(path: impl AsRef<Path>, options: OpenOptions) -> Result<Self> {
        let raw = options.raw();
        let path = path_text(path.as_ref())?;
        made!(td_open(string::borrow(path), &raw))
    }

    /// The dict at `part` of a directory or an archive: nothing else of it is read. Errors: as [`open`](Dict::open);
    /// NotFound if it is not there or is a tensor; Unsupported for a file in another format.
    pub fn open_part<'k>(path: impl AsRef<Path>, part: impl Into<Key<'k>>, options: OpenOptions) -> Result<Self> {
        let path = path_text(path.as_ref())?;
        part.into().with(|part| {
            let raw = sys::td_open_options { part, ..options.raw() };
            made!(td_open(string::borrow(path), &raw))
        })
    }
}

impl Node {
    /// Saves as stock Python opens it; the ending of the path says the format, a directory without one. A crash leaves
    /// the old or the new, never half. Errors: Exists; Key; Unsupported; NoSpace; Io.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        self.save_with(path, SaveOptions::default())
    }

    /// The same with options. Errors: as [`save`](Node::save), and what the progress closure gives up with.
    pub fn save_with(&self, path: impl AsRef<Path>, options: SaveOptions<'_>) -> Result<()> {
        let path = path_text(path.as_ref())?;
        options.with(|options| done!(td_save(self.as_raw(), string::borrow(path), options)))
    }
}

/// Reads all of an archive and compares every checksum. Errors: NotFound; Corrupt naming the entry; Unsupported; Io.
pub fn verify_archive(path: impl AsRef<Path>) -> Result<()> {
    let path = path_text(path.as_ref())?;
    done!(td_archive_verify(string::borrow(path)))
}

/// Makes the checksums of an archive again, after writes to its tensors. Errors: NotFound; Corrupt; Unsupported; Io.
pub fn refresh_archive_checksums(path: impl AsRef<Path>) -> Result<()> {
    let path = path_text(path.as_ref())?;
    done!(td_archive_refresh_checksums(string::borrow(path)))
}

pub(crate) fn path_text(path: &Path) -> Result<&str> {
    path.to_str().ok_or_else(|| Error::new(ErrorKind::Argument, &format!("{path:?} is not UTF-8")))
}
