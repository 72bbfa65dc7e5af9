use crate::error::{call, create};
use crate::{string, sys, Dict, Result};
use std::fmt;
use std::ptr::NonNull;

/// A dict in named shared memory, which any process of the same user opens without a copy.
///
/// The creator may change the values; everybody else reads. When the creator's segment is dropped the name goes, unless it
/// was made by [`create_kept`](Segment::create_kept); processes that have it open keep it.
pub struct Segment {
    raw: NonNull<sys::td_segment>,
}

// SAFETY: the reference count is atomic, `&self` functions take `const td_segment *`, and there is no second handle to the
// same object (Segment is not Clone), so `&mut self` has it for itself.
unsafe impl Send for Segment {}
// SAFETY: as above.
unsafe impl Sync for Segment {}

impl Segment {
    /// Copies `dict` into a new segment, visible at one stroke. Errors: Exists if the name is taken; Argument; NoSpace.
    pub fn create(name: &str, dict: &Dict) -> Result<Self> {
        Segment::create_with(name, dict, false)
    }

    /// The same, and the name outlives this process: somebody has to [`unlink`](Segment::unlink) it.
    pub fn create_kept(name: &str, dict: &Dict) -> Result<Self> {
        Segment::create_with(name, dict, true)
    }

    fn create_with(name: &str, dict: &Dict, keep: bool) -> Result<Self> {
        let options = sys::td_segment_options { keep: keep.into(), ..Default::default() };
        create(|out, err| unsafe { sys::td_segment_create(string::borrow(name), dict.as_raw(), &options, out, err) })
            .map(|raw| Segment { raw })
    }

    /// Opens a segment read-only. Errors: NotFound; Corrupt; Version; Io.
    pub fn open(name: &str) -> Result<Self> {
        create(|out, err| unsafe { sys::td_segment_open(string::borrow(name), out, err) }).map(|raw| Segment { raw })
    }

    /// Removes a name; processes that have the segment open keep it. Errors: NotFound; Corrupt.
    pub fn unlink(name: &str) -> Result<()> {
        call(|err| unsafe { sys::td_segment_unlink(string::borrow(name), err) })
    }

    /// The C handle, borrowed: for [`sys`] calls that are not covered here.
    pub fn as_raw(&self) -> *mut sys::td_segment {
        self.raw.as_ptr()
    }

    /// The dict in the segment, locked. Its tensors are views of the shared memory and keep it mapped.
    pub fn dict(&self) -> Result<Dict> {
        create(|out, err| unsafe { sys::td_segment_dict(self.as_raw(), out, err) }).map(Dict::from_raw)
    }

    /// Copies the values of `src` into the shared memory: everybody sees them without reopening. Errors: Locked unless this
    /// process created it; Key, Shape, Dtype if `src` differs in structure.
    pub fn update(&mut self, src: &Dict) -> Result<()> {
        call(|err| unsafe { sys::td_segment_update(self.as_raw(), src.as_raw(), err) })
    }

    /// Number of updates begun and ended: odd while one is under way. Values read between two calls that return the same
    /// even number belong to one update.
    pub fn version(&self) -> u64 {
        unsafe { sys::td_segment_version(self.as_raw()) }
    }

    /// The file that stock Python opens with `TensorDict.from_consolidated`.
    pub fn path(&self) -> &str {
        // SAFETY: the text lives as long as the segment.
        unsafe { string::view(sys::td_segment_path(self.as_raw())) }
    }

    /// Bytes of the whole segment.
    pub fn nbytes(&self) -> usize {
        unsafe { sys::td_segment_nbytes(self.as_raw()) }.try_into().unwrap_or(0)
    }
}

impl Drop for Segment {
    fn drop(&mut self) {
        unsafe { sys::td_segment_release(self.as_raw()) }
    }
}

impl fmt::Debug for Segment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Segment({}, version {})", self.path(), self.version())
    }
}
