//! Parts of tensors: `x.i((0, 2..))`.
use crate::{Indices, Result, Tensor};

impl Tensor {
    /// The selected part: a view, or a copy if there are tensors or positions in the index. Errors: Index; Dtype.
    pub fn i<'a>(&self, indices: impl Into<Indices<'a>>) -> Result<Tensor> {
        let indices = indices.into();
        made!(td_tensor_index(self.as_raw(), indices.raw.as_ptr(), indices.raw.len()))
    }

    /// Copies `value` there, with broadcasting and a cast. Errors: Index; Shape; Locked; Torch.
    pub fn set_at<'a>(&mut self, indices: impl Into<Indices<'a>>, value: &Tensor) -> Result<()> {
        let indices = indices.into();
        done!(td_tensor_set_at(self.as_raw(), indices.raw.as_ptr(), indices.raw.len(), value.as_raw()))
    }
}
