//! Random numbers.
use crate::{sys, Result, Tensor};
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

    /// The seed that it began with.
    pub fn initial_seed(&self) -> u64 {
        unsafe { sys::td_generator_initial_seed(self.as_raw()) }
    }

    /// Where it is in its sequence, as bytes: those of Python's `get_state`.
    pub fn state(&self) -> Result<Tensor> {
        made!(td_generator_state(self.as_raw()))
    }

    /// Goes back to a state. Errors: Dtype; Shape; Corrupt.
    pub fn load_state(&mut self, state: &Tensor) -> Result<()> {
        done!(td_generator_load_state(self.as_raw(), state.as_raw()))
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
