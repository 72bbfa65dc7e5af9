//! Messages: one to write, and one that was taken.
use crate::dict::{Lent, LentMut};
use crate::handle::count;
use crate::{sys, Dict, Result};
use std::fmt;

handle! {
    /// A message to write in its place; dropped without being published it is given up.
    pub Draft: td_message, td_message_release
}

handle! {
    /// A message that was taken; its slot is free again when it and all tensors of it are dropped.
    pub Message: td_message, td_message_release
}

impl Draft {
    /// The message as a locked dict whose tensors may be written. Errors: Unsupported in a forked child.
    pub fn dict_mut(&mut self) -> Result<LentMut<'_>> {
        made!(td_message_dict(self.as_raw())).map(LentMut::new)
    }

    /// Hands the message to the consumers. Errors: Closed, with which it is given up; Corrupt.
    pub fn publish(self) -> Result<()> {
        done!(td_message_publish(self.as_raw()))
    }
}

impl Message {
    /// The message as a locked, read-only dict.
    ///
    /// It is lent, so that it does not outlive the message:
    ///
    /// ```compile_fail
    /// fn keep(message: tensordict::Message) -> tensordict::Lent<'static, tensordict::Dict> {
    ///     message.dict().unwrap()
    /// }
    /// ```
    ///
    /// Errors: Unsupported in a forked child.
    pub fn dict(&self) -> Result<Lent<'_, Dict>> {
        made!(td_message_dict(self.as_raw())).map(Lent::new)
    }

    /// A dict of its own memory, which does not keep the slot. Errors: Unsupported in a forked child.
    pub fn to_dict(&self) -> Result<Dict> {
        made!(td_message_clone(self.as_raw()))
    }

    /// How many tensors and dicts of the message are in use outside of it: 0 if its slot is free when it is dropped.
    pub fn open_views(&self) -> usize {
        // SAFETY: the handle is alive; any thread may call it.
        count(unsafe { sys::td_message_open_views(self.as_raw()) })
    }

    /// Its place in the order of publishing, from 0.
    pub fn number(&self) -> i64 {
        unsafe { sys::td_message_number(self.as_raw()) }
    }

    /// How often it was handed out, this time included; 0 in a broadcast.
    pub fn delivery(&self) -> usize {
        count(unsafe { sys::td_message_delivery(self.as_raw()) }.into())
    }

    /// Messages that were dropped since this handle last took one.
    pub fn lag(&self) -> usize {
        count(unsafe { sys::td_message_lag(self.as_raw()) })
    }
}

impl fmt::Debug for Draft {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Draft")
    }
}

impl fmt::Debug for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Message({})", self.number())
    }
}
