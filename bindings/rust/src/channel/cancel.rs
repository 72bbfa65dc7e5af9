//! Waits that another thread ends.
use crate::{sys, Result};
use std::fmt;

handle! {
    /// The wish that waits end. Once it is requested, calls that it was given to fail with
    /// [`Cancelled`](crate::ErrorKind::Cancelled), also those that begin later.
    ///
    /// ```
    /// # fn main() -> tensordict::Result<()> {
    /// use tensordict::Cancel;
    /// let stop = Cancel::new()?;
    /// let other = stop.clone();
    /// std::thread::spawn(move || other.request()).join().unwrap();
    /// assert!(stop.is_requested());
    /// # Ok(())
    /// # }
    /// ```
    pub Cancel: td_cancel, td_cancel_release, td_cancel_retain
}

impl Cancel {
    /// One that is not requested.
    pub fn new() -> Result<Self> {
        made!(td_cancel_new())
    }

    /// Ends the waits that it was given to, now and later. Again is harmless.
    pub fn request(&self) {
        // SAFETY: the handle is alive; any thread may call it.
        unsafe { sys::td_cancel_request(self.as_raw()) }
    }

    /// Whether it is requested.
    pub fn is_requested(&self) -> bool {
        // SAFETY: as above.
        unsafe { sys::td_cancel_requested(self.as_raw()) != 0 }
    }

    pub(crate) fn optional(cancel: Option<&Self>) -> *const sys::td_cancel {
        cancel.map_or(std::ptr::null(), |cancel| cancel.as_raw())
    }
}

impl fmt::Debug for Cancel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cancel").field("requested", &self.is_requested()).finish()
    }
}
