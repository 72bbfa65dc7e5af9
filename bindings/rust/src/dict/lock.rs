//! Locks: no structural changes, but values may be written.
use super::Node;
use crate::{sys, Result};

impl Node {
    /// Forbids structural changes here and below; values may still be written in place.
    pub fn lock(&mut self) -> Result<()> {
        done!(td_dict_lock(self.as_raw()))
    }

    /// Allows them again, here and below. Errors: Locked while a locked dict contains this one.
    pub fn unlock(&mut self) -> Result<()> {
        done!(td_dict_unlock(self.as_raw()))
    }

    /// True if the structure cannot be changed.
    pub fn is_locked(&self) -> bool {
        unsafe { sys::td_dict_is_locked(self.as_raw()) != 0 }
    }
}
