/* td.continuous_bernoulli as torch.distributions has it: Bernoulli's density over all of [0, 1].
 *
 * SPDX-License-Identifier: MIT
 */
#include "continuous_bernoulli.h"
#include "../schema.h"

static Value continuous_quantile(workspace *work, continuous c, Value x) {
  Value against = Log1p(Neg(c.cut));
  Value top = Sub(Log1p(Add(Neg(c.cut), Mul(x, Sub(Mul(c.cut, Number(2)), Number(1))))), against);
  return Where(c.stable, Div(top, Sub(Log(c.cut), against)), x);
}
DRAW(2, continuous_bernoulli_rsample) {
  continuous c = continuous_of(work, p);
  return continuous_quantile(work, c, standard_uniform(work, to_draw(work, c.probs, 0)));
}
VALUE(2, continuous_bernoulli_log_prob) {
  continuous c = continuous_of(work, p);
  return Add(Neg(bce(work, c.logits, x)), continuous_log_norm(work, c));
}
VALUE(2, continuous_bernoulli_cdf) {
  continuous c = continuous_of(work, p);
  Value against = Sub(Number(1), c.cut);
  Value top = Sub(Add(Mul(Pow(c.cut, x), Pow(against, Sub(Number(1), x))), c.cut), Number(1));
  Value cdf = Where(c.stable, Div(top, Sub(Mul(c.cut, Number(2)), Number(1))), x);
  return Fill(Fill(cdf, Ge(x, Number(1)), 1), Le(x, Number(0)), 0);
}
VALUE(2, continuous_bernoulli_icdf) {
  return continuous_quantile(work, continuous_of(work, p), x);
}
STAT(2, continuous_bernoulli_mean) {
  return continuous_mean_of(work, continuous_of(work, p));
}
STAT(2, continuous_bernoulli_variance) {
  continuous c = continuous_of(work, p);
  Value spread_out = Div(Mul(c.cut, Sub(c.cut, Number(1))), Square(Sub(Number(1), Mul(c.cut, Number(2)))));
  Value exact = Add(spread_out, Reciprocal(Square(log_odds_against(work, c.cut))));
  Value y = Square(Sub(c.probs, Number(0.5)));
  Value series = Sub(Number(1.0 / 12), Mul(Sub(Number(1.0 / 15), Mul(y, Number(128.0 / 945))), y));
  return Where(c.stable, exact, series);
}
STAT(2, continuous_bernoulli_entropy) {
  continuous c = continuous_of(work, p);
  Value log0 = Log1p(Neg(c.probs)), log1 = Log(c.probs);
  return Sub(Sub(Mul(continuous_mean_of(work, c), Sub(log0, log1)), continuous_log_norm(work, c)), log0);
}

/* ---- Divergences ------------------------------------------------------------------------------------------------- */
FORMULA2(continuous_continuous) {
  continuous a = continuous_of(work, p), b = continuous_of(work, q);
  Value t1 = Mul(continuous_mean_of(work, a), Sub(a.logits, b.logits));
  Value t2 = Add(continuous_log_norm(work, a), Log1p(Neg(a.probs)));
  return Sub(Sub(Add(t1, t2), continuous_log_norm(work, b)), Log1p(Neg(b.probs)));
}
FORMULA2(continuous_pareto) {
  return FullLike(probs_of(work, p), INFINITY);
}
FORMULA2(continuous_exponential) {
  Value sum = Sub(Neg(continuous_bernoulli_entropy_formula(work, p)), Log(q[0]));
  return Add(sum, Mul(q[0], continuous_bernoulli_mean_formula(work, p)));
}
FORMULA2(continuous_normal) {
  Value mean = continuous_bernoulli_mean_formula(work, p), variance = continuous_bernoulli_variance_formula(work, p);
  Value t2 = Add(Mul(Add(Square(Div(q[0], q[1])), Number(1.8378770664093453)), Number(0.5)), Log(q[1])); /* log(2 pi) */
  Value t3 = Sub(Add(variance, Square(mean)), Mul(Mul(q[0], Number(2)), mean));
  Value sum = Sub(t2, continuous_bernoulli_entropy_formula(work, p));
  return Add(sum, Div(t3, Mul(Square(q[1]), Number(2))));
}
FORMULA2(continuous_uniform) {
  Value sum = Sub(Log(Sub(q[1], q[0])), continuous_bernoulli_entropy_formula(work, p));
  return Fill(sum, Or(Ge(q[0], Number(0)), Le(q[1], Number(1))), INFINITY);
}
KL(2, continuous_bernoulli_kl, {"td.continuous_bernoulli", continuous_continuous, 2},
   {"td.pareto", continuous_pareto, 2}, {"td.exponential", continuous_exponential, 1},
   {"td.normal", continuous_normal, 2}, {"td.uniform", continuous_uniform, 2})

/* ---- Tables ------------------------------------------------------------------------------------------------------ */
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
