/* td.uniform as torch.distributions has it, and its divergences.
 *
 * SPDX-License-Identifier: MIT
 */
#include "../schema.h"
#include "chi2.h"
#include "continuous_bernoulli.h"

/* ---- Uniform ----------------------------------------------------------------------------------------------------- */
enum { LOW, HIGH };

DRAW(2, uniform_rsample) {
  Value u = standard_uniform(work, to_draw(work, p[LOW], 0));
  return Add(p[LOW], Mul(u, Sub(p[HIGH], p[LOW])));
}
VALUE(2, uniform_log_prob) {
  Value inside = call2(work, OP_like, And(Le(p[LOW], x), Gt(p[HIGH], x)), p[LOW]);
  return Sub(Log(inside), Log(Sub(p[HIGH], p[LOW])));
}
VALUE(2, uniform_cdf) {
  return Clamp(Div(Sub(x, p[LOW]), Sub(p[HIGH], p[LOW])), Number(0), Number(1));
}
VALUE(2, uniform_icdf) {
  return Add(Mul(x, Sub(p[HIGH], p[LOW])), p[LOW]);
}
STAT(2, uniform_mean) {
  return Div(Add(p[HIGH], p[LOW]), Number(2));
}
STAT(2, uniform_mode) {
  return Mul(p[HIGH], Number(NAN));
}
STAT(2, uniform_stddev) {
  return Div(Sub(p[HIGH], p[LOW]), Number(3.4641016151377544)); /* sqrt(12) */
}
STAT(2, uniform_variance) {
  return Div(Square(Sub(p[HIGH], p[LOW])), Number(12));
}
STAT(2, uniform_entropy) {
  return Log(Sub(p[HIGH], p[LOW]));
}
VALUE(2, uniform_within) {
  return And(Le(p[LOW], x), Le(x, p[HIGH]));
}
CHECK(2, uniform_check, "Uniform is not defined when low>= high") {
  return Lt(p[LOW], p[HIGH]);
}

/* ---- Divergences ------------------------------------------------------------------------------------------------- */
static Value x_log_x(workspace *work, Value x) {
  return Xlogy(x, x);
}
FORMULA2(uniform_uniform) {
  Value ratio = Log(Div(Sub(q[HIGH], q[LOW]), Sub(p[HIGH], p[LOW])));
  return Fill(ratio, Or(Gt(q[LOW], p[LOW]), Lt(q[HIGH], p[HIGH])), INFINITY);
}
FORMULA2(uniform_beta) {
  Value width = Sub(p[HIGH], p[LOW]), low = Sub(Number(1), p[LOW]), high = Sub(Number(1), p[HIGH]);
  Value t2 = Div(Mul(Sub(q[0], Number(1)), Sub(Sub(x_log_x(work, p[HIGH]), x_log_x(work, p[LOW])), width)), width);
  Value t3 = Div(Mul(Sub(q[1], Number(1)), Add(Sub(x_log_x(work, high), x_log_x(work, low)), width)), width);
  Value t4 = Sub(Add(Lgamma(q[0]), Lgamma(q[1])), Lgamma(Add(q[0], q[1])));
  Value sum = Sub(Sub(Add(t3, t4), Log(width)), t2);
  return Fill(sum, Or(Gt(p[HIGH], Number(1)), Lt(p[LOW], Number(0))), INFINITY);
}
FORMULA2(uniform_normal) {
  Value width = Sub(p[HIGH], p[LOW]), variance = Mul(Square(q[1]), Number(2));
  Value t1 = Log(Div(Mul(q[1], Number(2.5066282746310002)), width)); /* sqrt(2 pi) */
  Value t2 = Div(Square(width), Number(12));
  Value t3 = Square(Div(Sub(Add(p[HIGH], p[LOW]), Mul(q[0], Number(2))), Number(2)));
  return Add(t1, Div(Add(t2, t3), variance));
}
FORMULA2(uniform_exponential) {
  Value sum = Sub(Div(Mul(q[0], Add(p[HIGH], p[LOW])), Number(2)), Log(Mul(Sub(p[HIGH], p[LOW]), q[0])));
  return Fill(sum, Lt(p[LOW], Number(0)), INFINITY);
}
FORMULA2(uniform_gamma) {
  Value width = Sub(p[HIGH], p[LOW]);
  Value t2 = Sub(Lgamma(q[0]), Mul(q[0], Log(q[1])));
  Value t3 = Div(Mul(Sub(Number(1), q[0]), Sub(Sub(x_log_x(work, p[HIGH]), x_log_x(work, p[LOW])), width)), width);
  Value t4 = Div(Mul(q[1], Add(p[HIGH], p[LOW])), Number(2));
  return Fill(Add(Add(Sub(t2, Log(width)), t3), t4), Lt(p[LOW], Number(0)), INFINITY);
}
FORMULA2(uniform_gumbel) {
  Value common = Div(q[1], Sub(p[HIGH], p[LOW]));
  Value high = Div(Sub(p[HIGH], q[0]), q[1]), low = Div(Sub(p[LOW], q[0]), q[1]);
  Value t1 = Add(Log(common), Mul(Add(high, low), Number(0.5)));
  return Sub(t1, Mul(common, Sub(Exp(Neg(high)), Exp(Neg(low)))));
}
FORMULA2(uniform_pareto) {
  Value width = Sub(p[HIGH], p[LOW]), t1 = Log(Mul(Mul(q[1], Pow(q[0], q[1])), width));
  Value t2 = Div(Sub(Sub(x_log_x(work, p[HIGH]), x_log_x(work, p[LOW])), width), width);
  Value sum = Sub(Mul(t2, Add(q[1], Number(1))), t1);
  return Fill(sum, Lt(p[LOW], q[0]), INFINITY);
}
FORMULA2(uniform_continuous) {
  Value sum = to_continuous(work, uniform_entropy_formula(work, p), uniform_mean_formula(work, p), q);
  return Fill(sum, Or(Ge(p[HIGH], Number(1)), Le(p[LOW], Number(0))), INFINITY);
}
KL_TO_CHI2(uniform_chi2, uniform_gamma)
KL(2, uniform_kl, {"td.continuous_bernoulli", uniform_continuous, 2}, {"td.uniform", uniform_uniform, 2},
   {"td.beta", uniform_beta, 2}, {"td.normal", uniform_normal, 2}, {"td.exponential", uniform_exponential, 1},
   {"td.gamma", uniform_gamma, 2}, {"td.chi2", uniform_chi2, 1}, {"td.gumbel", uniform_gumbel, 2},
   {"td.pareto", uniform_pareto, 2})

/* ---- Tables ------------------------------------------------------------------------------------------------------ */
static const td_str low_high[] = {TD_TEXT("low"), TD_TEXT("high")};
static const td_distribution_param unchecked[] = {{TD_CONSTRAINT_NONE, 0, 0, 0, 0}, {TD_CONSTRAINT_NONE, 0, 0, 0, 0}};

static const td_distribution_type uniform_type = {
    BENT_FAMILY("td.uniform", "Uniform", uniform, low_high, unchecked, TD_CONSTRAINT_OWN, uniform),
    .support_name = TD_TEXT("Interval(lower_bound=low, upper_bound=high)"),
    .within = uniform_within,
    .check = uniform_check,
    .mode = uniform_mode,
    .variance = uniform_variance,
    .stddev = uniform_stddev,
    .kl = uniform_kl,
};

static const td_plugin_type *const types[] = {&uniform_type.type};
static const td_str schemas[] = {NO_CONFIG};
PLUGIN("td.uniform", types, schemas)
