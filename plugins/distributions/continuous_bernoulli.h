/* What a ContinuousBernoulli computes with, for itself and for divergences to it: a Taylor series where probs are between
 * .499 and .501.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef DISTRIBUTIONS_CONTINUOUS_BERNOULLI_H
#define DISTRIBUTIONS_CONTINUOUS_BERNOULLI_H

#include "family.h"

typedef struct continuous {
  Value probs, logits, stable, cut; /* stable: outside the series; cut: probs there, .499 elsewhere */
} continuous;

static inline continuous continuous_of(workspace *work, const Value *p) {
  continuous c;
  c.probs = clamp_probs(work, probs_of(work, p));
  c.logits = given(p[1]) ? p[1] : to_logits(work, c.probs);
  c.stable = Or(Le(c.probs, Number(0.499)), Gt(c.probs, Number(0.501)));
  c.cut = Where(c.stable, c.probs, FullLike(c.probs, 0.499));
  return c;
}
static inline Value log_odds_against(workspace *work, Value cut) {
  return Sub(Log1p(Neg(cut)), Log(cut));
}
static inline Value continuous_log_norm(workspace *work, continuous c) {
  Value low = Where(Le(c.cut, Number(0.5)), c.cut, ZerosLike(c.cut)),
        high = Where(Ge(c.cut, Number(0.5)), c.cut, OnesLike(c.cut));
  Value width = Where(Le(c.cut, Number(0.5)), Log1p(Mul(low, Number(-2))), Log(Sub(Mul(high, Number(2)), Number(1))));
  Value exact = Sub(Log(Abs(log_odds_against(work, c.cut))), width);
  Value y = Square(Sub(c.probs, Number(0.5)));
  Value series = Add(Mul(Add(Mul(y, Number(104.0 / 45)), Number(4.0 / 3)), y), Number(0.6931471805599453));
  return Where(c.stable, exact, series);
}
static inline Value continuous_mean_of(workspace *work, continuous c) {
  Value exact = Add(Div(c.cut, Sub(Mul(c.cut, Number(2)), Number(1))), Reciprocal(log_odds_against(work, c.cut)));
  Value y = Sub(c.probs, Number(0.5));
  Value series = Add(Mul(Add(Mul(Square(y), Number(16.0 / 45)), Number(1.0 / 3)), y), Number(0.5));
  return Where(c.stable, exact, series);
}
/* The divergence from what has this entropy and mean, and reaches no further than [0, 1]. */
static inline Value to_continuous(workspace *work, Value entropy, Value mean, const Value *q) {
  continuous c = continuous_of(work, q);
  Value fit = Add(Mul(mean, c.logits), Log1p(Neg(c.probs)));
  return Sub(Sub(Neg(entropy), fit), continuous_log_norm(work, c));
}

#endif
