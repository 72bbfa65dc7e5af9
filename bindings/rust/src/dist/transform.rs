//! Invertible maps of tensors.
use super::Dist;
use crate::{string, sys, Node, Result, Tensor};

handle! {
    /// An invertible map of tensors, immutable.
    pub Transform: td_transform, td_transform_release, td_transform_retain
}

printed!(Transform, td_transform_repr);

fn array(parts: &[Transform]) -> *const *const sys::td_transform {
    // A Transform is a transparent handle.
    parts.as_ptr().cast()
}

impl Transform {
    /// From JSON, as the header explains it at `td_dist_transformed`. Errors: Argument; Key; Shape.
    pub fn create(transform: &str, params: Option<&Node>) -> Result<Self> {
        made!(td_transform_new(string::borrow(transform), Node::optional(params)))
    }

    /// The cumulative distribution function of a distribution.
    pub fn cdf_of(dist: &Dist) -> Result<Self> {
        made!(td_transform_cdf_of(dist.as_raw()))
    }

    /// One after another; of none, the identity.
    pub fn compose(parts: &[Transform]) -> Result<Self> {
        made!(td_transform_compose(array(parts), parts.len()))
    }

    /// The same map backwards.
    pub fn inverted(&self) -> Result<Self> {
        made!(td_transform_inverse_of(self.as_raw()))
    }

    /// y of x. Errors: Shape; Torch.
    pub fn forward(&self, x: &Tensor) -> Result<Tensor> {
        made!(td_transform_forward(self.as_raw(), x.as_raw()))
    }

    /// x of y. Errors: Unsupported; Shape; Torch.
    pub fn inverse(&self, y: &Tensor) -> Result<Tensor> {
        made!(td_transform_inverse(self.as_raw(), y.as_raw()))
    }

    /// The log of the determinant of dy/dx. Errors: Unsupported; Shape; Torch.
    pub fn log_abs_det_jacobian(&self, x: &Tensor, y: &Tensor) -> Result<Tensor> {
        made!(td_transform_log_abs_det_jacobian(self.as_raw(), x.as_raw(), y.as_raw()))
    }
}

impl Dist {
    /// What these transforms make of the distribution. Errors: Shape.
    pub fn transformed_by(&self, parts: &[Transform]) -> Result<Dist> {
        made!(td_dist_transformed_by(self.as_raw(), array(parts), parts.len()))
    }
}
