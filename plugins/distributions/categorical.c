/* td.categorical, td.one_hot_categorical, td.one_hot_categorical_straight_through, td.multinomial,
 * td.relaxed_one_hot_categorical as torch.distributions has them; td.int_one_hot_categorical is tensordict's own
 * OneHotCategorical; td.masked_categorical and td.masked_one_hot_categorical are torchrl's.
 *
 * Each takes probs, which are divided by their sum, or logits. Probs become logits by clamping to [eps, 1 - eps].
 *
 * SPDX-License-Identifier: MIT
 */
#include "family.h"

enum { PROBS, LOGITS };

/* ---- Categorical ----------------------------------------------------------------------------------------------------------- */
static V normal_probs(work *w, const V *p) {
  if (given(p[PROBS])) return Div(p[PROBS], SumLastKeep(p[PROBS]));
  return call2(w, OP_softmax, p[LOGITS], I(-1));
}
static V take_off_logsumexp(work *w, V logits) {
  static const int64_t last = -1;
  return Sub(logits, call3(w, OP_logsumexp, logits, ints(&last, 1), truth(1)));
}
static V normal_logits(work *w, const V *p) {
  return given(p[LOGITS]) ? take_off_logsumexp(w, p[LOGITS]) : Log(clamp_probs(w, normal_probs(w, p)));
}
static V to_int64(work *w, V x) {
  return call2(w, OP_to, x, (V){.kind = TD_VALUE_DTYPE, .as.i = TD_INT64});
}

/* Indices of shape `dims`, sample shape + batch shape. */
static V draw_indices(work *w, V probs, const int64_t *dims, size_t ndim) {
  int64_t own[MAX_DIMS], flat[2];
  const size_t n = shape_of(w, probs, own);
  if (w->status != TD_OK) return none;
  int64_t draws = 1;
  for (size_t i = 0; i + (n - 1) < ndim; ++i) draws *= dims[i];
  flat[0] = -1, flat[1] = own[n - 1];
  for (size_t i = 0; i + 1 < n; ++i)
    if (own[i] == 0) flat[0] = 0;
  V args[] = {call2(w, OP_reshape, probs, ints(flat, 2)), I(draws), truth(1)};
  V drawn = draw_with(w, OP_multinomial, args, 3);
  return call2(w, OP_reshape, call3(w, OP_transpose, drawn, I(0), I(1)), ints(dims, ndim));
}
static V log_mass(work *w, V logits, V x) {
  V index = Unsqueeze(to_int64(w, x), -1);
  V at = call4(w, OP_narrow, spread(w, index, logits), I(-1), I(0), I(1));
  return call2(w, OP_squeeze, call3(w, OP_gather, spread(w, logits, index), I(-1), at), I(-1));
}
static V disorder(work *w, V logits, V probs) {
  const double least = dtype_of(logits) == TD_FLOAT64 ? -1.7976931348623157e308 : -3.4028234663852886e38;
  return Neg(SumLast(Mul(Clamp(logits, K(least), none), probs)));
}
static V not_a_number(work *w, V probs) {
  return FullLike(Select(probs, -1, 0), NAN);
}

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
  V param = given(p[PROBS]) ? p[PROBS] : p[LOGITS];
  return to_int64(w, counting(w, param, size_of(w, param, 1)));
}
VALUE(2, categorical_within) {
  const int64_t k = size_of(w, given(p[PROBS]) ? p[PROBS] : p[LOGITS], 1);
  V whole = Eq(call2(w, OP_remainder, x, I(1)), I(0));
  return And(And(whole, Ge(x, I(0))), Le(x, I(k - 1)));
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
  V param = given(p[PROBS]) ? p[PROBS] : p[LOGITS];
  const int64_t k = size_of(w, param, 1);
  return call1(w, OP_diag_embed, call3(w, OP_new_full, param, ints(&k, 1), K(1)));
}
static td_status last_dim(const void *self, const td_tensor *param, int64_t *out, size_t capacity, size_t *ndim,
                          td_error **err) {
  work w = {.self = self, .err = err};
  *ndim = 1;
  if (capacity > 0) *out = size_of(&w, tensor(param), 1);
  return w.status;
}
static td_status event_shape(const void *self, td_tensor *const *params, int64_t *out, size_t capacity, size_t *ndim,
                             td_error **err) {
  return last_dim(self, params[PROBS] ? params[PROBS] : params[LOGITS], out, capacity, ndim, err);
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

/* ---- RelaxedOneHotCategorical: temperature, then probs and logits ------------------------------------------------------------------ */
DRAW(3, relaxed_rsample) {
  V logits = to_draw(w, normal_logits(w, p + 1), 1);
  V gumbels = Neg(Log(Neg(Log(clamp_probs(w, standard_uniform(w, logits))))));
  return Exp(take_off_logsumexp(w, Div(Add(logits, gumbels), Unsqueeze(p[0], -1))));
}
VALUE(3, relaxed_log_prob) {
  V logits = normal_logits(w, p + 1), log_x = Log(x);
  const double k = (double)size_of(w, logits, 1);
  V scale = Add(Mul(Log(p[0]), K(k - 1)), K(lgamma(k)));
  V score = SumLast(take_off_logsumexp(w, Sub(logits, Mul(log_x, Unsqueeze(p[0], -1)))));
  return Sub(Add(score, scale), SumLast(log_x));
}
STAT(3, relaxed_point) {
  return one_hot_mode_formula(w, p + 1);
}
static td_status relaxed_event_shape(const void *self, td_tensor *const *params, int64_t *out, size_t capacity,
                                     size_t *ndim, td_error **err) {
  return event_shape(self, params + 1, out, capacity, ndim, err);
}

/* ---- Masked: only the classes that `mask` (bool) or `indices` allow --------------------------------------------------------------------- */
enum { MASK = 2, INDICES };

static V masked_logits(work *w, const V *p) {
  V logits = normal_logits(w, p), allowed = p[MASK];
  if (!given(allowed)) {
    V ones = call2(w, OP_like, OnesLike(p[INDICES]), logits), index = p[INDICES];
    allowed = Gt(call4(w, OP_scatter_add, ZerosLike(logits), I(-1), to_int64(w, index), ones), K(0));
  }
  return take_off_logsumexp(w, Fill(logits, Not(allowed), -INFINITY));
}
static V masked_probs(work *w, const V *p) {
  return Exp(masked_logits(w, p));
}

DRAW(4, masked_sample) {
  return draw_indices(w, masked_probs(w, p), w->dims, w->ndim);
}
VALUE(4, masked_log_prob) {
  return log_mass(w, masked_logits(w, p), x);
}
STAT(4, masked_mean) {
  return not_a_number(w, masked_logits(w, p));
}
STAT(4, masked_mode) {
  return argmax_last(w, masked_logits(w, p));
}
STAT(4, masked_entropy) {
  V logits = masked_logits(w, p);
  return disorder(w, logits, Exp(logits));
}
DRAW(4, masked_one_hot_sample) {
  V probs = masked_probs(w, p);
  return one_hot_of(w, draw_indices(w, probs, w->dims, w->ndim), probs);
}
VALUE(4, masked_one_hot_log_prob) {
  return log_mass(w, masked_logits(w, p), argmax_last(w, x));
}
STAT(4, masked_one_hot_mode) {
  V logits = masked_logits(w, p);
  return one_hot_of(w, argmax_last(w, logits), logits);
}

/* ---- Divergences ---------------------------------------------------------------------------------------------------------------------------- */
FORMULA2(categorical_categorical) {
  V pp = normal_probs(w, p), qp = normal_probs(w, q);
  V t = Mul(pp, Sub(normal_logits(w, p), normal_logits(w, q)));
  return SumLast(Fill(Fill(t, Eq(qp, K(0)), INFINITY), Eq(pp, K(0)), 0));
}
KL(2, categorical_kl, {"td.categorical", categorical_categorical, 2},
   {"td.int_one_hot_categorical", categorical_categorical, 2})
KL(2, one_hot_kl, {"td.one_hot_categorical", categorical_categorical, 2},
   {"td.one_hot_categorical_straight_through", categorical_categorical, 2})

/* ---- Tables ------------------------------------------------------------------------------------------------------------------------------------ */
static const td_str classes[] = {TD_TEXT("probs"), TD_TEXT("logits")};
static const td_str warm_classes[] = {TD_TEXT("temperature"), TD_TEXT("probs"), TD_TEXT("logits")};
static const td_str masked_classes[] = {TD_TEXT("probs"), TD_TEXT("logits"), TD_TEXT("mask"), TD_TEXT("indices")};

#define CLASS_RULES                          \
  {TD_CONSTRAINT_NORMALIZED, 1, 1, 0, 0}, {  \
    TD_CONSTRAINT_LOG_NORMALIZED, 1, 1, 0, 0 \
  }
static const td_distribution_param class_rules[] = {CLASS_RULES};
static const td_distribution_param warm_rules[] = {{TD_CONSTRAINT_NONE, 0, 0, 0, 0}, CLASS_RULES};
static const td_distribution_param masked_rules[] = {
    CLASS_RULES, {TD_CONSTRAINT_NONE, 1, 2, 0, 0}, {TD_CONSTRAINT_NONE, 1, 2, 0, 0}};

#define DISCRETE_MODE TD_DISTRIBUTION_DISCRETE | TD_DISTRIBUTION_POINT_IS_MODE

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
    .traits = DISCRETE_MODE,
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
static const td_distribution_type relaxed_type = {
    HEAD("td.relaxed_one_hot_categorical", "RelaxedOneHotCategorical", warm_classes, warm_rules),
    .create = create_plain,
    .support = TD_CONSTRAINT_SIMPLEX,
    .event_shape = relaxed_event_shape,
    .sample = relaxed_rsample,
    .rsample = relaxed_rsample,
    .log_prob = relaxed_log_prob,
    .deterministic = relaxed_point,
};
static const td_distribution_type masked_type = {
    HEAD("td.masked_categorical", "MaskedCategorical", masked_classes, masked_rules),
    .create = create_plain,
    .support = TD_CONSTRAINT_OWN,
    .support_name = TD_TEXT("IntegerInterval(lower_bound=0, upper_bound=n-1)"),
    .within = categorical_within,
    .traits = DISCRETE_MODE,
    .sample = masked_sample,
    .log_prob = masked_log_prob,
    .mean = masked_mean,
    .mode = masked_mode,
    .variance = masked_mean,
    .entropy = masked_entropy,
    .enumerate = categorical_enumerate,
};
static const td_distribution_type masked_one_hot_type = {
    HEAD("td.masked_one_hot_categorical", "MaskedOneHotCategorical", masked_classes, masked_rules),
    .create = create_plain,
    .support = TD_CONSTRAINT_ONE_HOT,
    .traits = DISCRETE_MODE,
    .event_shape = event_shape,
    .sample = masked_one_hot_sample,
    .log_prob = masked_one_hot_log_prob,
    .mode = masked_one_hot_mode,
    .entropy = masked_entropy,
};

static const td_plugin_type *const types[] = {
    &categorical_type.type, &one_hot_type.type, &straight_through_type.type, &int_one_hot_type.type,
    &multinomial_type.type, &relaxed_type.type, &masked_type.type,           &masked_one_hot_type.type};
PLUGIN("td.categorical", types)
