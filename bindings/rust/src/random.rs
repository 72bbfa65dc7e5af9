//! Random numbers.
use crate::{sys, Result};
use std::fmt;

handle! {
    /// A generator of random numbers on the CPU: the same seed gives the same numbers as Python's `torch.Generator`.
    pub Generator: td_generator, td_generator_release
}

impl Generator {
    /// One that starts at `seed`.
    pub fn new(seed: u64) -> Result<Self> {
        made!(td_generator_new(seed))
    }

    /// Starts the sequence of `seed` again.
    pub fn seed(&mut self, seed: u64) -> Result<()> {
        done!(td_generator_seed(self.as_raw(), seed))
    }

    pub(crate) fn optional(generator: Option<&mut Generator>) -> *mut sys::td_generator {
        generator.map_or(std::ptr::null_mut(), |generator| generator.as_raw())
    }
}

impl fmt::Debug for Generator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Generator")
    }
}

/// Seeds LibTorch's default generators, for the whole process.
pub fn manual_seed(seed: u64) -> Result<()> {
    done!(td_manual_seed(seed))
}
