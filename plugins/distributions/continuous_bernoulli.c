/* td.continuous_bernoulli as torch.distributions has it: Bernoulli's density over all of [0, 1].
 *
 * SPDX-License-Identifier: MIT
 */
#include "continuous_bernoulli.h"
#include "../schema.h"

static V continuous_quantile(work *w, continuous c, V x) {
  V against = Log1p(Neg(c.cut));
  V top = Sub(Log1p(Add(Neg(c.cut), Mul(x, Sub(Mul(c.cut, K(2)), K(1))))), against);
  return Where(c.stable, Div(top, Sub(Log(c.cut), against)), x);
}
DRAW(2, continuous_bernoulli_rsample) {
  continuous c = continuous_of(w, p);
  return continuous_quantile(w, c, standard_uniform(w, to_draw(w, c.probs, 0)));
}
VALUE(2, continuous_bernoulli_log_prob) {
  continuous c = continuous_of(w, p);
  return Add(Neg(bce(w, c.logits, x)), continuous_log_norm(w, c));
}
VALUE(2, continuous_bernoulli_cdf) {
  continuous c = continuous_of(w, p);
  V against = Sub(K(1), c.cut);
  V top = Sub(Add(Mul(Pow(c.cut, x), Pow(against, Sub(K(1), x))), c.cut), K(1));
  V cdf = Where(c.stable, Div(top, Sub(Mul(c.cut, K(2)), K(1))), x);
  return Fill(Fill(cdf, Ge(x, K(1)), 1), Le(x, K(0)), 0);
}
VALUE(2, continuous_bernoulli_icdf) {
  return continuous_quantile(w, continuous_of(w, p), x);
}
STAT(2, continuous_bernoulli_mean) {
  return continuous_mean_of(w, continuous_of(w, p));
}
STAT(2, continuous_bernoulli_variance) {
  continuous c = continuous_of(w, p);
  V spread_out = Div(Mul(c.cut, Sub(c.cut, K(1))), Square(Sub(K(1), Mul(c.cut, K(2)))));
  V exact = Add(spread_out, Reciprocal(Square(log_odds_against(w, c.cut))));
  V y = Square(Sub(c.probs, K(0.5)));
  V series = Sub(K(1.0 / 12), Mul(Sub(K(1.0 / 15), Mul(y, K(128.0 / 945))), y));
  return Where(c.stable, exact, series);
}
STAT(2, continuous_bernoulli_entropy) {
  continuous c = continuous_of(w, p);
  V log0 = Log1p(Neg(c.probs)), log1 = Log(c.probs);
  return Sub(Sub(Mul(continuous_mean_of(w, c), Sub(log0, log1)), continuous_log_norm(w, c)), log0);
}

/* ---- Divergences ------------------------------------------------------------------------------------------------------- */
FORMULA2(continuous_continuous) {
  continuous a = continuous_of(w, p), b = continuous_of(w, q);
  V t1 = Mul(continuous_mean_of(w, a), Sub(a.logits, b.logits));
  V t2 = Add(continuous_log_norm(w, a), Log1p(Neg(a.probs)));
  return Sub(Sub(Add(t1, t2), continuous_log_norm(w, b)), Log1p(Neg(b.probs)));
}
FORMULA2(continuous_pareto) {
  return FullLike(probs_of(w, p), INFINITY);
}
FORMULA2(continuous_exponential) {
  V sum = Sub(Neg(continuous_bernoulli_entropy_formula(w, p)), Log(q[0]));
  return Add(sum, Mul(q[0], continuous_bernoulli_mean_formula(w, p)));
}
FORMULA2(continuous_normal) {
  V mean = continuous_bernoulli_mean_formula(w, p), variance = continuous_bernoulli_variance_formula(w, p);
  V t2 = Add(Mul(Add(Square(Div(q[0], q[1])), K(1.8378770664093453)), K(0.5)), Log(q[1])); /* log(2 pi) */
  V t3 = Sub(Add(variance, Square(mean)), Mul(Mul(q[0], K(2)), mean));
  V sum = Sub(t2, continuous_bernoulli_entropy_formula(w, p));
  return Add(sum, Div(t3, Mul(Square(q[1]), K(2))));
}
FORMULA2(continuous_uniform) {
  V sum = Sub(Log(Sub(q[1], q[0])), continuous_bernoulli_entropy_formula(w, p));
  return Fill(sum, Or(Ge(q[0], K(0)), Le(q[1], K(1))), INFINITY);
}
KL(2, continuous_bernoulli_kl, {"td.continuous_bernoulli", continuous_continuous, 2},
   {"td.pareto", continuous_pareto, 2}, {"td.exponential", continuous_exponential, 1},
   {"td.normal", continuous_normal, 2}, {"td.uniform", continuous_uniform, 2})

/* ---- Tables ------------------------------------------------------------------------------------------------------------ */
static const td_str coin[] = {TD_TEXT("probs"), TD_TEXT("logits")};
static const td_distribution_param coin_rules[] = {{TD_CONSTRAINT_UNIT_INTERVAL, 0, 1, 0, 0},
                                                   {TD_CONSTRAINT_REAL, 0, 1, 0, 0}};

static const td_distribution_type continuous_bernoulli_type = {
    HEAD("td.continuous_bernoulli", "ContinuousBernoulli", coin, coin_rules),
    .create = create_plain,
    .support = TD_CONSTRAINT_UNIT_INTERVAL,
    .traits = TD_DISTRIBUTION_POINT_IS_MEAN,
    .sample = continuous_bernoulli_rsample,
    .rsample = continuous_bernoulli_rsample,
    .log_prob = continuous_bernoulli_log_prob,
    .cdf = continuous_bernoulli_cdf,
    .icdf = continuous_bernoulli_icdf,
    .mean = continuous_bernoulli_mean,
    .variance = continuous_bernoulli_variance,
    .entropy = continuous_bernoulli_entropy,
    .kl = continuous_bernoulli_kl,
};

static const td_plugin_type *const types[] = {&continuous_bernoulli_type.type};
static const td_str schemas[] = {NO_CONFIG};
PLUGIN("td.continuous_bernoulli", types, schemas)
