/* What the distributions over classes share: probs, which are divided by their sum, or logits. Probs become logits by
 * clamping to [eps, 1 - eps].
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef DISTRIBUTIONS_CLASSES_H
#define DISTRIBUTIONS_CLASSES_H

#include "family.h"

enum { PROBS, LOGITS };

static inline V normal_probs(work *w, const V *p) {
  if (given(p[PROBS])) return Div(p[PROBS], SumLastKeep(p[PROBS]));
  return call2(w, OP_softmax, p[LOGITS], I(-1));
}
static inline V take_off_logsumexp(work *w, V logits) {
  static const int64_t last = -1;
  return Sub(logits, call3(w, OP_logsumexp, logits, ints(&last, 1), truth(1)));
}
static inline V normal_logits(work *w, const V *p) {
  return given(p[LOGITS]) ? take_off_logsumexp(w, p[LOGITS]) : Log(clamp_probs(w, normal_probs(w, p)));
}
static inline V to_int64(work *w, V x) {
  return call2(w, OP_to, x, (V){.kind = TD_VALUE_DTYPE, .as.i = TD_INT64});
}

/* Indices of shape `dims`, sample shape + batch shape. */
static inline V draw_indices(work *w, V probs, const int64_t *dims, size_t ndim) {
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
static inline V log_mass(work *w, V logits, V x) {
  V index = Unsqueeze(to_int64(w, x), -1);
  V at = call4(w, OP_narrow, spread(w, index, logits), I(-1), I(0), I(1));
  return call2(w, OP_squeeze, call3(w, OP_gather, spread(w, logits, index), I(-1), at), I(-1));
}
static inline V disorder(work *w, V logits, V probs) {
  const double least = dtype_of(logits) == TD_FLOAT64 ? -1.7976931348623157e308 : -3.4028234663852886e38;
  return Neg(SumLast(Mul(Clamp(logits, K(least), none), probs)));
}
static inline V not_a_number(work *w, V probs) {
  return FullLike(Select(probs, -1, 0), NAN);
}
static inline td_status last_dim(const void *self, const td_tensor *param, int64_t *out, size_t capacity, size_t *ndim,
                                 td_error **err) {
  work w = {.self = self, .err = err};
  *ndim = 1;
  if (capacity > 0) *out = size_of(&w, tensor(param), 1);
  return w.status;
}
static inline td_status event_shape(const void *self, td_tensor *const *params, int64_t *out, size_t capacity,
                                    size_t *ndim, td_error **err) {
  return last_dim(self, params[PROBS] ? params[PROBS] : params[LOGITS], out, capacity, ndim, err);
}

/* Probabilities of the classes, and their logs. */
typedef struct masses {
  V probs, logits;
} masses;

static inline masses masses_of(work *w, const V *p) {
  return (masses){normal_probs(w, p), normal_logits(w, p)};
}
static inline masses masses_of_logits(work *w, V logits) {
  return (masses){Exp(logits), logits};
}
static inline V class_divergence(work *w, masses p, masses q) {
  V t = Mul(p.probs, Sub(p.logits, q.logits));
  return SumLast(Fill(Fill(t, Eq(q.probs, K(0)), INFINITY), Eq(p.probs, K(0)), 0));
}

/* torchrl's ordinal logits from scores: a number of class k passes the thresholds up to k, and none of the others. */
static inline V ordinal_logits(work *w, V scores) {
  static const int64_t last = -1;
  V above = call1(w, OP_log_sigmoid, scores), below = call1(w, OP_log_sigmoid, Neg(scores));
  V from_top = call2(w, OP_cumsum, call2(w, OP_flip, below, ints(&last, 1)), I(-1));
  V others = Sub(call2(w, OP_flip, from_top, ints(&last, 1)), below);
  return take_off_logsumexp(w, Add(call2(w, OP_cumsum, above, I(-1)), others));
}

/* Integers from 0 to k - 1. */
static inline V within_classes(work *w, V x, int64_t k) {
  V whole = Eq(call2(w, OP_remainder, x, I(1)), I(0));
  return And(And(whole, Ge(x, I(0))), Le(x, I(k - 1)));
}
static inline V all_classes(work *w, V like) {
  return to_int64(w, counting(w, like, size_of(w, like, 1)));
}
static inline V all_one_hots(work *w, V like) {
  const int64_t k = size_of(w, like, 1);
  return call1(w, OP_diag_embed, call3(w, OP_new_full, like, ints(&k, 1), K(1)));
}

#define CLASS_RULES                          \
  {TD_CONSTRAINT_NORMALIZED, 1, 1, 0, 0}, {  \
    TD_CONSTRAINT_LOG_NORMALIZED, 1, 1, 0, 0 \
  }
#define DISCRETE_MODE TD_DISTRIBUTION_DISCRETE | TD_DISTRIBUTION_POINT_IS_MODE

#endif
