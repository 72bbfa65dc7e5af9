/* td.uniform as torch.distributions has it, and its divergences.
 *
 * SPDX-License-Identifier: MIT
 */
#include "../schema.h"
#include "continuous_bernoulli.h"

/* ---- Uniform ------------------------------------------------------------------------------------------------------------- */
enum { LOW, HIGH };

DRAW(2, uniform_rsample) {
  V u = standard_uniform(w, to_draw(w, p[LOW], 0));
  return Add(p[LOW], Mul(u, Sub(p[HIGH], p[LOW])));
}
VALUE(2, uniform_log_prob) {
  V inside = call2(w, OP_like, And(Le(p[LOW], x), Gt(p[HIGH], x)), p[LOW]);
  return Sub(Log(inside), Log(Sub(p[HIGH], p[LOW])));
}
VALUE(2, uniform_cdf) {
  return Clamp(Div(Sub(x, p[LOW]), Sub(p[HIGH], p[LOW])), K(0), K(1));
}
VALUE(2, uniform_icdf) {
  return Add(Mul(x, Sub(p[HIGH], p[LOW])), p[LOW]);
}
STAT(2, uniform_mean) {
  return Div(Add(p[HIGH], p[LOW]), K(2));
}
STAT(2, uniform_mode) {
  return Mul(p[HIGH], K(NAN));
}
STAT(2, uniform_stddev) {
  return Div(Sub(p[HIGH], p[LOW]), K(3.4641016151377544)); /* sqrt(12) */
}
STAT(2, uniform_variance) {
  return Div(Square(Sub(p[HIGH], p[LOW])), K(12));
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

/* ---- Divergences ------------------------------------------------------------------------------------------------------------------------ */
static V x_log_x(work *w, V x) {
  return Xlogy(x, x);
}
FORMULA2(uniform_uniform) {
  V ratio = Log(Div(Sub(q[HIGH], q[LOW]), Sub(p[HIGH], p[LOW])));
  return Fill(ratio, Or(Gt(q[LOW], p[LOW]), Lt(q[HIGH], p[HIGH])), INFINITY);
}
FORMULA2(uniform_beta) {
  V width = Sub(p[HIGH], p[LOW]), low = Sub(K(1), p[LOW]), high = Sub(K(1), p[HIGH]);
  V t2 = Div(Mul(Sub(q[0], K(1)), Sub(Sub(x_log_x(w, p[HIGH]), x_log_x(w, p[LOW])), width)), width);
  V t3 = Div(Mul(Sub(q[1], K(1)), Add(Sub(x_log_x(w, high), x_log_x(w, low)), width)), width);
  V t4 = Sub(Add(Lgamma(q[0]), Lgamma(q[1])), Lgamma(Add(q[0], q[1])));
  V sum = Sub(Sub(Add(t3, t4), Log(width)), t2);
  return Fill(sum, Or(Gt(p[HIGH], K(1)), Lt(p[LOW], K(0))), INFINITY);
}
FORMULA2(uniform_normal) {
  V width = Sub(p[HIGH], p[LOW]), variance = Mul(Square(q[1]), K(2));
  V t1 = Log(Div(Mul(q[1], K(2.5066282746310002)), width)); /* sqrt(2 pi) */
  V t2 = Div(Square(width), K(12));
  V t3 = Square(Div(Sub(Add(p[HIGH], p[LOW]), Mul(q[0], K(2))), K(2)));
  return Add(t1, Div(Add(t2, t3), variance));
}
FORMULA2(uniform_exponential) {
  V sum = Sub(Div(Mul(q[0], Add(p[HIGH], p[LOW])), K(2)), Log(Mul(Sub(p[HIGH], p[LOW]), q[0])));
  return Fill(sum, Lt(p[LOW], K(0)), INFINITY);
}
FORMULA2(uniform_gamma) {
  V width = Sub(p[HIGH], p[LOW]);
  V t2 = Sub(Lgamma(q[0]), Mul(q[0], Log(q[1])));
  V t3 = Div(Mul(Sub(K(1), q[0]), Sub(Sub(x_log_x(w, p[HIGH]), x_log_x(w, p[LOW])), width)), width);
  V t4 = Div(Mul(q[1], Add(p[HIGH], p[LOW])), K(2));
  return Fill(Add(Add(Sub(t2, Log(width)), t3), t4), Lt(p[LOW], K(0)), INFINITY);
}
FORMULA2(uniform_gumbel) {
  V common = Div(q[1], Sub(p[HIGH], p[LOW]));
  V high = Div(Sub(p[HIGH], q[0]), q[1]), low = Div(Sub(p[LOW], q[0]), q[1]);
  V t1 = Add(Log(common), Mul(Add(high, low), K(0.5)));
  return Sub(t1, Mul(common, Sub(Exp(Neg(high)), Exp(Neg(low)))));
}
FORMULA2(uniform_pareto) {
  V width = Sub(p[HIGH], p[LOW]), t1 = Log(Mul(Mul(q[1], Pow(q[0], q[1])), width));
  V t2 = Div(Sub(Sub(x_log_x(w, p[HIGH]), x_log_x(w, p[LOW])), width), width);
  V sum = Sub(Mul(t2, Add(q[1], K(1))), t1);
  return Fill(sum, Lt(p[LOW], q[0]), INFINITY);
}
FORMULA2(uniform_continuous) {
  V sum = to_continuous(w, uniform_entropy_formula(w, p), uniform_mean_formula(w, p), q);
  return Fill(sum, Or(Ge(p[HIGH], K(1)), Le(p[LOW], K(0))), INFINITY);
}
KL(2, uniform_kl, {"td.continuous_bernoulli", uniform_continuous, 2}, {"td.uniform", uniform_uniform, 2},
   {"td.beta", uniform_beta, 2}, {"td.normal", uniform_normal, 2}, {"td.exponential", uniform_exponential, 1},
   {"td.gamma", uniform_gamma, 2}, {"td.gumbel", uniform_gumbel, 2}, {"td.pareto", uniform_pareto, 2})

/* ---- Tables -------------------------------------------------------------------------------------------------------------------------------- */
static const td_str low_high[] = {TD_TEXT("low"), TD_TEXT("high")};
static const td_distribution_param unchecked[] = {{TD_CONSTRAINT_NONE, 0, 0, 0, 0}, {TD_CONSTRAINT_NONE, 0, 0, 0, 0}};

static const td_distribution_type uniform_type = {
    BENT("td.uniform", "Uniform", uniform, low_high, unchecked, TD_CONSTRAINT_OWN, uniform),
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
