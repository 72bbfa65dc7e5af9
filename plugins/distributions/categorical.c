/* td.categorical, td.one_hot_categorical, td.one_hot_categorical_straight_through, td.multinomial,
 * as torch.distributions has them; td.int_one_hot_categorical is tensordict's own OneHotCategorical.
 *
 * SPDX-License-Identifier: MIT
 */
#include "../schema.h"
#include "classes.h"

/* ---- Categorical ----------------------------------------------------------------------------------------------------------- */
DRAW(2, categorical_sample) {
  return draw_indices(w, normal_probs(w, p), w->dims, w->ndim);
}
VALUE(2, categorical_log_prob) {
  return log_mass(w, normal_logits(w, p), x);
}
STAT(2, categorical_mean) {
  return not_a_number(w, normal_probs(w, p));
}
STAT(2, categorical_mode) {
  return argmax_last(w, normal_probs(w, p));
}
STAT(2, categorical_entropy) {
  return disorder(w, normal_logits(w, p), normal_probs(w, p));
}
STAT(2, categorical_enumerate) {
  return all_classes(w, given(p[PROBS]) ? p[PROBS] : p[LOGITS]);
}
VALUE(2, categorical_within) {
  return within_classes(w, x, size_of(w, given(p[PROBS]) ? p[PROBS] : p[LOGITS], 1));
}

/* ---- One-hot vectors --------------------------------------------------------------------------------------------------------- */
DRAW(2, one_hot_sample) {
  V probs = normal_probs(w, p);
  return one_hot_of(w, draw_indices(w, probs, w->dims, w->ndim), probs);
}
DRAW(2, straight_through_rsample) {
  V probs = normal_probs(w, p), fixed = Detach(probs);
  V hot = one_hot_of(w, draw_indices(w, fixed, w->dims, w->ndim), fixed);
  return Add(hot, Sub(probs, fixed));
}
VALUE(2, one_hot_log_prob) {
  return log_mass(w, normal_logits(w, p), argmax_last(w, x));
}
STAT(2, one_hot_mean) {
  return normal_probs(w, p);
}
STAT(2, one_hot_mode) {
  V probs = normal_probs(w, p);
  return one_hot_of(w, argmax_last(w, probs), probs);
}
STAT(2, one_hot_variance) {
  V probs = normal_probs(w, p);
  return Mul(probs, Sub(K(1), probs));
}
STAT(2, one_hot_enumerate) {
  return all_one_hots(w, given(p[PROBS]) ? p[PROBS] : p[LOGITS]);
}
/* tensordict's: int64 samples, and every maximum in the mode. */
DRAW(2, int_one_hot_sample) {
  return to_int64(w, one_hot_sample_formula(w, p));
}
STAT(2, int_one_hot_mode) {
  static const int64_t last = -1;
  V logits = normal_logits(w, p);
  return to_int64(w, Eq(logits, call3(w, OP_amax, logits, ints(&last, 1), truth(1))));
}

/* ---- Multinomial: counts of total_count draws ----------------------------------------------------------------------------------- */
typedef struct multinomial {
  int64_t total_count;
} multinomial;

static td_status multinomial_create(const td_host *the_host, const td_config *config, void **self, td_error **err) {
  multinomial found = {1};
  td_status s = the_host->config_int(config, text("total_count"), &found.total_count, err);
  if (s != TD_OK) return s;
  if (found.total_count < 0 || found.total_count > 1 << 24) {
    *err = the_host->error_new(TD_ERR_ARGUMENT, text("total_count must be between 0 and 2^24"));
    return TD_ERR_ARGUMENT;
  }
  multinomial *made = malloc(sizeof *made);
  if (!made) return TD_ERR_OOM;
  *made = found;
  *self = made;
  return TD_OK;
}
static double total(const work *w) {
  return (double)((const multinomial *)w->self)->total_count;
}

DRAW(2, multinomial_sample) {
  int64_t dims[2 * MAX_DIMS];
  V probs = normal_probs(w, p), counts = ZerosLike(to_draw(w, probs, 1));
  if (total(w) == 0 || w->status != TD_OK) return counts;
  dims[0] = (int64_t)total(w);
  if (w->ndim) memcpy(dims + 1, w->dims, w->ndim * sizeof *dims);
  V each = call3(w, OP_movedim, draw_indices(w, probs, dims, w->ndim + 1), I(0), I(-1));
  V ones = call2(w, OP_like, OnesLike(each), counts);
  return call4(w, OP_scatter_add, counts, I(-1), each, ones);
}
VALUE(2, multinomial_log_prob) {
  V logits = normal_logits(w, p);
  V ways = Sub(Lgamma(Add(SumLast(x), K(1))), SumLast(Lgamma(Add(x, K(1)))));
  V finite = Fill(logits, And(Eq(x, K(0)), Eq(logits, K(-INFINITY))), 0);
  return Add(ways, SumLast(Mul(finite, x)));
}
STAT(2, multinomial_mean) {
  return Mul(normal_probs(w, p), K(total(w)));
}
STAT(2, multinomial_variance) {
  V probs = normal_probs(w, p);
  return Mul(Mul(probs, K(total(w))), Sub(K(1), probs));
}
/* PyTorch takes the first lgamma of an integer, and so in float32. */
STAT(2, multinomial_entropy) {
  static const int64_t ends[] = {0, -1};
  const double n = total(w);
  V probs = normal_probs(w, p), logits = to_logits(w, probs);
  V first = Sub(Mul(disorder(w, normal_logits(w, p), probs), K(n)), K((double)(float)lgamma(n + 1)));
  int64_t dims[MAX_DIMS];
  const size_t ndim = shape_of(w, probs, dims);
  V k = counting(w, probs, (int64_t)n + 1);
  for (size_t i = 0; i < ndim; ++i) k = Unsqueeze(k, -1);
  V ways = Sub(Sub(K(lgamma(n + 1)), Lgamma(Add(k, K(1)))), Lgamma(Add(Neg(k), K(n + 1))));
  V mass = Exp(Add(ways, Sub(Mul(k, logits), Mul(Softplus(logits), K(n)))));
  return Add(first, call2(w, OP_sum, Mul(mass, Lgamma(Add(k, K(1)))), ints(ends, 2)));
}
VALUE(2, multinomial_within) {
  return And(AllLast(Ge(x, K(0))), Le(SumLast(x), K(total(w))));
}

/* ---- Divergences ---------------------------------------------------------------------------------------------------------------------------- */
FORMULA2(categorical_categorical) {
  return class_divergence(w, masses_of(w, p), masses_of(w, q));
}
FORMULA2(categorical_ordinal) {
  return class_divergence(w, masses_of(w, p), masses_of_logits(w, ordinal_logits(w, q[0])));
}
KL(2, categorical_kl, {"td.categorical", categorical_categorical, 2},
   {"td.int_one_hot_categorical", categorical_categorical, 2}, {"td.ordinal", categorical_ordinal, 1},
   {"td.one_hot_ordinal", categorical_ordinal, 1})
KL(2, one_hot_kl, {"td.one_hot_categorical", categorical_categorical, 2},
   {"td.one_hot_categorical_straight_through", categorical_categorical, 2})

/* ---- Tables ------------------------------------------------------------------------------------------------------------------------------------ */
static const td_str classes[] = {TD_TEXT("probs"), TD_TEXT("logits")};

static const td_distribution_param class_rules[] = {CLASS_RULES};

static const td_distribution_type categorical_type = {
    HEAD("td.categorical", "Categorical", classes, class_rules),
    .create = create_plain,
    .support = TD_CONSTRAINT_OWN,
    .support_name = TD_TEXT("IntegerInterval(lower_bound=0, upper_bound=n-1)"),
    .within = categorical_within,
    .traits = DISCRETE_MODE,
    .sample = categorical_sample,
    .log_prob = categorical_log_prob,
    .mean = categorical_mean,
    .mode = categorical_mode,
    .variance = categorical_mean,
    .entropy = categorical_entropy,
    .enumerate = categorical_enumerate,
    .kl = categorical_kl,
};
#define ONE_HOT(id, shown)                                                                                           \
  HEAD(id, shown, classes, class_rules),                                                                             \
      .create = create_plain, .support = TD_CONSTRAINT_ONE_HOT, .traits = DISCRETE_MODE, .event_shape = event_shape, \
      .sample = one_hot_sample, .log_prob = one_hot_log_prob, .mean = one_hot_mean, .mode = one_hot_mode,            \
      .variance = one_hot_variance, .entropy = categorical_entropy, .enumerate = one_hot_enumerate, .kl = one_hot_kl
static const td_distribution_type one_hot_type = {
    ONE_HOT("td.one_hot_categorical", "OneHotCategorical"),
};
static const td_distribution_type straight_through_type = {
    ONE_HOT("td.one_hot_categorical_straight_through", "OneHotCategoricalStraightThrough"),
    .rsample = straight_through_rsample,
};
static const td_distribution_type int_one_hot_type = {
    HEAD("td.int_one_hot_categorical", "OneHotCategorical", classes, class_rules),
    .create = create_plain,
    .traits = DISCRETE_MODE | TD_DISTRIBUTION_ANY_VALUE,
    .sample = int_one_hot_sample,
    .log_prob = one_hot_log_prob,
    .mean = categorical_mean,
    .mode = int_one_hot_mode,
    .deterministic = int_one_hot_mode,
    .variance = categorical_mean,
    .entropy = categorical_entropy,
    .enumerate = categorical_enumerate,
    .kl = categorical_kl,
};
static const td_distribution_type multinomial_type = {
    HEAD("td.multinomial", "Multinomial", classes, class_rules),
    .create = multinomial_create,
    .support = TD_CONSTRAINT_OWN,
    .support_name = TD_TEXT("Multinomial()"),
    .within = multinomial_within,
    .traits = TD_DISTRIBUTION_DISCRETE | TD_DISTRIBUTION_POINT_IS_MEAN,
    .event_shape = event_shape,
    .sample = multinomial_sample,
    .log_prob = multinomial_log_prob,
    .mean = multinomial_mean,
    .variance = multinomial_variance,
    .entropy = multinomial_entropy,
};

static const td_plugin_type *const types[] = {&categorical_type.type, &one_hot_type.type, &straight_through_type.type,
                                              &int_one_hot_type.type, &multinomial_type.type};
static const td_str schemas[] = {NO_CONFIG, NO_CONFIG, NO_CONFIG, NO_CONFIG,
                                 SCHEMA(REQUIRED(), WHOLE_OR("total_count", 0, 1))};
PLUGIN("td.categorical", types, schemas)
