//! How a value is taken from a distribution.
use super::Dist;
use crate::{string, sys, Generator, Result, Tensor};

constants! {
    /// How a value is taken from a distribution.
    Interaction {
        /// Whoever asks has a default.
        Default = TD_INTERACTION_DEFAULT,
        /// The mode.
        Mode = TD_INTERACTION_MODE,
        /// The median.
        Median = TD_INTERACTION_MEDIAN,
        /// The mean.
        Mean = TD_INTERACTION_MEAN,
        /// A sample.
        Random = TD_INTERACTION_RANDOM,
        /// The type's own deterministic sample.
        Deterministic = TD_INTERACTION_DETERMINISTIC,
    }
}

impl Interaction {
    /// The type of a name, in any case. Errors: Argument.
    pub fn from_name(name: &str) -> Result<Self> {
        let mut out = sys::TD_INTERACTION_DEFAULT;
        done!(td_interaction_from_name(string::borrow(name), &mut out))?;
        Ok(Interaction::from_raw(out).unwrap_or(Interaction::Default))
    }

    /// The type of this thread; Default if none is set.
    pub fn current() -> Self {
        Interaction::from_raw(unsafe { sys::td_interaction_get() }).unwrap_or(Interaction::Default)
    }
}

/// Runs `f` with another type on this thread, over the default of every module.
pub fn with_interaction<R>(interaction: Interaction, f: impl FnOnce() -> R) -> R {
    struct Before(sys::td_interaction);

    impl Drop for Before {
        fn drop(&mut self) {
            let set = done!(td_interaction_set(self.0, std::ptr::null_mut()));
            debug_assert!(set.is_ok(), "{set:?}");
        }
    }

    let mut before = Before(sys::TD_INTERACTION_DEFAULT);
    let set = done!(td_interaction_set(interaction.raw(), &mut before.0));
    debug_assert!(set.is_ok(), "{set:?}");
    f()
}

impl Dist {
    /// A value as `interaction` says. Random draws `shape`, with gradients where the distribution has them; the others
    /// repeat their value. With `n_empirical` > 0, where there is no mean, that of so many draws. Errors: Unsupported;
    /// Argument.
    pub fn interact(
        &self,
        interaction: Interaction,
        shape: &[i64],
        n_empirical: i64,
        generator: Option<&mut Generator>,
    ) -> Result<Tensor> {
        let (dist, how, generator) = (self.as_raw(), interaction.raw(), Generator::optional(generator));
        made!(td_dist_interact(dist, how, shape.as_ptr(), shape.len(), n_empirical, generator))
    }
}
