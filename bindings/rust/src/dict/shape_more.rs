//! Shapes that take a copy.
use super::{Dict, Node};
use crate::Result;

impl Node {
    /// A copy with each batch dim as often as `repeats` says. Errors: Shape.
    pub fn repeat(&self, repeats: &[i64]) -> Result<Dict> {
        made!(td_dict_repeat(self.as_raw(), repeats.as_ptr(), repeats.len()))
    }

    /// The same for the last dims, or with more numbers for new dims on the left. Errors: Shape.
    pub fn tile(&self, repeats: &[i64]) -> Result<Dict> {
        made!(td_dict_tile(self.as_raw(), repeats.as_ptr(), repeats.len()))
    }

    /// A copy with each element of `dim` several times in a row: one number for all, or one for each. Errors: Index;
    /// Shape.
    pub fn repeat_interleave(&self, repeats: &[i64], dim: i64) -> Result<Dict> {
        made!(td_dict_repeat_interleave(self.as_raw(), repeats.as_ptr(), repeats.len(), dim))
    }

    /// A copy with the elements of `dims` in reverse order. Errors: Index; Argument.
    pub fn flip(&self, dims: &[i64]) -> Result<Dict> {
        made!(td_dict_flip(self.as_raw(), dims.as_ptr(), dims.len()))
    }

    /// A copy with the elements of each dim shifted; without dims one shift applies to the flattened batch.
    /// Errors: Index; Argument.
    pub fn roll(&self, shifts: &[i64], dims: &[i64]) -> Result<Dict> {
        made!(td_dict_roll(self.as_raw(), shifts.as_ptr(), shifts.len(), dims.as_ptr(), dims.len()))
    }

    /// A copy turned `times` times by 90 degrees, from `dim0` towards `dim1`. Errors: Index; Argument.
    pub fn rot90(&self, times: i64, dim0: i64, dim1: i64) -> Result<Dict> {
        made!(td_dict_rot90(self.as_raw(), times, dim0, dim1))
    }
}
