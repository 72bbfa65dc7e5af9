/* What the distributions over classes share: probs, which are divided by their sum, or logits. Probs become logits by
 * clamping to [eps, 1 - eps].
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef DISTRIBUTIONS_CLASSES_H
#define DISTRIBUTIONS_CLASSES_H

#include "family.h"

enum { PROBS, LOGITS };

static inline Value normal_probs(workspace *work, const Value *p) {
  if (given(p[PROBS])) return Div(p[PROBS], SumLastKeep(p[PROBS]));
  return call2(work, OP_softmax, p[LOGITS], Integer(-1));
}
static inline Value take_off_logsumexp(workspace *work, Value logits) {
  static const int64_t last = -1;
  return Sub(logits, call3(work, OP_logsumexp, logits, ints(&last, 1), truth(1)));
}
static inline Value normal_logits(workspace *work, const Value *p) {
  return given(p[LOGITS]) ? take_off_logsumexp(work, p[LOGITS]) : Log(clamp_probs(work, normal_probs(work, p)));
}
static inline Value to_int64(workspace *work, Value x) {
  return call2(work, OP_to, x, (Value){.kind = TD_VALUE_DTYPE, .as.i = TD_DTYPE_INT64});
}

/* Indices of shape `dims`, sample shape + batch shape. */
static inline Value draw_indices(workspace *work, Value probs, const int64_t *dims, size_t ndim) {
  int64_t own[MAX_DIMS], flat[2];
  const size_t n = shape_of(work, probs, own);
  if (work->status != TD_OK) return none;
  int64_t draws = 1;
  for (size_t i = 0; i + (n - 1) < ndim; ++i) draws *= dims[i];
  flat[0] = -1, flat[1] = own[n - 1];
  for (size_t i = 0; i + 1 < n; ++i)
    if (own[i] == 0) flat[0] = 0;
  Value args[] = {call2(work, OP_reshape, probs, ints(flat, 2)), Integer(draws), truth(1)};
  Value drawn = draw_with(work, OP_multinomial, args, 3);
  return call2(work, OP_reshape, call3(work, OP_transpose, drawn, Integer(0), Integer(1)), ints(dims, ndim));
}
static inline Value log_mass(workspace *work, Value logits, Value x) {
  Value index = Unsqueeze(to_int64(work, x), -1);
  Value at = call4(work, OP_narrow, spread(work, index, logits), Integer(-1), Integer(0), Integer(1));
  return call2(work, OP_squeeze, call3(work, OP_gather, spread(work, logits, index), Integer(-1), at), Integer(-1));
}
static inline Value entropy_of(workspace *work, Value logits, Value probs) {
  const double least = dtype_of(logits) == TD_DTYPE_FLOAT64 ? -1.7976931348623157e308 : -3.4028234663852886e38;
  return Neg(SumLast(Mul(Clamp(logits, Number(least), none), probs)));
}
static inline Value not_a_number(workspace *work, Value probs) {
  return FullLike(Select(probs, -1, 0), NAN);
}
static inline td_status last_dim(const void *self, const td_tensor *param, int64_t *out, size_t capacity, size_t *ndim,
                                 td_error **err) {
  workspace work = {.self = self, .err = err};
  *ndim = 1;
  if (capacity > 0) *out = size_of(&work, tensor(param), 1);
  return work.status;
}
static inline td_status event_shape(const void *self, td_tensor *const *params, int64_t *out, size_t capacity,
                                    size_t *ndim, td_error **err) {
  return last_dim(self, params[PROBS] ? params[PROBS] : params[LOGITS], out, capacity, ndim, err);
}

/* Probabilities of the classes, and their logs. */
typedef struct masses {
  Value probs, logits;
} masses;

static inline masses masses_of(workspace *work, const Value *p) {
  return (masses){normal_probs(work, p), normal_logits(work, p)};
}
static inline masses masses_of_logits(workspace *work, Value logits) {
  return (masses){Exp(logits), logits};
}
static inline Value class_divergence(workspace *work, masses p, masses q) {
  Value t = Mul(p.probs, Sub(p.logits, q.logits));
  return SumLast(Fill(Fill(t, Eq(q.probs, Number(0)), INFINITY), Eq(p.probs, Number(0)), 0));
}

/* torchrl's ordinal logits from scores: a number of class k passes the thresholds up to k, and none of the others. */
static inline Value ordinal_logits(workspace *work, Value scores) {
  static const int64_t last = -1;
  Value above = call1(work, OP_log_sigmoid, scores), below = call1(work, OP_log_sigmoid, Neg(scores));
  Value from_top = call2(work, OP_cumsum, call2(work, OP_flip, below, ints(&last, 1)), Integer(-1));
  Value others = Sub(call2(work, OP_flip, from_top, ints(&last, 1)), below);
  return take_off_logsumexp(work, Add(call2(work, OP_cumsum, above, Integer(-1)), others));
}

/* Integers from 0 to k - 1. */
static inline Value within_classes(workspace *work, Value x, int64_t k) {
  Value whole = Eq(call2(work, OP_remainder, x, Integer(1)), Integer(0));
  return And(And(whole, Ge(x, Integer(0))), Le(x, Integer(k - 1)));
}
static inline Value all_classes(workspace *work, Value like) {
  return to_int64(work, counting(work, like, size_of(work, like, 1)));
}
static inline Value all_one_hots(workspace *work, Value like) {
  const int64_t k = size_of(work, like, 1);
  return call1(work, OP_diag_embed, call3(work, OP_new_full, like, ints(&k, 1), Number(1)));
}

#define CLASS_RULES                          \
  {TD_CONSTRAINT_NORMALIZED, 1, 1, 0, 0}, {  \
    TD_CONSTRAINT_LOG_NORMALIZED, 1, 1, 0, 0 \
  }
#define DISCRETE_MODE TD_DISTRIBUTION_DISCRETE | TD_DISTRIBUTION_POINT_IS_MODE

#endif
