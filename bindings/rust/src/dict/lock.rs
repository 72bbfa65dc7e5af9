//! Locks: no structural changes, but values may be written.
use super::Node;
use crate::{sys, Result};

impl Node {
    /// Forbids structural changes here and below; values may still be written in place.
    pub fn lock(&mut self) -> Result<()> {
        done!(td_dict_lock_(self.as_raw()))
    }

    /// Allows them again, here and below. Errors: Locked while a locked dict contains this one.
    pub fn unlock(&mut self) -> Result<()> {
        done!(td_dict_unlock_(self.as_raw()))
    }

    /// True if the structure cannot be changed.
    pub fn is_locked(&self) -> bool {
        unsafe { sys::td_dict_is_locked(self.as_raw()) != 0 }
    }

    /// True if there are tensors, and forked processes see what is written to each of them.
    pub fn is_shared(&self) -> bool {
        unsafe { sys::td_dict_is_shared(self.as_raw()) != 0 }
    }

    /// Moves the memory of all tensors to where processes that are forked from now on share it, and locks the dict.
    /// Errors: Unsupported; NoSpace.
    ///
    /// # Safety
    /// No [`View`](crate::View) or slice of these tensors lives: their memory goes.
    pub unsafe fn share_memory(&mut self) -> Result<()> {
        done!(td_dict_share_memory_(self.as_raw()))
    }
}
