/* ==== Distributions =================================================================================================
 * Types of distributions come from plugins. Their functions are operator calls, so gradients and vmap work. The bundled
 * types are those of torch.distributions, named td.normal, td.gamma, td.categorical and so on, with the same
 * parameters; from tensordict td.truncated_normal, td.delta and td.int_one_hot_categorical; from torchrl
 * td.tanh_normal, td.ordinal, td.one_hot_ordinal, td.masked_categorical and td.masked_one_hot_categorical. Arguments
 * that are Python numbers and determine the form of the distribution are in the config: {"total_count": 4}
 * (td.multinomial), {"dim": 3} (td.lkj_cholesky), "neg_inf" (masked), "atol", "rtol" (td.delta), "low", "high",
 * "upscale", "tanh_loc" (td.tanh_normal), "event_dims" (the last two types).
 *
 *     td_dist_new(TD_STR("td.normal"), params, TD_STR("{}"), &dist, &err);    // params: {"loc", "scale"}
 *     td_dist_rsample(dist, NULL, 0, rng, &x, &err);
 *
 * Stability: stable
 */
#ifndef TENSORDICT_DIST_H
#define TENSORDICT_DIST_H

#include "handles.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* Makes a distribution from its parameters, which are kept by reference and broadcast. `config` is a JSON object; NULL
 * data is {}. "validate_args": false turns off the checks of parameters and values, which read the data (inside vmap
 * there are none).   Like torch.distributions.Normal(loc, scale) and its siblings.
 * Errors: NOT_FOUND; KEY for a missing or unknown parameter; SHAPE if they do not broadcast; ARGUMENT for values that
 * the type does not accept; PLUGIN.   [any-thread]  Since 0.1 */
TD_API td_status td_dist_new(td_str type, TD_KEEPS const td_dict *params, td_str config, td_dist **out,
                             td_error **err) TD_NOEXCEPT;

/* Draws values of shape `shape` + batch shape; td_dist_rsample keeps gradients to the parameters. If `generator` is
 * NULL, LibTorch's default one is used.   Like Distribution.sample, rsample.   Errors: UNSUPPORTED if the type cannot
 * draw.   [any-thread]  Since 0.1 */
TD_API td_status td_dist_sample(const td_dist *self, const int64_t *shape, size_t ndim,
                                TD_NULLABLE TD_WRITES td_generator *generator, td_tensor **out,
                                td_error **err) TD_NOEXCEPT;
TD_API td_status td_dist_rsample(const td_dist *self, const int64_t *shape, size_t ndim,
                                 TD_NULLABLE TD_WRITES td_generator *generator, td_tensor **out,
                                 td_error **err) TD_NOEXCEPT;

/* Returns the log of the density or mass at `value`.   Like Distribution.log_prob.
 * Errors: UNSUPPORTED; SHAPE; ARGUMENT outside the support.   [any-thread]  Since 0.1 */
TD_API td_status td_dist_log_prob(const td_dist *self, const td_tensor *value, td_tensor **out,
                                  td_error **err) TD_NOEXCEPT;

typedef int32_t td_dist_stat;
enum {
  TD_DIST_STAT_MEAN = 0,
  TD_DIST_STAT_MODE = 1,
  TD_DIST_STAT_VARIANCE = 2,
  TD_DIST_STAT_ENTROPY = 3,
  TD_DIST_STAT_MEDIAN = 4,
  TD_DIST_STAT_STDDEV = 5,
  TD_DIST_STAT_DETERMINISTIC = 6, /* the deterministic sample that the type defines */
  TD_DIST_STAT_PERPLEXITY = 7
};

/* Returns a statistic with batch and event shape; entropy and perplexity have the batch shape.   Like
 * Distribution.mean, mode, variance, stddev, entropy.   Errors: UNSUPPORTED if the type does not define it.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dist_get(const td_dist *self, td_dist_stat stat, td_tensor **out, td_error **err) TD_NOEXCEPT;

/* Returns the cumulative distribution function at `value`, or its inverse, for which `value` is not checked.   Like
 * Distribution.cdf, icdf.   Errors: UNSUPPORTED; SHAPE; ARGUMENT outside the support.   [any-thread]  Since 0.1 */
TD_API td_status td_dist_cdf(const td_dist *self, const td_tensor *value, td_tensor **out, td_error **err) TD_NOEXCEPT;
TD_API td_status td_dist_icdf(const td_dist *self, const td_tensor *value, td_tensor **out, td_error **err) TD_NOEXCEPT;

/* Returns all values of a discrete distribution, [n, batch..., event...]; without `expand` the batch dims have size 1.
 * Like Distribution.enumerate_support.   Errors: UNSUPPORTED.   [any-thread]  Since 0.1 */
TD_API td_status td_dist_enumerate_support(const td_dist *self, td_bool expand, td_tensor **out,
                                           td_error **err) TD_NOEXCEPT;

/* Returns the same distribution with a larger batch; parameters are not copied.   Like Distribution.expand.   Errors:
 * SHAPE; UNSUPPORTED.   [any-thread]  Since 0.1 */
TD_API td_status td_dist_expand(const td_dist *self, const int64_t *batch, size_t ndim, td_dist **out,
                                td_error **err) TD_NOEXCEPT;

/* Fills up to `capacity` sizes of `out` and returns how many there are; 0 for NULL.   Like Distribution.batch_shape,
 * event_shape.   [any-thread]  Since 0.1 */
TD_API size_t td_dist_batch_shape(const td_dist *self, int64_t *out, size_t capacity) TD_NOEXCEPT;
TD_API size_t td_dist_event_shape(const td_dist *self, int64_t *out, size_t capacity) TD_NOEXCEPT;

/* Returns whether the distribution has this function; 0 for NULL.   Like Distribution.has_rsample,
 * has_enumerate_support.   [any-thread]  Since 0.1 */
TD_API td_bool td_dist_has_rsample(const td_dist *self) TD_NOEXCEPT;
TD_API td_bool td_dist_has_enumerate_support(const td_dist *self) TD_NOEXCEPT;

/* Returns the text that Python prints: "Normal(loc: 0.0, scale: 1.0)".   Like repr(dist).   [any-thread]  Since 0.1 */
TD_API td_status td_dist_repr(const td_dist *self, td_string **out, td_error **err) TD_NOEXCEPT;

/* Sets whether distributions made from now on check their parameters and values; "validate_args" in a config overrides
 * it. The default is 1.   Like Distribution.set_default_validate_args.   [any-thread]  Since 0.1 */
TD_API void td_dist_set_default_validate_args(td_bool validate) TD_NOEXCEPT;

/* Returns that default.   [any-thread] [leaf]  Since 0.2 */
TD_API td_bool td_dist_default_validate_args(void) TD_NOEXCEPT;

/* Takes the last `ndims` batch dims as event dims.   Like torch.distributions.Independent.
 * Errors: ARGUMENT if there are fewer batch dims.   [any-thread]  Since 0.1 */
TD_API td_status td_dist_independent(const td_dist *base, int64_t ndims, td_dist **out, td_error **err) TD_NOEXCEPT;

/* Makes a transformed distribution. `transforms` is JSON, one or a list of "exp", "sigmoid", "tanh", "softplus", "abs",
 * "softmax", "stick_breaking", "lower_cholesky", "corr_cholesky", "positive_definite", {"type": "affine", "loc": 0,
 * "scale": "key", "event_dim": 0}, {"type": "power", "exponent": 2}, {"type": "tanh", "clamp": true} (finite at -1 and
 * 1), {"type": "cdf", "of": "td.normal", "params": {"loc": 0, "scale": 1}}, {"type": "inverse", "of": ...}, "compose"
 * of a list, "independent" with "ndims", "reshape" with "in" and "out", "stack" and "cat" of a list with "dim" (and
 * "lengths"). A text instead of a number is a key of `params`, which may be NULL.   Like
 * torch.distributions.TransformedDistribution.   Errors: ARGUMENT; KEY; SHAPE.   [any-thread]  Since 0.1 */
TD_API td_status td_dist_transformed(const td_dist *base, td_str transforms, TD_NULLABLE const td_dict *params,
                                     td_dist **out, td_error **err) TD_NOEXCEPT;

/* Makes a mixture of the elements along the last batch dim of `components`; `mixture`, a td.categorical, selects one.
 * Like torch.distributions.MixtureSameFamily.   Errors: ARGUMENT; SHAPE.   [any-thread]  Since 0.1 */
TD_API td_status td_dist_mixture(const td_dist *mixture, const td_dist *components, td_dist **out,
                                 td_error **err) TD_NOEXCEPT;

/* Returns the Kullback-Leibler divergence of `p` from `q`.   Like torch.distributions.kl_divergence.
 * Errors: UNSUPPORTED for a pair of types without one.   [any-thread]  Since 0.1 */
TD_API td_status td_dist_kl_divergence(const td_dist *p, const td_dist *q, td_tensor **out, td_error **err) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_DIST_H */
