/* What a ContinuousBernoulli computes with, for itself and for divergences to it: a Taylor series where probs are between
 * .499 and .501.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef DISTRIBUTIONS_CONTINUOUS_BERNOULLI_H
#define DISTRIBUTIONS_CONTINUOUS_BERNOULLI_H

#include "family.h"

typedef struct continuous {
  V probs, logits, stable, cut; /* stable: outside the series; cut: probs there, .499 elsewhere */
} continuous;

static inline continuous continuous_of(work *w, const V *p) {
  continuous c;
  c.probs = clamp_probs(w, probs_of(w, p));
  c.logits = given(p[1]) ? p[1] : to_logits(w, c.probs);
  c.stable = Or(Le(c.probs, K(0.499)), Gt(c.probs, K(0.501)));
  c.cut = Where(c.stable, c.probs, FullLike(c.probs, 0.499));
  return c;
}
static inline V log_odds_against(work *w, V cut) {
  return Sub(Log1p(Neg(cut)), Log(cut));
}
static inline V continuous_log_norm(work *w, continuous c) {
  V low = Where(Le(c.cut, K(0.5)), c.cut, ZerosLike(c.cut)), high = Where(Ge(c.cut, K(0.5)), c.cut, OnesLike(c.cut));
  V width = Where(Le(c.cut, K(0.5)), Log1p(Mul(low, K(-2))), Log(Sub(Mul(high, K(2)), K(1))));
  V exact = Sub(Log(Abs(log_odds_against(w, c.cut))), width);
  V y = Square(Sub(c.probs, K(0.5)));
  V series = Add(Mul(Add(Mul(y, K(104.0 / 45)), K(4.0 / 3)), y), K(0.6931471805599453));
  return Where(c.stable, exact, series);
}
static inline V continuous_mean_of(work *w, continuous c) {
  V exact = Add(Div(c.cut, Sub(Mul(c.cut, K(2)), K(1))), Reciprocal(log_odds_against(w, c.cut)));
  V y = Sub(c.probs, K(0.5));
  V series = Add(Mul(Add(Mul(Square(y), K(16.0 / 45)), K(1.0 / 3)), y), K(0.5));
  return Where(c.stable, exact, series);
}
/* The divergence from what has this entropy and mean, and reaches no further than [0, 1]. */
static inline V to_continuous(work *w, V entropy, V mean, const V *q) {
  continuous c = continuous_of(w, q);
  V fit = Add(Mul(mean, c.logits), Log1p(Neg(c.probs)));
  return Sub(Sub(Neg(entropy), fit), continuous_log_norm(w, c));
}

#endif
