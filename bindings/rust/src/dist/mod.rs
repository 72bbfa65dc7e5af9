//! Distributions: their functions are operator calls, so that gradients flow and vmap works.
mod composite;
mod interaction;
mod probabilistic;
mod transform;

pub use composite::DistPart;
pub use interaction::{with_interaction, Interaction};
pub use probabilistic::{LogProb, Probabilistic, ReturnComposite};
pub use transform::Transform;

use crate::handle::sizes;
use crate::{string, sys, Generator, Node, Result, Tensor};

handle! {
    /// A distribution, immutable.
    pub Dist: td_dist, td_dist_release, td_dist_retain
}

printed!(Dist, td_dist_repr);

constants! {
    /// A statistic of a distribution.
    Stat {
        /// The mean.
        Mean = TD_DIST_STAT_MEAN,
        /// The mode.
        Mode = TD_DIST_STAT_MODE,
        /// The variance.
        Variance = TD_DIST_STAT_VARIANCE,
        /// The entropy.
        Entropy = TD_DIST_STAT_ENTROPY,
        /// The median.
        Median = TD_DIST_STAT_MEDIAN,
        /// The standard deviation.
        Stddev = TD_DIST_STAT_STDDEV,
        /// The type's own deterministic sample.
        Deterministic = TD_DIST_STAT_DETERMINISTIC,
        /// The perplexity.
        Perplexity = TD_DIST_STAT_PERPLEXITY,
    }
}

impl Dist {
    /// Makes a distribution of a type, "td.normal" for instance, from its parameters, which are shared and broadcast;
    /// `config` is a JSON object. Errors: NotFound; Key; Shape; Argument; Plugin.
    ///
    /// ```
    /// # fn main() -> tensordict::Result<()> {
    /// use tensordict::{Dict, Dist, Stat, Tensor};
    /// let mut params = Dict::new(&[])?;
    /// params.set("loc", &Tensor::scalar(2.0f32)?)?;
    /// params.set("scale", &Tensor::scalar(1.0f32)?)?;
    /// let normal = Dist::create("td.normal", &params, "{}")?;
    /// assert_eq!(normal.get(Stat::Mean)?.item()?.to_f64(), 2.0);
    /// # Ok(())
    /// # }
    /// ```
    pub fn create(kind: &str, params: &Node, config: &str) -> Result<Self> {
        made!(td_dist_new(string::borrow(kind), params.as_raw(), string::borrow(config)))
    }

    /// Draws `shape` + batch shape values. Errors: Unsupported if the type cannot.
    pub fn sample(&self, shape: &[i64], generator: Option<&mut Generator>) -> Result<Tensor> {
        made!(td_dist_sample(self.as_raw(), shape.as_ptr(), shape.len(), Generator::optional(generator)))
    }

    /// The same with gradients to the parameters. Errors: Unsupported.
    pub fn rsample(&self, shape: &[i64], generator: Option<&mut Generator>) -> Result<Tensor> {
        made!(td_dist_rsample(self.as_raw(), shape.as_ptr(), shape.len(), Generator::optional(generator)))
    }

    /// The log of the density or mass at `value`. Errors: Unsupported; Shape; Argument outside the support.
    pub fn log_prob(&self, value: &Tensor) -> Result<Tensor> {
        made!(td_dist_log_prob(self.as_raw(), value.as_raw()))
    }

    /// A statistic. Errors: Unsupported if the type has none.
    pub fn get(&self, stat: Stat) -> Result<Tensor> {
        made!(td_dist_get(self.as_raw(), stat.raw()))
    }

    /// The cumulative distribution function at `value`. Errors: Unsupported; Shape; Argument.
    pub fn cdf(&self, value: &Tensor) -> Result<Tensor> {
        made!(td_dist_cdf(self.as_raw(), value.as_raw()))
    }

    /// Its inverse. Errors: Unsupported; Shape.
    pub fn icdf(&self, value: &Tensor) -> Result<Tensor> {
        made!(td_dist_icdf(self.as_raw(), value.as_raw()))
    }

    /// All values of a discrete distribution; without `expand` the batch dims are 1. Errors: Unsupported.
    pub fn enumerate_support(&self, expand: bool) -> Result<Tensor> {
        made!(td_dist_enumerate_support(self.as_raw(), expand.into()))
    }

    /// The same distribution over a larger batch. Errors: Shape; Unsupported.
    pub fn expand(&self, batch: &[i64]) -> Result<Dist> {
        made!(td_dist_expand(self.as_raw(), batch.as_ptr(), batch.len()))
    }

    /// The sizes of its batch dims.
    pub fn batch_shape(&self) -> Vec<i64> {
        sizes(|out, capacity| unsafe { sys::td_dist_batch_shape(self.as_raw(), out, capacity) })
    }

    /// The sizes of its event dims.
    pub fn event_shape(&self) -> Vec<i64> {
        sizes(|out, capacity| unsafe { sys::td_dist_event_shape(self.as_raw(), out, capacity) })
    }

    /// True if [`rsample`](Dist::rsample) works.
    pub fn has_rsample(&self) -> bool {
        unsafe { sys::td_dist_has_rsample(self.as_raw()) != 0 }
    }

    /// True if [`enumerate_support`](Dist::enumerate_support) works.
    pub fn has_enumerate_support(&self) -> bool {
        unsafe { sys::td_dist_has_enumerate_support(self.as_raw()) != 0 }
    }

    /// Takes the last batch dims as event dims. Errors: Argument if there are fewer.
    pub fn independent(&self, ndims: i64) -> Result<Dist> {
        made!(td_dist_independent(self.as_raw(), ndims))
    }

    /// What transforms, in JSON as the header explains them, make of it. Errors: Argument; Key; Shape.
    pub fn transformed(&self, transforms: &str, params: Option<&Node>) -> Result<Dist> {
        made!(td_dist_transformed(self.as_raw(), string::borrow(transforms), Node::optional(params)))
    }

    /// One of the elements along the last batch dim of `components`, chosen by `mixture`. Errors: Argument; Shape.
    pub fn mixture(mixture: &Dist, components: &Dist) -> Result<Dist> {
        made!(td_dist_mixture(mixture.as_raw(), components.as_raw()))
    }

    /// The Kullback-Leibler divergence of this distribution from `other`. Errors: Unsupported.
    pub fn kl_divergence(&self, other: &Dist) -> Result<Tensor> {
        made!(td_dist_kl_divergence(self.as_raw(), other.as_raw()))
    }

    /// Whether distributions made from now on check their parameters and values, in the whole process.
    pub fn set_default_validate_args(validate: bool) {
        unsafe { sys::td_dist_set_default_validate_args(validate.into()) }
    }

    /// That default.
    pub fn default_validate_args() -> bool {
        unsafe { sys::td_dist_default_validate_args() != 0 }
    }
}
