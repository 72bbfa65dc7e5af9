/* td.uniform, td.laplace, td.cauchy, td.half_cauchy, td.gumbel, td.weibull, td.pareto, td.kumaraswamy: what one uniform or
 * exponential number is bent into, as torch.distributions has it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "family.h"

static const double pi = 3.141592653589793, log_2 = 0.6931471805599453, euler = 0.57721566490153286060;

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

/* ---- Laplace --------------------------------------------------------------------------------------------------------------- */
enum { LOC, SCALE };

DRAW(2, laplace_rsample) {
  V u = draw_into(w, p[LOC], OP_uniform_, eps_of(p[LOC]) - 1, 1);
  return Sub(p[LOC], Mul(Mul(p[SCALE], Sign(u)), Log1p(Neg(Abs(u)))));
}
VALUE(2, laplace_log_prob) {
  return Sub(Neg(Log(Mul(p[SCALE], K(2)))), Div(Abs(Sub(x, p[LOC])), p[SCALE]));
}
VALUE(2, laplace_cdf) {
  V distance = Sub(x, p[LOC]);
  return Sub(K(0.5), Mul(Mul(Sign(distance), K(0.5)), Expm1(Div(Neg(Abs(distance)), p[SCALE]))));
}
VALUE(2, laplace_icdf) {
  V term = Sub(x, K(0.5));
  return Sub(p[LOC], Mul(Mul(p[SCALE], Sign(term)), Log1p(Mul(Abs(term), K(-2)))));
}
STAT(2, laplace_mean) {
  return p[LOC];
}
STAT(2, laplace_variance) {
  return Mul(Square(p[SCALE]), K(2));
}
STAT(2, laplace_stddev) {
  return Mul(p[SCALE], K(1.4142135623730951));
}
STAT(2, laplace_entropy) {
  return Add(Log(Mul(p[SCALE], K(2))), K(1));
}

/* ---- Cauchy and HalfCauchy --------------------------------------------------------------------------------------------------- */
static V cauchy_log_density(work *w, V z, V scale) {
  return Sub(Sub(K(-1.1447298858494002), Log(scale)), Log1p(Square(z))); /* log(pi) */
}
static V cauchy_quantile(work *w, V scale, V x) {
  return Mul(call1(w, OP_tan, Mul(Sub(x, K(0.5)), K(pi))), scale);
}
static V cauchy_cumulative(work *w, V z) {
  return Add(Div(call1(w, OP_atan, z), K(pi)), K(0.5));
}
static V cauchy_disorder(work *w, V scale) {
  return Add(Log(scale), K(2.5310242469692907)); /* log(4 pi) */
}

DRAW(2, cauchy_rsample) {
  return Add(p[LOC], Mul(draw_into(w, p[LOC], OP_cauchy_, 0, 1), p[SCALE]));
}
VALUE(2, cauchy_log_prob) {
  return cauchy_log_density(w, Div(Sub(x, p[LOC]), p[SCALE]), p[SCALE]);
}
VALUE(2, cauchy_cdf) {
  return cauchy_cumulative(w, Div(Sub(x, p[LOC]), p[SCALE]));
}
VALUE(2, cauchy_icdf) {
  return Add(cauchy_quantile(w, p[SCALE], x), p[LOC]);
}
STAT(2, cauchy_mean) {
  return FullLike(p[LOC], NAN);
}
STAT(2, cauchy_variance) {
  return FullLike(p[LOC], INFINITY);
}
STAT(2, cauchy_entropy) {
  return cauchy_disorder(w, p[SCALE]);
}
DRAW(1, half_cauchy_rsample) {
  return Abs(Mul(draw_into(w, p[0], OP_cauchy_, 0, 1), p[0]));
}
VALUE(1, half_cauchy_log_prob) {
  return Fill(Add(cauchy_log_density(w, Div(x, p[0]), p[0]), K(log_2)), Lt(x, K(0)), -INFINITY);
}
VALUE(1, half_cauchy_cdf) {
  return Sub(Mul(cauchy_cumulative(w, Div(x, p[0])), K(2)), K(1));
}
VALUE(1, half_cauchy_icdf) {
  return cauchy_quantile(w, p[0], Div(Add(x, K(1)), K(2)));
}
STAT(1, half_cauchy_mean) {
  return FullLike(p[0], INFINITY);
}
STAT(1, half_cauchy_mode) {
  return ZerosLike(p[0]);
}
STAT(1, half_cauchy_entropy) {
  return Sub(cauchy_disorder(w, p[0]), K(log_2));
}

/* ---- Gumbel -------------------------------------------------------------------------------------------------------------------- */
static V twice_negative_log(work *w, V u) {
  return Log(Neg(Log(u)));
}
/* Within (0, 1), where both logarithms are finite. */
static V stretched(work *w, V u, double tiny, double eps) {
  return Add(Mul(u, K(1 - eps - tiny)), K(tiny));
}

DRAW(2, gumbel_rsample) {
  V u = standard_uniform(w, to_draw(w, p[LOC], 0));
  u = stretched(w, u, tiny_of(p[LOC]), eps_of(p[LOC]));
  return Sub(p[LOC], Mul(p[SCALE], twice_negative_log(w, u)));
}
VALUE(2, gumbel_log_prob) {
  V y = Div(Sub(p[LOC], x), p[SCALE]);
  return Sub(Sub(y, Exp(y)), Log(p[SCALE]));
}
VALUE(2, gumbel_cdf) {
  const double tiny = tiny_of(p[LOC]), eps = eps_of(p[LOC]);
  V u = Exp(Neg(Exp(Div(Sub(p[LOC], x), p[SCALE]))));
  return Clamp(Div(Sub(u, K(tiny)), K(1 - eps - tiny)), K(0), K(1));
}
VALUE(2, gumbel_icdf) {
  V u = stretched(w, x, tiny_of(p[LOC]), eps_of(p[LOC]));
  return Sub(p[LOC], Mul(p[SCALE], twice_negative_log(w, u)));
}
STAT(2, gumbel_mean) {
  return Add(p[LOC], Mul(p[SCALE], K(euler)));
}
STAT(2, gumbel_stddev) {
  return Mul(p[SCALE], K(1.282549830161864)); /* pi / sqrt(6) */
}
STAT(2, gumbel_variance) {
  return Square(gumbel_stddev_formula(w, p));
}
STAT(2, gumbel_entropy) {
  return Add(Log(p[SCALE]), K(1 + euler));
}

/* ---- Weibull --------------------------------------------------------------------------------------------------------------------- */
enum { WEIBULL_SCALE, CONCENTRATION };

DRAW(2, weibull_rsample) {
  V e = draw_into(w, p[WEIBULL_SCALE], OP_exponential_, 0, 0);
  return Mul(p[WEIBULL_SCALE], Pow(e, Reciprocal(p[CONCENTRATION])));
}
VALUE(2, weibull_log_prob) {
  V z = Div(x, p[WEIBULL_SCALE]), e = Pow(z, p[CONCENTRATION]);
  V slope = Log(Abs(Div(Mul(Reciprocal(p[CONCENTRATION]), z), e)));
  return Sub(Sub(Neg(Log(p[WEIBULL_SCALE])), slope), e);
}
VALUE(2, weibull_cdf) {
  return Sub(K(1), Exp(Neg(Pow(Div(x, p[WEIBULL_SCALE]), p[CONCENTRATION]))));
}
VALUE(2, weibull_icdf) {
  return Mul(p[WEIBULL_SCALE], Pow(Neg(Log1p(Neg(x))), Reciprocal(p[CONCENTRATION])));
}
static V weibull_moment(work *w, const V *p, double n) {
  return Exp(Lgamma(Add(Mul(Reciprocal(p[CONCENTRATION]), K(n)), K(1))));
}
STAT(2, weibull_mean) {
  return Mul(p[WEIBULL_SCALE], weibull_moment(w, p, 1));
}
STAT(2, weibull_mode) {
  V c = p[CONCENTRATION];
  return Mul(p[WEIBULL_SCALE], Pow(Div(Sub(c, K(1)), c), Reciprocal(c)));
}
STAT(2, weibull_variance) {
  V second = weibull_moment(w, p, 2);
  return Mul(Square(p[WEIBULL_SCALE]), Sub(second, Square(weibull_moment(w, p, 1))));
}
STAT(2, weibull_entropy) {
  V r = Reciprocal(p[CONCENTRATION]);
  return Add(Add(Mul(Sub(K(1), r), K(euler)), Log(Mul(p[WEIBULL_SCALE], r))), K(1));
}

/* ---- Pareto ------------------------------------------------------------------------------------------------------------------------ */
enum { PARETO_SCALE, ALPHA };

DRAW(2, pareto_rsample) {
  V e = Div(draw_into(w, p[ALPHA], OP_exponential_, 0, 0), p[ALPHA]);
  return Mul(p[PARETO_SCALE], Exp(e));
}
VALUE(2, pareto_log_prob) {
  V e = Log(Div(x, p[PARETO_SCALE]));
  return Add(Sub(Neg(Log(p[PARETO_SCALE])), e), Sub(Log(p[ALPHA]), Mul(p[ALPHA], e)));
}
VALUE(2, pareto_cdf) {
  return Sub(K(1), Exp(Mul(Neg(p[ALPHA]), Log(Div(x, p[PARETO_SCALE])))));
}
VALUE(2, pareto_icdf) {
  return Mul(p[PARETO_SCALE], Exp(Div(Neg(Log1p(Neg(x))), p[ALPHA])));
}
STAT(2, pareto_mean) {
  V a = Clamp(p[ALPHA], K(1), none);
  return Div(Mul(a, p[PARETO_SCALE]), Sub(a, K(1)));
}
STAT(2, pareto_mode) {
  return p[PARETO_SCALE];
}
STAT(2, pareto_variance) {
  V a = Clamp(p[ALPHA], K(2), none);
  return Div(Mul(Square(p[PARETO_SCALE]), a), Mul(Square(Sub(a, K(1))), Sub(a, K(2))));
}
STAT(2, pareto_entropy) {
  return Add(Log(Div(p[PARETO_SCALE], p[ALPHA])), Add(Reciprocal(p[ALPHA]), K(1)));
}
VALUE(2, pareto_within) {
  return Le(p[PARETO_SCALE], x);
}

/* ---- Kumaraswamy ---------------------------------------------------------------------------------------------------------------------- */
enum { A, B }; /* concentration1, concentration0 */

static V kumaraswamy_from_uniform(work *w, const V *p, V u) {
  return Pow(Sub(K(1), Pow(u, Reciprocal(p[B]))), Reciprocal(p[A]));
}
DRAW(2, kumaraswamy_rsample) {
  return kumaraswamy_from_uniform(w, p, standard_uniform(w, to_draw(w, p[B], 0)));
}
VALUE(2, kumaraswamy_log_prob) {
  V inner = Pow(x, p[A]), rest = Sub(K(1), inner), u = Pow(rest, p[B]);
  V slope_a = Log(Abs(Div(Mul(Reciprocal(p[A]), x), inner)));
  V slope_b = Log(Abs(Div(Mul(Reciprocal(p[B]), rest), u)));
  V inside = Log(call2(w, OP_like, And(Ge(u, K(0)), Lt(u, K(1))), p[B]));
  return Sub(Sub(inside, slope_a), slope_b);
}
VALUE(2, kumaraswamy_cdf) {
  V u = Pow(Sub(K(1), Pow(x, p[A])), p[B]);
  return Sub(K(1), Clamp(u, K(0), K(1)));
}
VALUE(2, kumaraswamy_icdf) {
  return kumaraswamy_from_uniform(w, p, Sub(K(1), x));
}
static V kumaraswamy_moment(work *w, const V *p, double n) {
  V arg = Add(Div(K(n), p[A]), K(1));
  return Mul(p[B], Exp(Sub(Add(Lgamma(arg), Lgamma(p[B])), Lgamma(Add(arg, p[B])))));
}
STAT(2, kumaraswamy_mean) {
  return kumaraswamy_moment(w, p, 1);
}
/* PyTorch's own formula, whose result is NaN for concentration0 > 1. */
STAT(2, kumaraswamy_mode) {
  V mode = Sub(Mul(Reciprocal(p[B]), Log1p(Neg(p[B]))), Log1p(Neg(Mul(p[B], p[A]))));
  return Exp(Fill(mode, Or(Lt(p[B], K(1)), Lt(p[A], K(1))), NAN));
}
STAT(2, kumaraswamy_variance) {
  V second = kumaraswamy_moment(w, p, 2);
  return Sub(second, Square(kumaraswamy_moment(w, p, 1)));
}
STAT(2, kumaraswamy_entropy) {
  V t1 = Sub(K(1), Reciprocal(p[A])), t0 = Sub(K(1), Reciprocal(p[B]));
  V h0 = Add(Digamma(Add(p[B], K(1))), K(euler));
  return Sub(Sub(Add(t0, Mul(t1, h0)), Log(p[A])), Log(p[B]));
}

/* ---- Divergences ------------------------------------------------------------------------------------------------------------------------ */
FORMULA2(infinity) {
  return FullLike(p[0], INFINITY);
}
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
  V width = Sub(p[HIGH], p[LOW]), variance = Mul(Square(q[SCALE]), K(2));
  V t1 = Log(Div(Mul(q[SCALE], K(2.5066282746310002)), width)); /* sqrt(2 pi) */
  V t2 = Div(Square(width), K(12));
  V t3 = Square(Div(Sub(Add(p[HIGH], p[LOW]), Mul(q[LOC], K(2))), K(2)));
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
  V common = Div(q[SCALE], Sub(p[HIGH], p[LOW]));
  V high = Div(Sub(p[HIGH], q[LOC]), q[SCALE]), low = Div(Sub(p[LOW], q[LOC]), q[SCALE]);
  V t1 = Add(Log(common), Mul(Add(high, low), K(0.5)));
  return Sub(t1, Mul(common, Sub(Exp(Neg(high)), Exp(Neg(low)))));
}
FORMULA2(uniform_pareto) {
  V width = Sub(p[HIGH], p[LOW]), t1 = Log(Mul(Mul(q[ALPHA], Pow(q[PARETO_SCALE], q[ALPHA])), width));
  V t2 = Div(Sub(Sub(x_log_x(w, p[HIGH]), x_log_x(w, p[LOW])), width), width);
  V sum = Sub(Mul(t2, Add(q[ALPHA], K(1))), t1);
  return Fill(sum, Lt(p[LOW], q[PARETO_SCALE]), INFINITY);
}
FORMULA2(laplace_laplace) {
  V ratio = Div(p[SCALE], q[SCALE]), distance = Abs(Sub(p[LOC], q[LOC]));
  V t3 = Mul(ratio, Exp(Div(Neg(distance), p[SCALE])));
  return Sub(Add(Add(Neg(Log(ratio)), Div(distance, q[SCALE])), t3), K(1));
}
FORMULA2(laplace_normal) {
  V variance = Square(q[SCALE]), ratio = Div(Square(p[SCALE]), variance);
  V t1 = Mul(Log(Mul(ratio, K(2 / pi))), K(0.5));
  V moments = Add(Sub(Mul(Square(p[LOC]), K(0.5)), Mul(p[LOC], q[LOC])), Mul(Square(q[LOC]), K(0.5)));
  return Sub(Add(Sub(ratio, t1), Div(moments, variance)), K(1));
}
FORMULA2(cauchy_cauchy) {
  V t1 = Log(Add(Square(Add(p[SCALE], q[SCALE])), Square(Sub(p[LOC], q[LOC]))));
  return Sub(t1, Log(Mul(Mul(p[SCALE], q[SCALE]), K(4))));
}
FORMULA2(gumbel_gumbel) {
  V ct1 = Div(p[SCALE], q[SCALE]), ct2 = Div(q[LOC], q[SCALE]), ct3 = Div(p[LOC], q[SCALE]);
  V t1 = Add(Sub(Neg(Log(ct1)), ct2), ct3);
  V t3 = Exp(Sub(Add(ct2, Lgamma(Add(ct1, K(1)))), ct3));
  return Sub(Add(Add(t1, Mul(ct1, K(euler))), t3), K(1 + euler));
}
FORMULA2(gumbel_normal) {
  V ratio = Div(p[SCALE], q[SCALE]);
  V t1 = Log(Div(ratio, K(2.5066282746310002)));
  V t2 = Div(Square(Mul(ratio, K(pi * 0.5))), K(3));
  V t3 = Mul(Square(Div(Sub(Add(p[LOC], Mul(p[SCALE], K(euler))), q[LOC]), q[SCALE])), K(0.5));
  return Sub(Add(Add(Neg(t1), t2), t3), K(euler + 1));
}
FORMULA2(pareto_pareto) {
  V ratio = Div(q[ALPHA], p[ALPHA]);
  V t1 = Mul(q[ALPHA], Log(Div(p[PARETO_SCALE], q[PARETO_SCALE])));
  V sum = Sub(Add(Sub(t1, Log(ratio)), ratio), K(1));
  return Fill(sum, Lt(p[PARETO_SCALE], q[PARETO_SCALE]), INFINITY);
}
FORMULA2(pareto_exponential) {
  V product = Mul(p[PARETO_SCALE], q[0]);
  V t3 = Div(Mul(p[ALPHA], product), Sub(p[ALPHA], K(1)));
  V sum = Sub(Add(Sub(Log(Div(p[ALPHA], product)), Reciprocal(p[ALPHA])), t3), K(1));
  return Fill(sum, Le(p[ALPHA], K(1)), INFINITY);
}
FORMULA2(pareto_gamma) {
  V common = Add(Log(p[PARETO_SCALE]), Reciprocal(p[ALPHA]));
  V t2 = Sub(Lgamma(q[0]), Mul(q[0], Log(q[1])));
  V t4 = Div(Mul(Mul(q[1], p[ALPHA]), p[PARETO_SCALE]), Sub(p[ALPHA], K(1)));
  V sum = Add(Add(Sub(Log(p[ALPHA]), common), t2), Mul(Sub(K(1), q[0]), common));
  return Fill(Sub(Add(sum, t4), K(1)), Le(p[ALPHA], K(1)), INFINITY);
}
FORMULA2(pareto_normal) {
  V variance = Mul(Square(q[SCALE]), K(2)), common = Div(p[PARETO_SCALE], Sub(p[ALPHA], K(1)));
  V t1 = Log(Div(Mul(Mul(q[SCALE], K(2.5066282746310002)), p[ALPHA]), p[PARETO_SCALE]));
  V t3 = Div(Mul(p[ALPHA], Square(common)), Sub(p[ALPHA], K(2)));
  V t4 = Square(Sub(Mul(p[ALPHA], common), q[LOC]));
  V sum = Sub(Add(Sub(t1, Reciprocal(p[ALPHA])), Div(Add(t3, t4), variance)), K(1));
  return Fill(sum, Le(p[ALPHA], K(2)), INFINITY);
}
#define TO_INTERVALS                       \
  {"td.beta", infinity, 2}, {              \
    "td.continuous_bernoulli", infinity, 2 \
  }
#define TO_HALF_LINES                                                                       \
  {"td.exponential", infinity, 1}, {"td.gamma", infinity, 2}, {"td.pareto", infinity, 2}, { \
    "td.uniform", infinity, 2                                                               \
  }
KL(2, uniform_kl, {"td.uniform", uniform_uniform, 2}, {"td.beta", uniform_beta, 2}, {"td.normal", uniform_normal, 2},
   {"td.exponential", uniform_exponential, 1}, {"td.gamma", uniform_gamma, 2}, {"td.gumbel", uniform_gumbel, 2},
   {"td.pareto", uniform_pareto, 2})
KL(2, laplace_kl, {"td.laplace", laplace_laplace, 2}, {"td.normal", laplace_normal, 2}, TO_INTERVALS, TO_HALF_LINES)
KL(2, cauchy_kl, {"td.cauchy", cauchy_cauchy, 2})
KL(2, gumbel_kl, {"td.gumbel", gumbel_gumbel, 2}, {"td.normal", gumbel_normal, 2}, TO_INTERVALS, TO_HALF_LINES)
KL(2, pareto_kl, {"td.pareto", pareto_pareto, 2}, {"td.exponential", pareto_exponential, 1},
   {"td.gamma", pareto_gamma, 2}, {"td.normal", pareto_normal, 2}, TO_INTERVALS, {"td.uniform", infinity, 2})

/* ---- Tables -------------------------------------------------------------------------------------------------------------------------------- */
static const td_str low_high[] = {TD_TEXT("low"), TD_TEXT("high")};
static const td_str loc_scale[] = {TD_TEXT("loc"), TD_TEXT("scale")}, scale_only[] = {TD_TEXT("scale")};
static const td_str weibull_params[] = {TD_TEXT("scale"), TD_TEXT("concentration")};
static const td_str pareto_params[] = {TD_TEXT("scale"), TD_TEXT("alpha")};
static const td_str kumaraswamy_params[] = {TD_TEXT("concentration1"), TD_TEXT("concentration0")};
static const td_distribution_param unchecked[] = {{TD_CONSTRAINT_NONE, 0, 0, 0, 0}, {TD_CONSTRAINT_NONE, 0, 0, 0, 0}};
static const td_distribution_param loc_scale_rules[] = {REAL_PARAM, POSITIVE_PARAM};
static const td_distribution_param positive[] = {POSITIVE_PARAM, POSITIVE_PARAM};

#define BENT(id, shown, name, params, rules, support_of_it, cdf_name)                                            \
  HEAD(id, shown, params, rules), .create = create_plain, .support = support_of_it,                              \
                                  .traits = TD_DISTRIBUTION_POINT_IS_MEAN, .sample = name##_rsample,             \
                                  .rsample = name##_rsample, .log_prob = name##_log_prob, .cdf = cdf_name##_cdf, \
                                  .icdf = cdf_name##_icdf, .mean = name##_mean, .entropy = name##_entropy

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
static const td_distribution_type laplace_type = {
    BENT("td.laplace", "Laplace", laplace, loc_scale, loc_scale_rules, TD_CONSTRAINT_REAL, laplace),
    .mode = laplace_mean,
    .variance = laplace_variance,
    .stddev = laplace_stddev,
    .kl = laplace_kl,
};
static const td_distribution_type cauchy_type = {
    BENT("td.cauchy", "Cauchy", cauchy, loc_scale, loc_scale_rules, TD_CONSTRAINT_REAL, cauchy),
    .mode = laplace_mean,
    .variance = cauchy_variance,
    .kl = cauchy_kl,
};
static const td_distribution_type half_cauchy_type = {
    BENT("td.half_cauchy", "HalfCauchy", half_cauchy, scale_only, positive, TD_CONSTRAINT_NONNEGATIVE, half_cauchy),
    .mode = half_cauchy_mode,
    .variance = half_cauchy_mean,
};
static const td_distribution_type gumbel_type = {
    BENT("td.gumbel", "Gumbel", gumbel, loc_scale, loc_scale_rules, TD_CONSTRAINT_REAL, gumbel),
    .mode = laplace_mean,
    .variance = gumbel_variance,
    .stddev = gumbel_stddev,
    .kl = gumbel_kl,
};
static const td_distribution_type weibull_type = {
    BENT("td.weibull", "Weibull", weibull, weibull_params, positive, TD_CONSTRAINT_POSITIVE, weibull),
    .mode = weibull_mode,
    .variance = weibull_variance,
};
static const td_distribution_type pareto_type = {
    BENT("td.pareto", "Pareto", pareto, pareto_params, positive, TD_CONSTRAINT_OWN, pareto),
    .support_name = TD_TEXT("GreaterThanEq(lower_bound=scale)"),
    .within = pareto_within,
    .mode = pareto_mode,
    .variance = pareto_variance,
    .kl = pareto_kl,
};
static const td_distribution_type kumaraswamy_type = {
    BENT("td.kumaraswamy", "Kumaraswamy", kumaraswamy, kumaraswamy_params, positive, TD_CONSTRAINT_UNIT_INTERVAL,
         kumaraswamy),
    .mode = kumaraswamy_mode,
    .variance = kumaraswamy_variance,
};

static const td_plugin_type *const types[] = {&uniform_type.type,     &laplace_type.type,    &cauchy_type.type,
                                              &half_cauchy_type.type, &gumbel_type.type,     &weibull_type.type,
                                              &pareto_type.type,      &kumaraswamy_type.type};
PLUGIN("td.uniform", types)
