/* td.dirichlet, td.beta: points of a simplex, as torch.distributions.Dirichlet and Beta.
 *
 * LibTorch's _sample_dirichlet has no gradient of its own. rsample adds a term that is zero, but whose derivative is the
 * implicit one: with D = _dirichlet_grad and the draw x, u = D * (c - c.detach()) and x + u - x * sum(u).
 *
 * SPDX-License-Identifier: MIT
 */
#include "../schema.h"
#include "chi2.h"
#include "continuous_bernoulli.h"

/* ---- Dirichlet --------------------------------------------------------------------------------------------------- */
/* `c` has the shape of the draw. */
static Value dirichlet_draw(workspace *work, Value c) {
  Value fixed = Detach(c);
  Value args[] = {fixed};
  Value x = draw_with(work, OP_sample_dirichlet, args, 1);
  Value total = call2(work, OP_add, SumLastKeep(fixed), ZerosLike(fixed));
  Value u = Mul(call3(work, OP_dirichlet_grad, x, fixed, total), Sub(c, fixed));
  return Sub(Add(x, u), Mul(x, SumLastKeep(u)));
}
static Value dirichlet_log_density(workspace *work, Value c, Value x) {
  Value sum = Add(SumLast(Xlogy(Sub(c, Number(1)), x)), Lgamma(SumLast(c)));
  return Sub(sum, SumLast(Lgamma(c)));
}
static Value dirichlet_top(workspace *work, Value c) {
  Value above = Clamp(Sub(c, Number(1)), Number(0), none), mode = Div(above, SumLastKeep(above));
  Value corner = one_hot_of(work, argmax_last(work, mode), mode);
  Value low = Unsqueeze(AllLast(Lt(c, Number(1))), -1);
  return Where(low, corner, mode);
}
static Value dirichlet_entropy_of(workspace *work, Value c) {
  Value a0 = SumLast(c);
  Value slope = Mul(Sub(Number((double)size_of(work, c, 1)), a0), Digamma(a0));
  Value sum = Sub(Sub(SumLast(Lgamma(c)), Lgamma(a0)), slope);
  return Sub(sum, SumLast(Mul(Sub(c, Number(1)), Digamma(c))));
}

DRAW(1, dirichlet_rsample) {
  return dirichlet_draw(work, to_draw(work, p[0], 1));
}
VALUE(1, dirichlet_log_prob) {
  return dirichlet_log_density(work, p[0], x);
}
STAT(1, dirichlet_mean) {
  return Div(p[0], SumLastKeep(p[0]));
}
STAT(1, dirichlet_mode) {
  return dirichlet_top(work, p[0]);
}
STAT(1, dirichlet_variance) {
  Value c0 = SumLastKeep(p[0]);
  return Div(Mul(p[0], Sub(c0, p[0])), Mul(Square(c0), Add(c0, Number(1))));
}
STAT(1, dirichlet_entropy) {
  return dirichlet_entropy_of(work, p[0]);
}
static td_status event_shape(const void *self, td_tensor *const *params, int64_t *out, size_t capacity, size_t *ndim,
                             td_error **err) {
  (void)err;
  workspace work = {.self = self, .err = err};
  *ndim = 1;
  if (capacity > 0) *out = size_of(&work, tensor(params[0]), 1);
  return work.status;
}

/* ---- Beta: the first of two, with concentrations concentration1 and concentration0 ------------------------------- */
enum { C1, C0 };

DRAW(2, beta_rsample) {
  return Select(dirichlet_draw(work, to_draw(work, pair(work, p[C1], p[C0]), 1)), -1, 0);
}
VALUE(2, beta_log_prob) {
  return dirichlet_log_density(work, pair(work, p[C1], p[C0]), pair(work, x, Sub(Number(1), x)));
}
STAT(2, beta_mean) {
  return Div(p[C1], Add(p[C1], p[C0]));
}
STAT(2, beta_mode) {
  return Select(dirichlet_top(work, pair(work, p[C1], p[C0])), -1, 0);
}
STAT(2, beta_variance) {
  Value total = Add(p[C1], p[C0]);
  return Div(Mul(p[C1], p[C0]), Mul(Square(total), Add(total, Number(1))));
}
STAT(2, beta_entropy) {
  return dirichlet_entropy_of(work, pair(work, p[C1], p[C0]));
}

/* ---- Divergences ------------------------------------------------------------------------------------------------- */
FORMULA2(dirichlet_dirichlet) {
  Value sum_p = SumLast(p[0]), sum_q = SumLast(q[0]);
  Value t1 = Sub(Lgamma(sum_p), Lgamma(sum_q)), t2 = SumLast(Sub(Lgamma(p[0]), Lgamma(q[0])));
  Value t4 = Sub(Digamma(p[0]), Unsqueeze(Digamma(sum_p), -1));
  return Add(Sub(t1, t2), SumLast(Mul(Sub(p[0], q[0]), t4)));
}
FORMULA2(beta_beta) {
  Value sum_p = Add(p[C1], p[C0]), sum_q = Add(q[C1], q[C0]);
  Value t1 = Add(Add(Lgamma(q[C1]), Lgamma(q[C0])), Lgamma(sum_p));
  Value t2 = Add(Add(Lgamma(p[C1]), Lgamma(p[C0])), Lgamma(sum_q));
  Value t3 = Mul(Sub(p[C1], q[C1]), Digamma(p[C1])), t4 = Mul(Sub(p[C0], q[C0]), Digamma(p[C0]));
  return Add(Add(Add(Sub(t1, t2), t3), t4), Mul(Sub(sum_q, sum_p), Digamma(sum_p)));
}
FORMULA2(beta_exponential) {
  return Add(Sub(Neg(beta_entropy_formula(work, p)), Log(q[0])), Mul(q[0], beta_mean_formula(work, p)));
}
FORMULA2(beta_gamma) {
  Value sum = Add(p[C1], p[C0]);
  Value t2 = Sub(Lgamma(q[0]), Mul(q[0], Log(q[1])));
  Value t3 = Mul(Sub(q[0], Number(1)), Sub(Digamma(p[C1]), Digamma(sum)));
  Value t4 = Div(Mul(q[1], p[C1]), sum);
  return Add(Sub(Sub(t2, beta_entropy_formula(work, p)), t3), t4);
}
FORMULA2(beta_normal) {
  Value mean = beta_mean_formula(work, p), variance = Square(q[1]);
  Value second = Add(Div(Mul(mean, Sub(Number(1), mean)), Add(Add(p[C1], p[C0]), Number(1))), Square(mean));
  Value t2 = Mul(Log(Mul(variance, Number(2 * 3.141592653589793))), Number(0.5));
  Value moments = Add(Sub(Mul(second, Number(0.5)), Mul(q[0], mean)), Mul(Square(q[0]), Number(0.5)));
  return Add(Sub(t2, beta_entropy_formula(work, p)), Div(moments, variance));
}
FORMULA2(beta_uniform) {
  Value sum = Sub(Log(Sub(q[1], q[0])), beta_entropy_formula(work, p));
  return Fill(sum, Or(Gt(q[0], Number(0)), Lt(q[1], Number(1))), INFINITY);
}
FORMULA2(beta_continuous) {
  return to_continuous(work, beta_entropy_formula(work, p), beta_mean_formula(work, p), q);
}
KL(1, dirichlet_kl, {"td.dirichlet", dirichlet_dirichlet, 1})
KL_TO_CHI2(beta_chi2, beta_gamma)
KL(2, beta_kl, {"td.beta", beta_beta, 2}, {"td.pareto", infinite_divergence, 2},
   {"td.exponential", beta_exponential, 1}, {"td.gamma", beta_gamma, 2}, {"td.chi2", beta_chi2, 1},
   {"td.normal", beta_normal, 2}, {"td.uniform", beta_uniform, 2}, {"td.continuous_bernoulli", beta_continuous, 2})

/* ---- Tables ------------------------------------------------------------------------------------------------------ */
static const td_str dirichlet_params[] = {TD_TEXT("concentration")};
static const td_str beta_params[] = {TD_TEXT("concentration1"), TD_TEXT("concentration0")};
static const td_distribution_param dirichlet_rules[] = {{TD_CONSTRAINT_POSITIVE, 1, 0, 0, 0}};
static const td_distribution_param beta_rules[] = {POSITIVE_PARAM, POSITIVE_PARAM};

static const td_distribution_type dirichlet_type = {
    HEAD("td.dirichlet", "Dirichlet", dirichlet_params, dirichlet_rules),
    .create = create_plain,
    .support = TD_CONSTRAINT_SIMPLEX,
    .traits = TD_DISTRIBUTION_POINT_IS_MEAN,
    .event_shape = event_shape,
    .sample = dirichlet_rsample,
    .rsample = dirichlet_rsample,
    .log_prob = dirichlet_log_prob,
    .mean = dirichlet_mean,
    .mode = dirichlet_mode,
    .variance = dirichlet_variance,
    .entropy = dirichlet_entropy,
    .kl = dirichlet_kl,
};
static const td_distribution_type beta_type = {
    HEAD("td.beta", "Beta", beta_params, beta_rules),
    .create = create_plain,
    .support = TD_CONSTRAINT_UNIT_INTERVAL,
    .traits = TD_DISTRIBUTION_POINT_IS_MEAN,
    .sample = beta_rsample,
    .rsample = beta_rsample,
    .log_prob = beta_log_prob,
    .mean = beta_mean,
    .mode = beta_mode,
    .variance = beta_variance,
    .entropy = beta_entropy,
    .kl = beta_kl,
};

static const td_plugin_type *const types[] = {&dirichlet_type.type, &beta_type.type};
static const td_str schemas[] = {NO_CONFIG, NO_CONFIG};
PLUGIN("td.beta", types, schemas)
