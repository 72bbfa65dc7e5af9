//! Maps in files: one process writes, any number read at the same time.
use super::Query;
use crate::storage::path_text;
use crate::{string, sys, Result};
use std::path::Path;

constants! {
    /// How a map in a file is opened.
    MapMode {
        /// Rows that are not there cannot be added.
        Read = TD_QUERY_MAP_READ,
        /// Rows are added in this process's own memory.
        Copy = TD_QUERY_MAP_COPY,
        /// As the one process that adds rows.
        Write = TD_QUERY_MAP_WRITE,
    }
}

/// How a map is shared.
#[derive(Clone, Copy, Debug, Default)]
pub struct QueryShare {
    /// Rows at most; 0: the library's own limit.
    pub capacity: i64,
    /// The name outlives its writers.
    pub keep: bool,
    /// Ask the system for large pages.
    pub large_pages: bool,
}

/// How a map is saved.
#[derive(Clone, Copy, Debug, Default)]
pub struct QuerySave {
    /// Rows at most, for those who will write to it; 0: what there is.
    pub capacity: i64,
    /// Replace what is there.
    pub overwrite: bool,
}

impl Query {
    /// Moves the map to shared memory, visible under `name`, and writes to it from now on. Errors: Exists; Argument;
    /// Unsupported for exact maps; NoSpace.
    pub fn share(&mut self, name: &str, options: QueryShare) -> Result<()> {
        let options = sys::td_query_share_options {
            capacity: options.capacity,
            keep: options.keep.into(),
            large_pages: options.large_pages.into(),
            ..Default::default()
        };
        done!(td_query_share(self.as_raw(), string::borrow(name), &options))
    }

    /// Writes the map to a file that [`open_file`](Query::open_file) maps. Errors: Exists; as [`share`](Query::share);
    /// Io.
    pub fn save(&self, path: impl AsRef<Path>, options: QuerySave) -> Result<()> {
        let path = path_text(path.as_ref())?;
        let options = sys::td_query_save_options {
            capacity: options.capacity,
            overwrite: options.overwrite.into(),
            ..Default::default()
        };
        done!(td_query_save(self.as_raw(), string::borrow(path), &options))
    }

    /// Takes the map in shared memory called `name` in place of its own. Errors: NotFound; Corrupt; Version; Argument
    /// for other hashes; Locked if it is to be written and somebody does; Unsupported; Io.
    pub fn open(&mut self, name: &str, mode: MapMode) -> Result<()> {
        done!(td_query_attach(self.as_raw(), string::borrow(name), mode.raw()))
    }

    /// The same for a file. Errors: as [`open`](Query::open).
    pub fn open_file(&mut self, path: impl AsRef<Path>, mode: MapMode) -> Result<()> {
        // An absolute path is how the library tells files from names.
        let absolute = std::env::current_dir().map(|here| here.join(path.as_ref()));
        let path = absolute.unwrap_or_else(|_| path.as_ref().to_path_buf());
        self.open(path_text(&path)?, mode)
    }

    /// Removes the name of a map in shared memory. Errors: NotFound; Corrupt; Io.
    pub fn unlink(name: &str) -> Result<()> {
        done!(td_query_unlink(string::borrow(name)))
    }
}
