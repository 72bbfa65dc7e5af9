//! Transfers that were begun, to be waited for later.
//!
//! What is sent is copied when the transfer begins, so that a [`Work`] reaches no dict. What is received is written by
//! the wait that succeeds, and a thread of the library may read the dict until the transfer ends, also when nobody
//! waits for it. No borrow lasts that long, so that the dict is moved into the [`Receive`], and comes out of it when
//! both the thread and the handle are done with it.
use crate::{segment, sys, Cancel, Dict, Result};
use std::fmt;
use std::time::Duration;

handle! {
    /// A dict on its way to another rank, as [`Node::isend`](crate::Node::isend) gives it. When it is dropped the
    /// transfer goes on. Python: the `Work` of `torch.distributed`.
    pub Work: td_work, td_work_release, td_work_retain
}

impl Work {
    /// Waits until the other rank has received the dict, any number of times.
    /// Errors: as [`Node::send`](crate::Node::send).
    pub fn wait(&self) -> Result<()> {
        self.wait_until(None, None)
    }

    /// The same, no longer than `timeout`, None without end, and until `cancel` is requested. The transfer goes on
    /// then. Errors: Timeout, which names no rank; Cancelled; as [`wait`](Work::wait).
    pub fn wait_until(&self, timeout: Option<Duration>, cancel: Option<&Cancel>) -> Result<()> {
        done!(td_work_wait(self.as_raw(), segment::milliseconds(timeout), Cancel::optional(cancel)))
    }

    /// Whether the transfer has ended, well or not. Python: `is_completed`.
    pub fn is_done(&self) -> bool {
        // SAFETY: the handle is alive; any thread may call it.
        unsafe { sys::td_work_done(self.as_raw()) != 0 }
    }
}

impl fmt::Debug for Work {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Work").field("done", &self.is_done()).finish()
    }
}

/// A dict that is being received into, as [`Dict::irecv`] gives it. When it is dropped the dict is lost, and what
/// arrives is forgotten.
///
/// Nobody else has the dict meanwhile:
///
/// ```compile_fail,E0382
/// # use tensordict::{Dict, Group, Receive, Result};
/// fn touch(mut batch: Dict, group: &Group) -> Result<Receive> {
///     let receive = batch.irecv(group, 1)?;
///     batch.zero()?;
///     Ok(receive)
/// }
/// ```
pub struct Receive {
    work: Work, // never lent: a clone could write into the dict after it was given back
    dict: Dict,
}

impl Receive {
    /// `work` receives into `dict`, and nobody has another handle of either.
    pub(super) fn new(work: Work, dict: Dict) -> Self {
        Receive { work, dict }
    }

    /// Waits without end, and gives the dict with the values that came. Where it must survive an error, use
    /// [`wait_until`](Receive::wait_until) and [`into_dict`](Receive::into_dict).
    /// Errors: as [`Node::recv`](crate::Node::recv).
    pub fn wait(self) -> Result<Dict> {
        self.wait_until(None, None)?;
        Ok(self.dict)
    }

    /// Waits no longer than `timeout`, None without end, and until `cancel` is requested; the transfer goes on then.
    /// The first wait that succeeds writes the values into the dict.
    /// Errors: Timeout, which names no rank; Cancelled; as [`wait`](Receive::wait).
    pub fn wait_until(&self, timeout: Option<Duration>, cancel: Option<&Cancel>) -> Result<()> {
        self.work.wait_until(timeout, cancel)
    }

    /// Whether the transfer has ended, well or not.
    pub fn is_done(&self) -> bool {
        self.work.is_done()
    }

    /// The dict of a transfer that has ended, unchanged unless a wait has succeeded; `Err` gives this back while the
    /// transfer goes on.
    pub fn into_dict(self) -> std::result::Result<Dict, Self> {
        if self.is_done() {
            return Ok(self.dict);
        }
        Err(self)
    }
}

impl fmt::Debug for Receive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Receive").field("done", &self.is_done()).finish()
    }
}
