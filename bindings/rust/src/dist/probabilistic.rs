//! Modules that make a distribution of what they read, and write a value of it.
use super::{Dist, DistPart, Interaction};
use crate::callback::{self, destroy, keep};
use crate::handle::sizes;
use crate::key::{self, KeyArray};
use crate::module::{made_apart, module_array};
use crate::string::borrow_all;
use crate::{string, sys, BoxError, Dict, Error, ErrorKind, Generator, Key, KeyBuf, Module, Node, Result, Tensor};
use std::os::raw::c_void;

/// How a probabilistic module draws.
#[derive(Debug, Default)]
pub struct Probabilistic {
    /// How a value is taken; None: deterministically.
    pub default_interaction: Option<Interaction>,
    /// Writes the log-probability of the value, too.
    pub return_log_prob: bool,
    /// One key for the log-probability of all values.
    pub aggregate: bool,
    /// Other names of log-probabilities.
    pub log_prob_keys: Vec<KeyBuf>,
    /// The mean of so many draws where there is none.
    pub n_empirical_estimate: i64,
    /// Dims that are put before those of the data.
    pub num_samples: Vec<i64>,
    /// For all draws; it moves into the module.
    pub generator: Option<Generator>,
    /// A seed in the data, which is replaced by the next one after each draw.
    pub generator_key: Option<KeyBuf>,
    /// One for each in-key: the parameters that they are.
    pub param_names: Option<Vec<String>>,
    /// Parameters that are not in the data, by name.
    pub params: Option<Dict>,
}

constants! {
    /// What [`Module::get_dist`] gives of a sequence.
    ReturnComposite {
        /// A composite if there are several probabilistic members.
        Default = TD_RETURN_COMPOSITE_DEFAULT,
        /// The distribution of the last member.
        No = TD_RETURN_COMPOSITE_FALSE,
        /// One composite distribution of all probabilistic members.
        Yes = TD_RETURN_COMPOSITE_TRUE,
    }
}

/// How a log-probability is computed.
#[derive(Clone, Debug, Default)]
pub struct LogProb {
    /// The distribution; None: the one that the module makes of the data.
    pub dist: Option<Dist>,
    /// [`Module::log_prob_dict`] adds the sum of all.
    pub include_sum: bool,
    /// Members of a sequence read the samples in the data, where they are.
    pub given_samples: bool,
}

impl Probabilistic {
    fn with<R>(self, n_in: Option<usize>, f: impl FnOnce(&sys::td_probabilistic_options) -> Result<R>) -> Result<R> {
        let log_probs = KeyArray::new(&self.log_prob_keys);
        let generator_key = KeyArray::new(&self.generator_key);
        let names = self.param_names.as_ref().map(|names| borrow_all(names.iter().map(|name| Some(&**name))));
        if let (Some(names), Some(n)) = (&names, n_in) {
            if names.len() != n {
                return Err(Error::new(ErrorKind::Argument, &format!("{} names for {n} in-keys", names.len())));
            }
        }
        f(&sys::td_probabilistic_options {
            default_interaction: self.default_interaction.unwrap_or(Interaction::Default).raw(),
            return_log_prob: self.return_log_prob.into(),
            aggregate: self.aggregate.into(),
            log_prob_keys: log_probs.as_ptr(),
            n_log_prob_keys: log_probs.len(),
            n_empirical_estimate: self.n_empirical_estimate,
            // No dims are another thing than none given, which is NULL.
            num_samples: if self.num_samples.is_empty() { std::ptr::null() } else { self.num_samples.as_ptr() },
            n_num_samples: self.num_samples.len(),
            generator: self.generator.as_ref().map_or(std::ptr::null_mut(), Generator::as_raw),
            generator_key: if generator_key.len() == 0 { std::ptr::null() } else { generator_key.as_ptr() },
            param_names: names.as_ref().map_or(std::ptr::null(), Vec::as_ptr),
            params: self.params.as_ref().map_or(std::ptr::null(), |params| params.as_raw() as *const _),
            ..Default::default()
        })
    }
}

unsafe extern "C" fn make_dist<F>(
    userdata: *mut c_void,
    params: *const sys::td_dict,
    out: *mut *mut sys::td_dist,
    err: *mut *mut sys::td_error,
) -> sys::td_status
where
    F: Fn(&Node) -> std::result::Result<Dist, BoxError> + Send + Sync + 'static,
{
    callback::run(err, || {
        // SAFETY: `userdata` is the closure that was kept, and the library lends the params for this call.
        unsafe { *out = std::mem::ManuallyDrop::new((*userdata.cast::<F>())(Node::lend(params))?).as_raw() };
        Ok(())
    })
}

impl Module {
    /// A module of a distribution type: its parameters are read from the in-keys, the value is written to the out-key.
    /// Errors: NotFound; Argument.
    pub fn probabilistic<'k, I: Into<Key<'k>>, O: Into<Key<'k>>>(
        kind: &str,
        config: &str,
        in_keys: impl IntoIterator<Item = I>,
        out_keys: impl IntoIterator<Item = O>,
        options: Probabilistic,
    ) -> Result<Module> {
        let (ins, outs) = (KeyArray::new(in_keys), KeyArray::new(out_keys));
        let (kind, config) = (string::borrow(kind), string::borrow(config));
        let (ins_at, outs_at) = (ins.as_ptr(), outs.as_ptr());
        options.with(Some(ins.len()), |options| {
            made!(td_module_probabilistic(kind, config, ins_at, ins.len(), outs_at, outs.len(), options))
        })
    }

    /// The same of several parts, whose parameters are in the dict under `params`. Errors: as
    /// [`probabilistic`](Module::probabilistic).
    pub fn probabilistic_composite<'k>(
        params: impl Into<Key<'k>>,
        parts: &[DistPart],
        options: Probabilistic,
    ) -> Result<Module> {
        let params = params.into();
        options.with(None, |options| {
            DistPart::with(parts, |parts, n| {
                params.with(|params| made!(td_module_probabilistic_composite(params, parts, n, options)))
            })
        })
    }

    /// The same of any distribution that a closure makes of the parameters. Errors: as
    /// [`probabilistic`](Module::probabilistic).
    pub fn probabilistic_fn<'k, I, O, F>(
        in_keys: impl IntoIterator<Item = I>,
        out_keys: impl IntoIterator<Item = O>,
        options: Probabilistic,
        f: F,
    ) -> Result<Module>
    where
        I: Into<Key<'k>>,
        O: Into<Key<'k>>,
        F: Fn(&Node) -> std::result::Result<Dist, BoxError> + Send + Sync + 'static,
    {
        let (ins, outs) = (KeyArray::new(in_keys), KeyArray::new(out_keys));
        let (ins_at, outs_at) = (ins.as_ptr(), outs.as_ptr());
        options.with(Some(ins.len()), |options| {
            let function = sys::td_dist_function {
                fn_: Some(make_dist::<F>),
                userdata: keep(f),
                destroy: Some(destroy::<F>),
                ..Default::default()
            };
            made!(td_module_probabilistic_function(&function, ins_at, ins.len(), outs_at, outs.len(), options))
        })
    }

    /// A sequence with probabilistic members. Errors: as [`sequential_with`](Module::sequential_with); Argument.
    pub fn probabilistic_sequential(
        modules: Vec<Module>,
        composite: ReturnComposite,
        options: &crate::SequenceOptions,
    ) -> Result<Module> {
        let (raws, n) = (module_array(&modules), modules.len());
        options.with(n, |options| made!(td_module_probabilistic_sequential(raws, n, composite.raw(), options)))
    }

    /// The distribution that a probabilistic module or sequence makes of the data; members of a sequence write into
    /// `out`, or into the data. Errors: Unsupported if there is none; Key; those of the members.
    pub fn get_dist(&self, data: &mut Node, out: Option<&mut Node>) -> Result<Dist> {
        made!(td_module_get_dist(self.as_raw(), data.as_raw(), Node::optional(out.as_deref())))
    }

    /// Runs all members of a probabilistic sequence but the last. None if what they write is in `out` or `data`.
    /// Errors: Argument if it is no such sequence; those of the members.
    pub fn get_dist_params(&self, data: &mut Node, out: Option<&mut Node>) -> Result<Option<Dict>> {
        let (data, out) = (data.as_raw(), Node::optional(out.as_deref()));
        made_apart(&[data, out], |result, err| unsafe {
            sys::td_module_get_dist_params(self.as_raw(), data, out, result, err)
        })
    }

    /// The distribution of the last probabilistic module, of parameters that are there; nothing runs. Errors: as
    /// [`get_dist`](Module::get_dist).
    pub fn dist_from_params(&self, params: &Node) -> Result<Dist> {
        made!(td_module_dist_from_params(self.as_raw(), params.as_raw()))
    }

    /// The log-probability of the samples in the data. Errors: Key for a missing sample; as
    /// [`get_dist`](Module::get_dist).
    pub fn log_prob(&self, data: &mut Node, options: &LogProb) -> Result<Tensor> {
        made!(td_module_log_prob(self.as_raw(), data.as_raw(), &options.raw()))
    }

    /// All of them in a dict, under their log-probability keys. Errors: as [`log_prob`](Module::log_prob).
    pub fn log_prob_dict(&self, data: &mut Node, options: &LogProb) -> Result<Dict> {
        crate::dict::apart!(td_module_log_prob_dict(self.as_raw(), data.as_raw(), &options.raw()))
    }

    /// The keys of the parameters. Errors: Unsupported if it has no distribution.
    pub fn dist_params_keys(&self) -> Result<Vec<KeyBuf>> {
        key::list(|out, err| unsafe { sys::td_module_dist_params_keys(self.as_raw(), out, err) })
    }

    /// The keys of the samples. Errors: Unsupported.
    pub fn dist_sample_keys(&self) -> Result<Vec<KeyBuf>> {
        key::list(|out, err| unsafe { sys::td_module_dist_sample_keys(self.as_raw(), out, err) })
    }

    /// The keys of the log-probabilities, written or not. Errors: Unsupported.
    pub fn log_prob_keys(&self) -> Result<Vec<KeyBuf>> {
        key::list(|out, err| unsafe { sys::td_module_log_prob_keys(self.as_raw(), out, err) })
    }

    /// The dims that draws put before the batch.
    pub fn num_samples(&self) -> Vec<i64> {
        sizes(|out, capacity| unsafe { sys::td_module_num_samples(self.as_raw(), out, capacity) })
    }

    /// The module's own interaction type.
    pub fn default_interaction(&self) -> Interaction {
        let raw = unsafe { sys::td_module_default_interaction(self.as_raw()) };
        Interaction::from_raw(raw).unwrap_or(Interaction::Default)
    }
}

impl LogProb {
    fn raw(&self) -> sys::td_log_prob_options {
        sys::td_log_prob_options {
            dist: self.dist.as_ref().map_or(std::ptr::null(), |dist| dist.as_raw() as *const _),
            include_sum: self.include_sum.into(),
            given_samples: self.given_samples.into(),
            ..Default::default()
        }
    }
}
