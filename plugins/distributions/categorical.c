/* td.categorical, td.one_hot_categorical, td.one_hot_categorical_straight_through, td.multinomial,
 * as torch.distributions has them; td.int_one_hot_categorical is tensordict's own OneHotCategorical.
 *
 * SPDX-License-Identifier: MIT
 */
#include "../schema.h"
#include "classes.h"

/* ---- Categorical ------------------------------------------------------------------------------------------------- */
DRAW(2, categorical_sample) {
  return draw_indices(work, normal_probs(work, p), work->dims, work->ndim);
}
VALUE(2, categorical_log_prob) {
  return log_mass(work, normal_logits(work, p), x);
}
STAT(2, categorical_mean) {
  return not_a_number(work, normal_probs(work, p));
}
STAT(2, categorical_mode) {
  return argmax_last(work, normal_probs(work, p));
}
STAT(2, categorical_entropy) {
  return entropy_of(work, normal_logits(work, p), normal_probs(work, p));
}
STAT(2, categorical_enumerate) {
  return all_classes(work, given(p[PROBS]) ? p[PROBS] : p[LOGITS]);
}
VALUE(2, categorical_within) {
  return within_classes(work, x, size_of(work, given(p[PROBS]) ? p[PROBS] : p[LOGITS], 1));
}

/* ---- One-hot vectors --------------------------------------------------------------------------------------------- */
DRAW(2, one_hot_sample) {
  Value probs = normal_probs(work, p);
  return one_hot_of(work, draw_indices(work, probs, work->dims, work->ndim), probs);
}
DRAW(2, straight_through_rsample) {
  Value probs = normal_probs(work, p), fixed = Detach(probs);
  Value hot = one_hot_of(work, draw_indices(work, fixed, work->dims, work->ndim), fixed);
  return Add(hot, Sub(probs, fixed));
}
VALUE(2, one_hot_log_prob) {
  return log_mass(work, normal_logits(work, p), argmax_last(work, x));
}
STAT(2, one_hot_mean) {
  return normal_probs(work, p);
}
STAT(2, one_hot_mode) {
  Value probs = normal_probs(work, p);
  return one_hot_of(work, argmax_last(work, probs), probs);
}
STAT(2, one_hot_variance) {
  Value probs = normal_probs(work, p);
  return Mul(probs, Sub(Number(1), probs));
}
STAT(2, one_hot_enumerate) {
  return all_one_hots(work, given(p[PROBS]) ? p[PROBS] : p[LOGITS]);
}
/* tensordict's: int64 samples, and every maximum in the mode. */
DRAW(2, int_one_hot_sample) {
  return to_int64(work, one_hot_sample_formula(work, p));
}
STAT(2, int_one_hot_mode) {
  static const int64_t last = -1;
  Value logits = normal_logits(work, p);
  return to_int64(work, Eq(logits, call3(work, OP_amax, logits, ints(&last, 1), truth(1))));
}

/* ---- Multinomial: counts of total_count draws -------------------------------------------------------------------- */
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
static double total(const workspace *work) {
  return (double)((const multinomial *)work->self)->total_count;
}

DRAW(2, multinomial_sample) {
  int64_t dims[2 * MAX_DIMS];
  Value probs = normal_probs(work, p), counts = ZerosLike(to_draw(work, probs, 1));
  if (total(work) == 0 || work->status != TD_OK) return counts;
  dims[0] = (int64_t)total(work);
  if (work->ndim) memcpy(dims + 1, work->dims, work->ndim * sizeof *dims);
  Value each = call3(work, OP_movedim, draw_indices(work, probs, dims, work->ndim + 1), Integer(0), Integer(-1));
  Value ones = call2(work, OP_like, OnesLike(each), counts);
  return call4(work, OP_scatter_add, counts, Integer(-1), each, ones);
}
VALUE(2, multinomial_log_prob) {
  Value logits = normal_logits(work, p);
  Value ways = Sub(Lgamma(Add(SumLast(x), Number(1))), SumLast(Lgamma(Add(x, Number(1)))));
  Value finite = Fill(logits, And(Eq(x, Number(0)), Eq(logits, Number(-INFINITY))), 0);
  return Add(ways, SumLast(Mul(finite, x)));
}
STAT(2, multinomial_mean) {
  return Mul(normal_probs(work, p), Number(total(work)));
}
STAT(2, multinomial_variance) {
  Value probs = normal_probs(work, p);
  return Mul(Mul(probs, Number(total(work))), Sub(Number(1), probs));
}
/* PyTorch takes the first lgamma of an integer, and so in float32. */
STAT(2, multinomial_entropy) {
  static const int64_t ends[] = {0, -1};
  const double n = total(work);
  Value probs = normal_probs(work, p), logits = to_logits(work, probs);
  Value first =
      Sub(Mul(entropy_of(work, normal_logits(work, p), probs), Number(n)), Number((double)(float)lgamma(n + 1)));
  int64_t dims[MAX_DIMS];
  const size_t ndim = shape_of(work, probs, dims);
  Value k = counting(work, probs, (int64_t)n + 1);
  for (size_t i = 0; i < ndim; ++i) k = Unsqueeze(k, -1);
  Value ways = Sub(Sub(Number(lgamma(n + 1)), Lgamma(Add(k, Number(1)))), Lgamma(Add(Neg(k), Number(n + 1))));
  Value mass = Exp(Add(ways, Sub(Mul(k, logits), Mul(Softplus(logits), Number(n)))));
  return Add(first, call2(work, OP_sum, Mul(mass, Lgamma(Add(k, Number(1)))), ints(ends, 2)));
}
VALUE(2, multinomial_within) {
  return And(AllLast(Ge(x, Number(0))), Le(SumLast(x), Number(total(work))));
}

/* ---- Divergences ------------------------------------------------------------------------------------------------- */
FORMULA2(categorical_categorical) {
  return class_divergence(work, masses_of(work, p), masses_of(work, q));
}
FORMULA2(categorical_ordinal) {
  return class_divergence(work, masses_of(work, p), masses_of_logits(work, ordinal_logits(work, q[0])));
}
KL(2, categorical_kl, {"td.categorical", categorical_categorical, 2},
   {"td.int_one_hot_categorical", categorical_categorical, 2}, {"td.ordinal", categorical_ordinal, 1},
   {"td.one_hot_ordinal", categorical_ordinal, 1})
KL(2, one_hot_kl, {"td.one_hot_categorical", categorical_categorical, 2},
   {"td.one_hot_categorical_straight_through", categorical_categorical, 2})

/* ---- Tables ------------------------------------------------------------------------------------------------------ */
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
