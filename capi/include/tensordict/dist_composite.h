/* ==== Composite distributions =======================================================================================
 * A composite distribution has several distributions under keys, and its values are dicts.   Like
 * CompositeDistribution.
 *
 * Stability: stable
 */
#ifndef TENSORDICT_DIST_COMPOSITE_H
#define TENSORDICT_DIST_COMPOSITE_H

#include "dist.h"
#include "dist_interaction.h"
#include "handles.h"

#if defined(__cplusplus)
extern "C" {
#endif

typedef struct td_dist_part {
  td_key params; /* the key of the dict of its parameters in `params` */
  td_str type, config;
  TD_NULLABLE const td_key *name; /* of its samples; NULL: the same as `params` */
} td_dist_part;

/* Makes a composite distribution, each part from the dict of its parameters; its batch size is that of `params`.   Like
 * CompositeDistribution(params, distribution_map).
 * Errors: KEY; those of td_dist_new.   [any-thread]  Since 0.1 */
TD_API td_status td_dist_composite(TD_KEEPS const td_dict *params, const td_dist_part *parts, size_t n, td_dist **out,
                                   td_error **err) TD_NOEXCEPT;

/* Makes a composite distribution of existing distributions.   Like CompositeDistribution.from_distributions.   Errors:
 * ARGUMENT.   [any-thread]  Since 0.1 */
TD_API td_status td_dist_composite_of(const int64_t *batch, size_t ndim, TD_LEN(n) const td_key *names,
                                      TD_KEEPS td_dist *const *dists, size_t n, td_dist **out,
                                      td_error **err) TD_NOEXCEPT;

/* Works like td_dist_sample, rsample, get and interact, for a composite distribution; the result is a dict. The
 * entropies are under "<name>_entropy".   Like CompositeDistribution.sample, rsample, mean, mode, entropy.   Errors:
 * UNSUPPORTED, also for a distribution that is not composite.   [any-thread]  Since 0.1 */
TD_API td_status td_dist_sample_dict(const td_dist *self, const int64_t *shape, size_t ndim,
                                     TD_NULLABLE TD_WRITES td_generator *generator, td_dict **out,
                                     td_error **err) TD_NOEXCEPT;
TD_API td_status td_dist_rsample_dict(const td_dist *self, const int64_t *shape, size_t ndim,
                                      TD_NULLABLE TD_WRITES td_generator *generator, td_dict **out,
                                      td_error **err) TD_NOEXCEPT;
TD_API td_status td_dist_get_dict(const td_dist *self, td_dist_stat stat, td_dict **out, td_error **err) TD_NOEXCEPT;
TD_API td_status td_dist_interact_dict(const td_dist *self, td_interaction type, const int64_t *shape, size_t ndim,
                                       int64_t n_empirical, TD_NULLABLE TD_WRITES td_generator *generator,
                                       td_dict **out, td_error **err) TD_NOEXCEPT;

/* Returns a new dict with each part's "<name>_log_prob", and with `include_sum` their sum under "sample_log_prob".
 * Like CompositeDistribution.log_prob_composite.   Errors: KEY; SHAPE; ARGUMENT; UNSUPPORTED.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dist_log_prob_dict(const td_dist *self, const td_dict *sample, td_bool include_sum, td_dict **out,
                                       td_error **err) TD_NOEXCEPT;

/* Returns the total log-probability: that of each part is summed over the dims beyond the sample's batch, then over the
 * parts. For the sum of the entropies, use td_dist_get with TD_DIST_STAT_ENTROPY.   Like CompositeDistribution.log_prob
 * under set_composite_lp_aggregate(True).
 * Errors: as td_dist_log_prob_dict.   [any-thread]  Since 0.1 */
TD_API td_status td_dist_log_prob_sum(const td_dist *self, const td_dict *sample, td_tensor **out,
                                      td_error **err) TD_NOEXCEPT;

/* Writes "<name>_cdf" into the sample, or "<name>_icdf", computed from "<name>_cdf" (or from the sample itself if that
 * is missing).   Like CompositeDistribution.cdf, icdf.   Errors: KEY; UNSUPPORTED; LOCKED.   [exclusive]  Since 0.1 */
TD_API td_status td_dist_cdf_dict(const td_dist *self, TD_WRITES td_dict *sample, td_error **err) TD_NOEXCEPT;
TD_API td_status td_dist_icdf_dict(const td_dist *self, TD_WRITES td_dict *sample, td_error **err) TD_NOEXCEPT;

/* Adds a reference; NULL is allowed.   [any-thread] [leaf]  Since 0.1 */
TD_API void td_dist_retain(const td_dist *self) TD_NOEXCEPT;
/* Drops a reference; NULL is allowed.   [any-thread]  Since 0.1 */
TD_API void td_dist_release(const td_dist *self) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_DIST_COMPOSITE_H */
