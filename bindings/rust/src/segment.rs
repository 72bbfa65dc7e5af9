//! Dicts in named shared memory.
use crate::handle::count;
use crate::string::Text;
use crate::{string, sys, Cancel, Dict, Node, Result};
use std::fmt;
use std::os::unix::io::{AsRawFd, FromRawFd, OwnedFd};
use std::time::Duration;

handle! {
    /// A dict in named shared memory, which any process of the same user opens without a copy.
    ///
    /// The creator may change the values; everybody else reads. When the creator's segment is dropped the name goes,
    /// unless it was made with `keep`; processes that have it open keep it.
    pub Segment: td_segment, td_segment_release
}

/// How a segment is made.
#[derive(Clone, Copy, Debug, Default)]
pub struct SegmentOptions {
    /// The name outlives its owner; somebody has to [`unlink`](Segment::unlink) it.
    pub keep: bool,
    /// Ask the system for large pages.
    pub large_pages: bool,
    /// Buffers for [`Segment::snapshot`]: 0, or 2 to 8.
    pub snapshots: i32,
    /// Take the name of a segment whose owner has ended.
    pub replace_dead: bool,
}

/// How a segment is opened.
#[derive(Clone, Copy, Debug)]
pub struct SegmentOpenOptions<'a> {
    /// Map every page now, instead of when it is first read.
    pub populate: bool,
    /// Ask the system for large pages.
    pub large_pages: bool,
    /// How long to wait for the name; None waits without end. The default is zero, which does not wait.
    pub timeout: Option<Duration>,
    /// Ends that wait.
    pub cancel: Option<&'a Cancel>,
}

impl Default for SegmentOpenOptions<'_> {
    fn default() -> Self {
        SegmentOpenOptions { populate: false, large_pages: false, timeout: Some(Duration::ZERO), cancel: None }
    }
}

impl Segment {
    /// Copies `dict` into a new segment, visible atomically. Errors: Exists if the name is taken; Argument; NoSpace.
    pub fn create(name: &str, dict: &Node) -> Result<Self> {
        Segment::create_with(name, dict, SegmentOptions::default())
    }

    /// The same with options.
    pub fn create_with(name: &str, dict: &Node, options: SegmentOptions) -> Result<Self> {
        let options = sys::td_segment_options {
            keep: options.keep.into(),
            large_pages: options.large_pages.into(),
            snapshots: options.snapshots,
            replace_dead: options.replace_dead.into(),
            ..Default::default()
        };
        made!(td_segment_create(string::borrow(name), dict.as_raw(), &options))
    }

    /// Opens a segment read-only. Errors: NotFound; Corrupt; Version; Io.
    pub fn open(name: &str) -> Result<Self> {
        made!(td_segment_open(string::borrow(name), std::ptr::null()))
    }

    /// The same with options. Errors: Timeout instead of NotFound if it waits; Cancelled.
    pub fn open_with(name: &str, options: SegmentOpenOptions<'_>) -> Result<Self> {
        let options = sys::td_segment_open_options {
            populate: options.populate.into(),
            large_pages: options.large_pages.into(),
            timeout_ms: milliseconds(options.timeout),
            cancel: Cancel::optional(options.cancel),
            ..Default::default()
        };
        made!(td_segment_open(string::borrow(name), &options))
    }

    /// Removes a name; processes that have the segment open keep it. Errors: NotFound; Corrupt.
    pub fn unlink(name: &str) -> Result<()> {
        done!(td_segment_unlink(string::borrow(name)))
    }

    /// Segments, channels and maps of this user whose names begin with `prefix`, as a JSON array of objects.
    pub fn list(prefix: &str) -> Result<String> {
        made!(td_segment_list(string::borrow(prefix))).map(Text::take)
    }

    /// Removes names that killed processes left, and says how many. Errors: Io; Timeout.
    pub fn prune(prefix: &str) -> Result<usize> {
        let mut removed = 0;
        done!(td_segment_prune(string::borrow(prefix), &mut removed))?;
        Ok(count(removed))
    }

    /// Sends a copy of `dict` through a Unix socket, in nameless memory that nobody can change any more.
    /// Errors: Argument if it is no Unix socket; Closed; Timeout; as [`export`](Segment::export).
    pub fn send(dict: &Node, socket: &impl AsRawFd) -> Result<()> {
        done!(td_segment_send(dict.as_raw(), socket.as_raw_fd()))
    }

    /// Opens what [`send`](Segment::send) sends; None waits without end. Errors: Timeout; Closed; Corrupt.
    pub fn receive(socket: &impl AsRawFd, timeout: Option<Duration>) -> Result<Self> {
        made!(td_segment_receive(socket.as_raw_fd(), milliseconds(timeout)))
    }

    /// Copies `dict` into nameless memory that nobody can change any more. Errors: NoSpace; Unsupported; Io.
    pub fn export(dict: &Node) -> Result<OwnedFd> {
        let mut descriptor = -1;
        done!(td_segment_export(dict.as_raw(), &mut descriptor))?;
        // SAFETY: the descriptor is ours.
        Ok(unsafe { OwnedFd::from_raw_fd(descriptor) })
    }

    /// Opens what [`export`](Segment::export) made in another process. Errors: Argument if it can still be changed;
    /// Corrupt; Version; Io.
    pub fn import(descriptor: &impl AsRawFd) -> Result<Self> {
        made!(td_segment_import(descriptor.as_raw_fd()))
    }

    /// The dict in the segment, locked. Its tensors are views of the shared memory and keep it mapped.
    pub fn dict(&self) -> Result<Dict> {
        made!(td_segment_dict(self.as_raw()))
    }

    /// The newest complete state as a locked dict of read-only views, which no update touches while one of its tensors
    /// lives. Errors: Unsupported without the option `snapshots`; NoSpace if 62 processes read already; Corrupt.
    pub fn snapshot(&self) -> Result<Dict> {
        made!(td_segment_snapshot(self.as_raw()))
    }

    /// Copies the values of `src` into the shared memory: everybody sees them without reopening. Errors: Locked unless
    /// this process created it; Key, Shape, Dtype if `src` differs in structure.
    pub fn update(&mut self, src: &Node) -> Result<()> {
        done!(td_segment_update(self.as_raw(), src.as_raw()))
    }

    /// Number of updates begun and ended: odd while one is under way. Values read between two calls that return the
    /// same even number belong to one update.
    pub fn version(&self) -> u64 {
        unsafe { sys::td_segment_version(self.as_raw()) }
    }

    /// Waits until an update later than `seen` has ended, and gives the version then. None waits without end.
    /// Errors: Timeout; Closed once the process that created it has ended; Unsupported for memory without a name.
    pub fn wait(&self, seen: u64, timeout: Option<Duration>) -> Result<u64> {
        self.wait_until(seen, timeout, None)
    }

    /// The same; it fails as Cancelled once `cancel` is requested.
    pub fn wait_until(&self, seen: u64, timeout: Option<Duration>, cancel: Option<&Cancel>) -> Result<u64> {
        let (mut version, cancel) = (0, Cancel::optional(cancel));
        done!(td_segment_wait(self.as_raw(), seen, milliseconds(timeout), cancel, &mut version))?;
        Ok(version)
    }

    /// The file that stock Python opens with `TensorDict.from_consolidated`.
    pub fn path(&self) -> &str {
        // SAFETY: the text lives as long as the segment.
        unsafe { string::view(sys::td_segment_path(self.as_raw())) }
    }

    /// Bytes of the whole segment.
    pub fn nbytes(&self) -> usize {
        count(unsafe { sys::td_segment_nbytes(self.as_raw()) })
    }
}

/// What functions that wait take: None is without end.
pub(crate) fn milliseconds(timeout: Option<Duration>) -> i64 {
    timeout.map_or(-1, |time| time.as_millis().try_into().unwrap_or(i64::MAX))
}

impl fmt::Debug for Segment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Segment({}, version {})", self.path(), self.version())
    }
}
