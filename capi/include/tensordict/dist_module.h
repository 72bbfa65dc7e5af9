/* ==== Probabilistic modules =========================================================================================
 * A probabilistic module makes a distribution from its inputs and writes a value of it; a probabilistic sequence has
 * such members. td_interaction_set says how the value is taken; otherwise the module's own default applies.
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
  td_bool return_log_prob;            /* also writes the log-probability of the value */
  td_bool
      aggregate; /* one key, "sample_log_prob", for the log-probability of all values, as under composite_lp_aggregate;
                        else one for each: "<out-key>_log_prob" */
  uint8_t reserved[2];         /* 0 */
  const td_key *log_prob_keys; /* other names: one for each out-key, or a single one with `aggregate` */
  size_t n_log_prob_keys;
  int64_t n_empirical_estimate; /* draws for MEAN if the distribution has no mean; 0: 1000 */
  const int64_t *num_samples;   /* dims that are added before the data's: the result is a new dict */
  size_t n_num_samples;
  td_generator *generator;     /* for all draws; NULL: that of generator_key, else the default one */
  const td_key *generator_key; /* the key of a seed in the data, which each draw replaces by the next seed */
  /* One per in-key: the name of its parameter; NULL: the last parts of the keys. */
  TD_NULLABLE TD_LEN(n_in) const td_str *param_names;
  const td_dict *params; /* parameters that are not in the data, by name */
} td_probabilistic_options;
#define TD_PROBABILISTIC_OPTIONS_INIT                                                                             \
  {                                                                                                               \
    sizeof(td_probabilistic_options), TD_INTERACTION_DEFAULT, 0, 0, TD_RESERVED, NULL, 0, 0, NULL, 0, NULL, NULL, \
        NULL, NULL                                                                                                \
  }

/* Makes a module of a distribution type and its config (NULL data: td.delta and {}). The parameters are read from the
 * in-keys; missing ones are not passed. The value is written to the out-key (none: "_") and replaces an existing entry.
 * `options` may be NULL.   Like ProbabilisticTensorDictModule, whose dict form of in_keys is `param_names`; cache_dist
 * has no effect there and is not offered.
 * Errors: NOT_FOUND for an unknown type; ARGUMENT for a bad config, several out-keys, a parameter that is given twice,
 * a log-probability key that would overwrite the value.   [any-thread]  Since 0.1 */
TD_API td_status td_module_probabilistic(td_str type, td_str config, const td_key *in_keys, size_t n_in,
                                         const td_key *out_keys, size_t n_out,
                                         TD_NULLABLE const td_probabilistic_options *options, td_module **out,
                                         td_error **err) TD_NOEXCEPT;

/* Makes a module of a composite distribution, whose parts td_dist_composite makes from the dict under `params`. The
 * out-keys are the names of the parts. With `aggregate`, each log-probability is written in addition to their sum.
 * Errors: as td_module_probabilistic.   [any-thread]  Since 0.1 */
TD_API td_status td_module_probabilistic_composite(const td_key *params, const td_dist_part *parts, size_t n_parts,
                                                   TD_NULLABLE const td_probabilistic_options *options, td_module **out,
                                                   td_error **err) TD_NOEXCEPT;

/* A callback that makes a distribution: `params` (borrowed) has the parameters that are in the data, by their names;
 * `out` receives a new reference. `destroy` runs as in td_module_function. */
typedef struct td_dist_function {
  size_t struct_size;
  td_status (*fn)(void *userdata, const td_dict *params, td_dist **out, td_error **err);
  void *userdata;
  void (*destroy)(void *userdata);
} td_dist_function;
#define TD_DIST_FUNCTION_INIT \
  { sizeof(td_dist_function), NULL, NULL, NULL }

/* Makes a module of any distribution, for instance a transformed or an independent one. A composite distribution writes
 * its parts under their names; the out-keys must be among these names.
 * Errors: as td_module_probabilistic; ARGUMENT if `fn` is NULL.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_module_probabilistic_function(const td_dist_function *function, const td_key *in_keys, size_t n_in,
                                                  const td_key *out_keys, size_t n_out,
                                                  TD_NULLABLE const td_probabilistic_options *options, td_module **out,
                                                  td_error **err) TD_NOEXCEPT;

/* What td_module_get_dist returns for a sequence. */
typedef int32_t td_return_composite;
enum {
  TD_RETURN_COMPOSITE_DEFAULT =
      0, /* TRUE if there are several probabilistic modules or the last has no distribution, else FALSE */
  TD_RETURN_COMPOSITE_FALSE = 1, /* the distribution of the last member; the others run with its interaction type */
  TD_RETURN_COMPOSITE_TRUE = 2   /* one composite distribution of all probabilistic members */
};

/* Makes a sequence with probabilistic members. `options` (may be NULL) are those of td_module_sequential; here
 * `inplace` takes precedence over tensordict_out. If earlier members write the samples of the last member, the last
 * member does not draw.   Like ProbabilisticTensorDictSequential.   Errors: as td_module_sequential; ARGUMENT for
 * no members, or a last member without a distribution with TD_RETURN_COMPOSITE_FALSE.   [any-thread]  Since 0.1 */
TD_API td_status td_module_probabilistic_sequential(TD_KEEPS td_module *const *modules, size_t n,
                                                    td_return_composite return_composite,
                                                    TD_NULLABLE const td_sequential_options *options, td_module **out,
                                                    td_error **err) TD_NOEXCEPT;

/* Returns the distribution that a probabilistic module or sequence makes from the data. A sequence runs its members. If
 * the distribution is not composite, they write into `tensordict_out`, or into the data if that is NULL. If it is
 * composite, they write into a copy, and each member except the last draws again for the members after it.   Like
 * get_dist.
 * Errors: UNSUPPORTED if there is no distribution; KEY for a missing parameter; those of the members.
 * [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_module_get_dist(const td_module *self, TD_WRITES td_dict *data,
                                    TD_NULLABLE TD_WRITES td_dict *tensordict_out, td_dist **out,
                                    td_error **err) TD_NOEXCEPT;

/* Runs all members of a probabilistic sequence except the last, with the sequence's interaction type, and returns the
 * dict with their outputs: `data`, `tensordict_out` (may be NULL), or a dict that a member returned.   Like
 * get_dist_params.
 * Errors: ARGUMENT if `self` is not a probabilistic sequence; those of the members.
 * [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_module_get_dist_params(const td_module *self, TD_WRITES td_dict *data,
                                           TD_NULLABLE TD_WRITES td_dict *tensordict_out, td_dict **out,
                                           td_error **err) TD_NOEXCEPT;

/* Returns the distribution of the last probabilistic module, made from parameters in `params`; no module runs.   Like
 * build_dist_from_params.
 * Errors: as td_module_get_dist.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_module_dist_from_params(const td_module *self, const td_dict *params, td_dist **out,
                                            td_error **err) TD_NOEXCEPT;

typedef struct td_log_prob_options {
  size_t struct_size;
  const td_dist *dist; /* NULL: the one that td_module_get_dist makes from the data */
  td_bool include_sum; /* td_module_log_prob_dict adds the sum of all under "sample_log_prob" */
  /* 1: members of a composite sequence read samples that are in the data instead of drawing new ones. */
  td_bool given_samples;
  uint8_t reserved[6]; /* 0 */
} td_log_prob_options;
#define TD_LOG_PROB_OPTIONS_INIT \
  { sizeof(td_log_prob_options), NULL, 0, 0, TD_RESERVED }

/* Returns the log-probability of the samples in the data. For a composite distribution it is the sum over the parts and
 * their dims beyond the batch. td_module_log_prob_dict returns all log-probabilities in a new dict, under their keys.
 * `options` may be NULL.   Like log_prob, under set_composite_lp_aggregate(True) and (False); the data does not change,
 * except by td_module_get_dist.
 * Errors: KEY for a missing sample; those of td_module_get_dist.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_module_log_prob(const td_module *self, TD_WRITES td_dict *data,
                                    TD_NULLABLE const td_log_prob_options *options, td_tensor **out,
                                    td_error **err) TD_NOEXCEPT;
TD_API td_status td_module_log_prob_dict(const td_module *self, TD_WRITES td_dict *data,
                                         TD_NULLABLE const td_log_prob_options *options, td_dict **out,
                                         td_error **err) TD_NOEXCEPT;

/* Returns the keys of the parameters, of the samples, or of the log-probabilities, even if these are not written; for a
 * sequence, those of the last member come first.   Like dist_params_keys, dist_sample_keys, log_prob_keys.   Errors:
 * UNSUPPORTED if it has no distribution.   [any-thread]  Since 0.1 */
TD_API td_status td_module_dist_params_keys(const td_module *self, td_keys **out, td_error **err) TD_NOEXCEPT;
TD_API td_status td_module_dist_sample_keys(const td_module *self, td_keys **out, td_error **err) TD_NOEXCEPT;
TD_API td_status td_module_log_prob_keys(const td_module *self, td_keys **out, td_error **err) TD_NOEXCEPT;

/* Fills up to `capacity` sizes of `out` with the dims that draws add before the batch, those of the last member first,
 * and returns their number; 0 for other modules.   Like num_samples.   [any-thread]  Since 0.1 */
TD_API size_t td_module_num_samples(const td_module *self, int64_t *out, size_t capacity) TD_NOEXCEPT;

/* Returns the module's own interaction type; for a sequence, that of the last member that has one; DEFAULT for other
 * modules.   Like default_interaction_type.   [any-thread]  Since 0.1 */
TD_API td_interaction td_module_default_interaction(const td_module *self) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_DIST_MODULE_H */
