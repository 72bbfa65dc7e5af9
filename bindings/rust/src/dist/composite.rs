//! Several distributions under keys, over dicts.
use super::{Dist, Interaction, Stat};
use crate::key::KeyArray;
use crate::{string, sys, Dict, Generator, Key, KeyBuf, Node, Result, Tensor};

/// One of the distributions of a composite.
#[derive(Clone, Debug)]
pub struct DistPart {
    /// The dict of its parameters, in the params of the whole.
    pub params: KeyBuf,
    /// Its type, "td.normal" for instance.
    pub kind: String,
    /// Its config, a JSON object.
    pub config: String,
    /// The key of its samples; None: the same as `params`.
    pub name: Option<KeyBuf>,
}

impl DistPart {
    /// One without a config, whose samples have the key of its parameters.
    pub fn new(params: impl Into<KeyBuf>, kind: &str) -> Self {
        DistPart { params: params.into(), kind: kind.to_owned(), config: "{}".to_owned(), name: None }
    }

    /// Calls `f` with the parts as C sees them.
    pub(crate) fn with<R>(parts: &[DistPart], f: impl FnOnce(*const sys::td_dist_part, usize) -> R) -> R {
        let params = KeyArray::new(parts.iter().map(|part| &part.params));
        let names = KeyArray::new(parts.iter().map(|part| part.name.as_ref().unwrap_or(&part.params)));
        let raws: Vec<_> = parts
            .iter()
            .enumerate()
            .map(|(index, part)| sys::td_dist_part {
                // SAFETY: in range of the arrays of keys.
                params: unsafe { *params.as_ptr().add(index) },
                type_: string::borrow(&part.kind),
                config: string::borrow(&part.config),
                // SAFETY: as above.
                name: unsafe { names.as_ptr().add(index) },
            })
            .collect();
        f(raws.as_ptr(), raws.len())
    }
}

impl Dist {
    /// Makes each part from the dict of its parameters. Errors: Key; as [`create`](Dist::create).
    pub fn composite(params: &Node, parts: &[DistPart]) -> Result<Dist> {
        DistPart::with(parts, |parts, n| made!(td_dist_composite(params.as_raw(), parts, n)))
    }

    /// Of distributions that are there, over a batch size. Errors: Argument.
    pub fn composite_of<'k, K: Into<Key<'k>>>(
        batch: &[i64],
        dists: impl IntoIterator<Item = (K, Dist)>,
    ) -> Result<Dist> {
        let (names, dists): (Vec<K>, Vec<Dist>) = dists.into_iter().unzip();
        let names = KeyArray::new(names);
        // A Dist is a transparent handle.
        let raws = dists.as_ptr().cast::<*mut sys::td_dist>();
        made!(td_dist_composite_of(batch.as_ptr(), batch.len(), names.as_ptr(), raws, dists.len()))
    }

    /// As [`sample`](Dist::sample). Errors: Unsupported, also if it is no composite.
    pub fn sample_dict(&self, shape: &[i64], generator: Option<&mut Generator>) -> Result<Dict> {
        made!(td_dist_sample_dict(self.as_raw(), shape.as_ptr(), shape.len(), Generator::optional(generator)))
    }

    /// As [`rsample`](Dist::rsample). Errors: Unsupported.
    pub fn rsample_dict(&self, shape: &[i64], generator: Option<&mut Generator>) -> Result<Dict> {
        made!(td_dist_rsample_dict(self.as_raw(), shape.as_ptr(), shape.len(), Generator::optional(generator)))
    }

    /// As [`get`](Dist::get); entropies stand under "<name>_entropy". Errors: Unsupported.
    pub fn get_dict(&self, stat: Stat) -> Result<Dict> {
        made!(td_dist_get_dict(self.as_raw(), stat.raw()))
    }

    /// As [`interact`](Dist::interact). Errors: Unsupported; Argument.
    pub fn interact_dict(
        &self,
        interaction: Interaction,
        shape: &[i64],
        n_empirical: i64,
        generator: Option<&mut Generator>,
    ) -> Result<Dict> {
        let (dist, how, generator) = (self.as_raw(), interaction.raw(), Generator::optional(generator));
        made!(td_dist_interact_dict(dist, how, shape.as_ptr(), shape.len(), n_empirical, generator))
    }

    /// Each part's "<name>_log_prob", and with `include_sum` their sum. Errors: Key; Shape; Argument; Unsupported.
    pub fn log_prob_dict(&self, sample: &Node, include_sum: bool) -> Result<Dict> {
        crate::dict::apart!(td_dist_log_prob_dict(self.as_raw(), sample.as_raw(), include_sum.into()))
    }

    /// The log-probability of the whole. Errors: as [`log_prob_dict`](Dist::log_prob_dict).
    pub fn log_prob_sum(&self, sample: &Node) -> Result<Tensor> {
        made!(td_dist_log_prob_sum(self.as_raw(), sample.as_raw()))
    }

    /// Writes "<name>_cdf" into the sample. Errors: Key; Unsupported; Locked.
    pub fn cdf_into(&self, sample: &mut Node) -> Result<()> {
        done!(td_dist_cdf_dict(self.as_raw(), sample.as_raw()))
    }

    /// Writes "<name>_icdf" into the sample. Errors: Key; Unsupported; Locked.
    pub fn icdf_into(&self, sample: &mut Node) -> Result<()> {
        done!(td_dist_icdf_dict(self.as_raw(), sample.as_raw()))
    }
}
