//! Dicts on a server: their entries stay in Redis or Valkey, for many processes on many machines, as in Python's
//! `TensorDictStore`. A URL is `redis://HOST:PORT/DB?id=ID` or `unix:///PATH?id=ID`.
use super::Mode;
use crate::{key, segment, string, sys, Dict, Node, Result};
use std::time::Duration;

/// How a dict on a server is opened, made, listed or removed.
#[derive(Clone, Copy, Debug)]
pub struct RemoteOptions {
    /// Read or ReadWrite, of a dict that is opened; a new one can be written.
    pub mode: Mode,
    /// How long one wait for the server may take, at least a millisecond; None: 10 seconds.
    pub timeout: Option<Duration>,
}

impl Default for RemoteOptions {
    fn default() -> Self {
        RemoteOptions { mode: Mode::Read, timeout: None }
    }
}

impl RemoteOptions {
    fn raw(&self) -> sys::td_remote_options {
        sys::td_remote_options {
            mode: self.mode.raw(),
            timeout_ms: self.timeout.map_or(0, |timeout| segment::milliseconds(Some(timeout)).max(1)),
            ..Default::default()
        }
    }
}

impl Dict {
    /// Opens a dict or a lazy stack on a server: each `get` reads the tensor, an index reads only its rows, and each
    /// change is one transaction. Errors: Argument for a bad URL; NotFound; Corrupt; Closed; Timeout; Io; Unsupported, for
    /// instance in a build without the feature "redis".
    pub fn open_remote(url: &str, options: RemoteOptions) -> Result<Dict> {
        made!(td_remote_open(string::borrow(url), &options.raw()))
    }

    /// Makes a dict without entries on a server and opens it to be written. Errors: Exists; Shape; as
    /// [`open_remote`](Dict::open_remote).
    pub fn create_remote(url: &str, batch_size: &[i64], options: RemoteOptions) -> Result<Dict> {
        let options =
            sys::td_remote_options { batch_size: batch_size.as_ptr(), ndim: batch_size.len(), ..options.raw() };
        made!(td_remote_create(string::borrow(url), &options))
    }

    /// The ids of the dicts and lazy stacks on a server, in alphabetical order; the URL has no id. Errors: as
    /// [`open_remote`](Dict::open_remote).
    pub fn list_remote(url: &str, options: RemoteOptions) -> Result<Vec<String>> {
        let options = options.raw();
        let ids = key::list(|out, err| unsafe { sys::td_remote_list(string::borrow(url), &options, out, err) })?;
        Ok(ids.iter().map(|id| id.name().to_owned()).collect())
    }

    /// Removes a dict or a lazy stack with all its entries. Errors: NotFound; Busy; as
    /// [`open_remote`](Dict::open_remote).
    pub fn remove_remote(url: &str, options: RemoteOptions) -> Result<()> {
        done!(td_remote_remove(string::borrow(url), &options.raw()))
    }
}

impl Node {
    /// How often this library, in any process, has changed the dict on the server; Python does not count.
    /// Errors: Unsupported if the dict is not on a server; Closed; Timeout; Corrupt.
    pub fn remote_version(&self) -> Result<i64> {
        let mut version = 0;
        done!(td_remote_version(self.as_raw(), &mut version))?;
        Ok(version)
    }

    /// Updates the dict in one transaction if it still has this version. Errors: Busy if it has another one, nothing is
    /// written then; Unsupported if the dict is not on a server; Locked; Closed; Timeout; as [`update`](Node::update).
    pub fn remote_update_if(&mut self, src: &Node, version: i64) -> Result<()> {
        done!(td_remote_update_if(self.as_raw(), src.as_raw(), version))
    }
}
