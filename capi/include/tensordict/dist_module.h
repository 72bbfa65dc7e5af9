/* ==== Probabilistic modules =========================================================================================
 * A module that makes a distribution of what it reads, and writes a value of it; a sequence with such members. How the
 * value is taken: as td_interaction_set says, else as the module's own default.
 *
 *     td_key in[] = {*TD_KEY("loc"), *TD_KEY("scale")};
 *     td_module_probabilistic(TD_STR("td.normal"), TD_NO_STR, in, 2, TD_KEY("action"), 1, NULL, &policy, &err);
 *     td_module_get_dist(policy, td, NULL, &dist, &err);
 *
 * Stability: stable
 */
#ifndef TENSORDICT_DIST_MODULE_H
#define TENSORDICT_DIST_MODULE_H

#include "dist_composite.h"
#include "dist_interaction.h"
#include "handles.h"
#include "module_keys.h"

#if defined(__cplusplus)
extern "C" {
#endif

typedef struct td_probabilistic_options {
  size_t struct_size;
  td_interaction default_interaction; /* DEFAULT: DETERMINISTIC */
  td_bool return_log_prob;            /* writes the log-probability of the value, too */
  td_bool
      aggregate; /* one key, "sample_log_prob", for the log-probability of all values, as under composite_lp_aggregate;
                        else one for each: "<out-key>_log_prob" */
  const td_key *log_prob_keys; /* other names: one for each out-key, or one in all with `aggregate` */
  size_t n_log_prob_keys;
  int64_t n_empirical_estimate; /* where MEAN is asked for and is not known, it is that of so many draws; 0: 1000 */
  const int64_t *num_samples;   /* dims that are put before those of the data: the result is a new dict */
  size_t n_num_samples;
  td_generator *generator;     /* for all draws; NULL: the default one, or */
  const td_key *generator_key; /* a seed in the data, which is replaced by the next one after each draw */
  /* One for each in-key: the parameters that they are; NULL: the last parts of the keys. */
  TD_NULLABLE TD_LEN(n_in) const td_str *param_names;
  const td_dict *params; /* parameters that are not in the data, by name */
} td_probabilistic_options;
#define TD_PROBABILISTIC_OPTIONS_INIT \
  { sizeof(td_probabilistic_options), TD_INTERACTION_DEFAULT, 0, 0, NULL, 0, 0, NULL, 0, NULL, NULL, NULL, NULL }

/* Makes a module of a distribution type and its config (NULL data: td.delta and {}). The parameters are read from the
 * in-keys, those that are missing are not given; the value is written to the out-key (none: "_"), whatever is there.
 * `options` may be NULL.   Like ProbabilisticTensorDictModule, whose dict form of in_keys is `param_names`; cache_dist
 * has no effect there and is not offered.
 * Errors: NOT_FOUND for an unknown type; ARGUMENT for a bad config, several out-keys, a parameter that is given twice,
 * a log-probability key that would overwrite the value.   [any-thread]  Since 0.1 */
TD_API td_status td_module_probabilistic(td_str type, td_str config, const td_key *in_keys, size_t n_in,
                                         const td_key *out_keys, size_t n_out,
                                         TD_NULLABLE const td_probabilistic_options *options, td_module **out,
                                         td_error **err) TD_NOEXCEPT;

/* The same of several parts, as td_dist_composite makes them of the dict under `params`. The out-keys are the names of
 * the parts; with `aggregate` each log-probability is written beside their sum.
 * Errors: as td_module_probabilistic.   [any-thread]  Since 0.1 */
TD_API td_status td_module_probabilistic_composite(const td_key *params, const td_dist_part *parts, size_t n_parts,
                                                   TD_NULLABLE const td_probabilistic_options *options, td_module **out,
                                                   td_error **err) TD_NOEXCEPT;

/* A function of the caller's that makes a distribution: `params` (borrowed) holds what the data has, by the names of
 * the parameters; `out` receives a new reference. `destroy` as in td_module_function. */
typedef struct td_dist_function {
  td_status (*fn)(void *userdata, const td_dict *params, td_dist **out, td_error **err);
  void *userdata;
  void (*destroy)(void *userdata);
} td_dist_function;

/* The same of any distribution, for instance a transformed or an independent one. One that is composite writes its
 * parts under their names, of which the out-keys must be some.
 * Errors: as td_module_probabilistic; ARGUMENT if `fn` is NULL.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_module_probabilistic_function(td_dist_function function, const td_key *in_keys, size_t n_in,
                                                  const td_key *out_keys, size_t n_out,
                                                  TD_NULLABLE const td_probabilistic_options *options, td_module **out,
                                                  td_error **err) TD_NOEXCEPT;

/* What td_module_get_dist gives of a sequence. */
typedef int32_t td_return_composite;
enum {
  TD_COMPOSITE_DEFAULT =
      0, /* TRUE if there are several probabilistic modules or the last has no distribution, else FALSE */
  TD_COMPOSITE_FALSE = 1, /* the distribution of the last member; the others run with its interaction type */
  TD_COMPOSITE_TRUE = 2   /* one composite distribution of all probabilistic members */
};

/* A sequence with probabilistic members; `options` (may be NULL) as for td_module_sequential_with, whose `inplace` goes
 * before a tensordict_out here. If those before it write the samples of the last member, that one does not draw. Like
 * ProbabilisticTensorDictSequential.   Errors: as td_module_sequential_with; ARGUMENT for no members, or a last one
 * without a distribution under TD_COMPOSITE_FALSE.   [any-thread]  Since 0.1 */
TD_API td_status td_module_probabilistic_sequential(TD_KEEPS td_module *const *modules, size_t n,
                                                    td_return_composite return_composite,
                                                    TD_NULLABLE const td_sequential_options *options, td_module **out,
                                                    td_error **err) TD_NOEXCEPT;

/* Returns the distribution that a probabilistic module or sequence makes of the data. A sequence runs its members; of
 * one that is not composite they write into `tensordict_out`, or into the data if that is NULL, of a composite one into
 * a copy, and each member but the last draws anew for those after it.   Like get_dist.
 * Errors: UNSUPPORTED if there is no distribution; KEY for a missing parameter; and those of the members.
 * [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_module_get_dist(const td_module *self, TD_WRITES td_dict *data,
                                    TD_NULLABLE TD_WRITES td_dict *tensordict_out, td_dist **out,
                                    td_error **err) TD_NOEXCEPT;

/* Runs all members of a probabilistic sequence but the last, under its interaction type, and gives the dict with what
 * they write: `data`, `tensordict_out` (may be NULL), or what a member gave.   Like get_dist_params.
 * Errors: ARGUMENT if it is no such sequence; and those of the members.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_module_get_dist_params(const td_module *self, TD_WRITES td_dict *data,
                                           TD_NULLABLE TD_WRITES td_dict *tensordict_out, td_dict **out,
                                           td_error **err) TD_NOEXCEPT;

/* Returns the distribution of the last probabilistic module, of parameters that are there; nothing runs.   Like
 * build_dist_from_params.
 * Errors: as td_module_get_dist.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_module_dist_from_params(const td_module *self, const td_dict *params, td_dist **out,
                                            td_error **err) TD_NOEXCEPT;

typedef struct td_log_prob_options {
  size_t struct_size;
  const td_dist *dist; /* NULL: as td_module_get_dist makes it of the data */
  td_bool include_sum; /* td_module_log_prob_dict adds the sum of all under "sample_log_prob" */
  /* Members of a composite sequence read the samples in the data, where they are, instead of new ones. */
  td_bool given_samples;
} td_log_prob_options;
#define TD_LOG_PROB_OPTIONS_INIT \
  { sizeof(td_log_prob_options), NULL, 0, 0 }

/* Returns the log-probability of the samples in the data: that of one distribution as it is, of a composite one the sum
 * over the parts and their dims beyond the batch. Or all of them in a new dict, under their log-probability keys.
 * `options` may be NULL.   Like log_prob, under set_composite_lp_aggregate(True) and (False); the data keeps its
 * entries, but for td_module_get_dist.
 * Errors: KEY for a missing sample; and those of td_module_get_dist.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_module_log_prob(const td_module *self, TD_WRITES td_dict *data,
                                    TD_NULLABLE const td_log_prob_options *options, td_tensor **out,
                                    td_error **err) TD_NOEXCEPT;
TD_API td_status td_module_log_prob_dict(const td_module *self, TD_WRITES td_dict *data,
                                         TD_NULLABLE const td_log_prob_options *options, td_dict **out,
                                         td_error **err) TD_NOEXCEPT;

/* Returns the keys of the parameters, of the samples, and of the log-probabilities, written or not; of a sequence those
 * of the last member first.   Like dist_params_keys, dist_sample_keys, log_prob_keys.   Errors: UNSUPPORTED if it has
 * no distribution.   [any-thread]  Since 0.1 */
TD_API td_status td_module_dist_params_keys(const td_module *self, td_keys **out, td_error **err) TD_NOEXCEPT;
TD_API td_status td_module_dist_sample_keys(const td_module *self, td_keys **out, td_error **err) TD_NOEXCEPT;
TD_API td_status td_module_log_prob_keys(const td_module *self, td_keys **out, td_error **err) TD_NOEXCEPT;

/* Writes up to `capacity` of the dims that draws put before the batch, those of the last member first, and returns how
 * many there are; 0 for other modules.   Like num_samples.   [any-thread]  Since 0.1 */
TD_API size_t td_module_num_samples(const td_module *self, int64_t *out, size_t capacity) TD_NOEXCEPT;

/* Returns the module's own interaction type, of a sequence that of the last member that has one; DEFAULT for other
 * modules.   Like default_interaction_type.   [any-thread]  Since 0.1 */
TD_API td_interaction td_module_default_interaction(const td_module *self) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_DIST_MODULE_H */
