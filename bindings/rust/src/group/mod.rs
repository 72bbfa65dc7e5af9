//! Groups: processes, on one machine or on several, that exchange dicts over TCP.
use crate::string::Text;
use crate::{segment, string, sys, Cancel, Error, ErrorKind, Result};
use std::fmt;
use std::time::Duration;

mod collective;
mod transfer;
mod work;

pub use collective::{GroupReduceOptions, GroupReduction};
pub use transfer::TransferOptions;
pub use work::{Receive, Work};

/// How a group is opened. All ranks give the same prefix and size.
#[derive(Clone, Copy, Debug, Default)]
pub struct GroupOptions<'a> {
    /// The number of this rank, from 0.
    pub rank: i32,
    /// How many ranks there are.
    pub size: i32,
    /// Begins the group's keys in the store, so that several groups can use one. None: that of stock Python's
    /// `init_process_group(init_method=)`; `init_process_group(store=)` uses `"0//cpu/"`.
    pub prefix: Option<&'a str>,
    /// A name or number of this machine that the rank listens on; None: 127.0.0.1.
    pub address: Option<&'a str>,
    /// How long one wait for another rank may take, at least a millisecond; None: 5 minutes.
    pub timeout: Option<Duration>,
    /// This rank serves the store of "tcp://...".
    pub serve: bool,
    /// The store may listen on all addresses of the machine, as LibTorch before 2.4 does.
    pub serve_everywhere: bool,
}

handle! {
    /// A place in a group of ranks: processes that exchange dicts, numbered from 0. Python: a process group of
    /// `torch.distributed`.
    ///
    /// ```no_run
    /// # fn main() -> tensordict::Result<()> {
    /// use tensordict::{Dict, Dtype, Group, GroupOptions, Tensor};
    /// let options = GroupOptions { rank: 0, size: 2, ..Default::default() };
    /// let group = Group::open("file:///tmp/digits.meet", options)?; // waits for rank 1
    /// let mut batch = Dict::new(&[2])?;
    /// batch.set("obs", &Tensor::zeros(&[2, 3], Dtype::Float32)?)?;
    /// batch.send(&group, 1)?; // rank 1 calls batch.recv(&group, 0)
    /// batch.all_reduce(&group)?; // and so does rank 1: both have the sums
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// Nothing is authenticated or encrypted: use groups only in networks that you trust. If a rank dies, calls of
    /// others that need it fail as Closed; if it does not answer, as Timeout. The others go on. In a forked child all
    /// calls are Unsupported.
    ///
    /// This rank leaves when its last `Group` is dropped and no transfer is under way; calls that need it are Closed
    /// then. Whoever serves a store of "tcp://..." leaves last.
    pub Group: td_group, td_group_release, td_group_retain
}

impl Group {
    /// Opens a group: waits until all ranks have opened it and are connected. `store` says where they meet:
    /// "tcp://HOST:PORT", which one rank serves, "file:///PATH", a file that does not exist yet, or "env://", where
    /// RANK and WORLD_SIZE stand for the options `rank` and `size`. Python: `torch.distributed.init_process_group`.
    ///
    /// Errors: Argument for a bad store or option, or if a rank has another size; Timeout, which names the missing
    /// ranks; Version if the LibTorch of another rank cannot talk to this one; Exists if the rank or the port is
    /// taken; Unsupported, for instance in a build without the feature "group"; Closed if a rank dies meanwhile; Io.
    pub fn open(store: &str, options: GroupOptions<'_>) -> Result<Self> {
        let options = sys::td_group_options {
            prefix: string::optional(options.prefix),
            address: string::optional(options.address),
            timeout_ms: options.timeout.map_or(0, |timeout| segment::milliseconds(Some(timeout)).max(1)),
            rank: options.rank,
            size: options.size,
            serve: options.serve.into(),
            serve_everywhere: options.serve_everywhere.into(),
            ..Default::default()
        };
        made!(td_group_open(string::borrow(store), &options))
    }

    /// Joins the group that Python's `torch.distributed` made in this process, under its `group_name`. Without
    /// `beside_stock` all ranks adopt it, and each waits for the others; with it, the others call functions of stock
    /// Python: if the backend is Gloo, a message that is longer than its receiver expects ends the receiver's process.
    /// Errors: Argument; NotFound; Version if another rank did not adopt it in this way; Unsupported, also before
    /// LibTorch 2.2; as [`barrier`](Group::barrier).
    pub fn adopt(name: &str, beside_stock: bool) -> Result<Self> {
        made!(td_group_adopt(string::borrow(name), beside_stock.into()))
    }

    /// The number of this rank. Python: `get_rank`.
    pub fn rank(&self) -> i32 {
        // SAFETY: the handle is alive, here and below; any thread may call it.
        unsafe { sys::td_group_rank(self.as_raw()) }
    }

    /// How many ranks there are, of the type of their numbers. Python: `get_world_size`.
    pub fn size(&self) -> i32 {
        unsafe { sys::td_group_size(self.as_raw()) }.try_into().unwrap_or(i32::MAX)
    }

    /// Waits until all ranks have called it, each in one thread. Python: `torch.distributed.barrier`.
    /// Errors: Closed, which names a rank that has died; Timeout.
    pub fn barrier(&self) -> Result<()> {
        done!(td_group_barrier(self.as_raw()))
    }

    /// Sets a value in the store, for all users of it, whatever their prefix. Python: `Store.set`.
    /// Errors: Argument for an empty key; Closed if the rank that serves the store is gone; Io.
    pub fn set(&self, key: &str, value: &str) -> Result<()> {
        done!(td_group_set(self.as_raw(), string::borrow(key), string::borrow(value)))
    }

    /// The value in the store; it waits until there is one. None waits without end. Python: `Store.get`.
    /// Errors: NotFound, or Timeout if it has waited; Corrupt if it is not text; as [`set`](Group::set).
    pub fn get(&self, key: &str, timeout: Option<Duration>) -> Result<String> {
        self.get_until(key, timeout, None)
    }

    /// The same; it fails as Cancelled once `cancel` is requested.
    pub fn get_until(&self, key: &str, timeout: Option<Duration>, cancel: Option<&Cancel>) -> Result<String> {
        let (timeout, cancel) = (segment::milliseconds(timeout), Cancel::optional(cancel));
        let value: Text = made!(td_group_get(self.as_raw(), string::borrow(key), timeout, cancel))?;
        // SAFETY: the view ends before the text is released. Others than this library may have set any bytes.
        let value = unsafe { string::bytes(sys::td_string_view(value.as_raw())) }.to_vec();
        String::from_utf8(value).map_err(|_| Error::new(ErrorKind::Corrupt, "the value in the store is not UTF-8"))
    }

    /// Adds `n` to the number under a key, atomically, and gives the sum; a missing number is 0. Python: `Store.add`.
    /// Errors: as [`set`](Group::set).
    pub fn add(&self, key: &str, n: i64) -> Result<i64> {
        let mut sum = 0;
        done!(td_group_add(self.as_raw(), string::borrow(key), n, &mut sum))?;
        Ok(sum)
    }

    /// Removes a value or a number from the store; false if there was none. Python: `Store.delete_key`.
    /// Errors: as [`set`](Group::set).
    pub fn remove(&self, key: &str) -> Result<bool> {
        let mut removed = 0;
        done!(td_group_remove(self.as_raw(), string::borrow(key), &mut removed))?;
        Ok(removed != 0)
    }
}

impl fmt::Debug for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Group(rank {} of {})", self.rank(), self.size())
    }
}
