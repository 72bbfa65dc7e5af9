/* td.gamma, td.chi2, td.exponential, td.inverse_gamma, td.fisher_snedecor, td.student_t: sums of squares, waiting times
 * and what is made of them, as torch.distributions has them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "../schema.h"
#include "family.h"

static const double euler = 0.57721566490153286060;
static const double pi = 3.141592653589793;

/* ---- Gamma ------------------------------------------------------------------------------------------------------------- */
enum { CONCENTRATION, RATE };

static V gamma_log_density(work *w, V concentration, V rate, V x) {
  V powers = Add(Xlogy(concentration, rate), Xlogy(Sub(concentration, K(1)), x));
  return Sub(Sub(powers, Mul(rate, x)), Lgamma(concentration));
}
static V gamma_disorder(work *w, V concentration, V rate) {
  V sum = Add(Sub(concentration, Log(rate)), Lgamma(concentration));
  return Add(sum, Mul(Sub(K(1), concentration), Digamma(concentration)));
}

DRAW(2, gamma_rsample) {
  return gamma_draw(w, p[CONCENTRATION], p[RATE]);
}
VALUE(2, gamma_log_prob) {
  return gamma_log_density(w, p[CONCENTRATION], p[RATE], x);
}
VALUE(2, gamma_cdf) {
  return call2(w, OP_gammainc, p[CONCENTRATION], Mul(p[RATE], x));
}
STAT(2, gamma_mean) {
  return Div(p[CONCENTRATION], p[RATE]);
}
STAT(2, gamma_mode) {
  return Clamp(Div(Sub(p[CONCENTRATION], K(1)), p[RATE]), K(0), none);
}
STAT(2, gamma_variance) {
  return Div(p[CONCENTRATION], Square(p[RATE]));
}
STAT(2, gamma_entropy) {
  return gamma_disorder(w, p[CONCENTRATION], p[RATE]);
}

/* ---- Chi2: a gamma of concentration df / 2 and rate 1/2 ------------------------------------------------------------------ */
#define CHI2_AS_GAMMA const V g[] = {Mul(p[0], K(0.5)), FullLike(p[0], 0.5)};
DRAW(1, chi2_rsample) {
  CHI2_AS_GAMMA
  return gamma_rsample_formula(w, g);
}
VALUE(1, chi2_log_prob) {
  CHI2_AS_GAMMA
  return gamma_log_prob_formula(w, g, x);
}
VALUE(1, chi2_cdf) {
  CHI2_AS_GAMMA
  return gamma_cdf_formula(w, g, x);
}
STAT(1, chi2_mean) {
  CHI2_AS_GAMMA
  return gamma_mean_formula(w, g);
}
STAT(1, chi2_mode) {
  CHI2_AS_GAMMA
  return gamma_mode_formula(w, g);
}
STAT(1, chi2_variance) {
  CHI2_AS_GAMMA
  return gamma_variance_formula(w, g);
}
STAT(1, chi2_entropy) {
  CHI2_AS_GAMMA
  return gamma_entropy_formula(w, g);
}

/* ---- Exponential ---------------------------------------------------------------------------------------------------------- */
DRAW(1, exponential_rsample) {
  return Div(draw_into(w, p[0], OP_exponential_, 0, 0), p[0]);
}
VALUE(1, exponential_log_prob) {
  return Sub(Log(p[0]), Mul(p[0], x));
}
VALUE(1, exponential_cdf) {
  return Sub(K(1), Exp(Mul(Neg(p[0]), x)));
}
VALUE(1, exponential_icdf) {
  return Div(Neg(Log1p(Neg(x))), p[0]);
}
STAT(1, exponential_mean) {
  return Reciprocal(p[0]);
}
STAT(1, exponential_mode) {
  return ZerosLike(p[0]);
}
STAT(1, exponential_variance) {
  return call2(w, OP_power, p[0], I(-2));
}
STAT(1, exponential_entropy) {
  return Sub(K(1), Log(p[0]));
}

/* ---- InverseGamma: one over a gamma ---------------------------------------------------------------------------------------- */
DRAW(2, inverse_gamma_rsample) {
  return Reciprocal(gamma_draw(w, p[CONCENTRATION], p[RATE]));
}
VALUE(2, inverse_gamma_log_prob) {
  V y = Reciprocal(x);
  return Add(gamma_log_density(w, p[CONCENTRATION], p[RATE], y), Mul(Log(y), K(2)));
}
VALUE(2, inverse_gamma_cdf) {
  V cdf = call2(w, OP_gammainc, p[CONCENTRATION], Mul(p[RATE], Reciprocal(x)));
  return Sub(K(1), cdf);
}
STAT(2, inverse_gamma_mean) {
  V mean = Div(p[RATE], Sub(p[CONCENTRATION], K(1)));
  return Fill(mean, Not(Gt(p[CONCENTRATION], K(1))), INFINITY);
}
STAT(2, inverse_gamma_mode) {
  return Div(p[RATE], Add(p[CONCENTRATION], K(1)));
}
STAT(2, inverse_gamma_variance) {
  V c = p[CONCENTRATION];
  V variance = Div(Square(p[RATE]), Mul(Square(Sub(c, K(1))), Sub(c, K(2))));
  return Fill(variance, Not(Gt(c, K(2))), INFINITY);
}
STAT(2, inverse_gamma_entropy) {
  V c = p[CONCENTRATION];
  return Sub(Add(Add(c, Log(p[RATE])), Lgamma(c)), Mul(Add(c, K(1)), Digamma(c)));
}

/* ---- FisherSnedecor: the ratio of two gammas ---------------------------------------------------------------------------------- */
enum { DF1, DF2 };

DRAW(2, fisher_rsample) {
  V x1 = gamma_draw(w, Mul(p[DF1], K(0.5)), p[DF1]), x2 = gamma_draw(w, Mul(p[DF2], K(0.5)), p[DF2]);
  return Clamp(Div(x1, Clamp(x2, K(tiny_of(x2)), none)), K(tiny_of(x1)), none);
}
VALUE(2, fisher_log_prob) {
  V ct1 = Mul(p[DF1], K(0.5)), ct2 = Mul(p[DF2], K(0.5)), ct3 = Div(p[DF1], p[DF2]), both = Add(ct1, ct2);
  V t1 = Sub(Sub(Lgamma(both), Lgamma(ct1)), Lgamma(ct2));
  V t2 = Add(Mul(ct1, Log(ct3)), Mul(Sub(ct1, K(1)), Log(x)));
  return Sub(Add(t1, t2), Mul(both, Log1p(Mul(ct3, x))));
}
STAT(2, fisher_mean) {
  V df2 = Fill(p[DF2], Le(p[DF2], K(2)), NAN);
  return Div(df2, Sub(df2, K(2)));
}
STAT(2, fisher_mode) {
  V mode = Div(Mul(Div(Sub(p[DF1], K(2)), p[DF1]), p[DF2]), Add(p[DF2], K(2)));
  return Fill(mode, Le(p[DF1], K(2)), NAN);
}
STAT(2, fisher_variance) {
  V df2 = Fill(p[DF2], Le(p[DF2], K(4)), NAN);
  V top = Mul(Mul(Square(df2), K(2)), Sub(Add(p[DF1], df2), K(2)));
  return Div(top, Mul(Mul(p[DF1], Square(Sub(df2, K(2)))), Sub(df2, K(4))));
}

/* ---- StudentT ------------------------------------------------------------------------------------------------------------------ */
enum { DF, LOC, SCALE };

DRAW(3, student_t_rsample) {
  V normal = standard_normal(w, to_draw(w, p[DF], 0));
  V chi2 = gamma_draw(w, Mul(p[DF], K(0.5)), FullLike(p[DF], 0.5));
  return Add(p[LOC], Mul(p[SCALE], Mul(normal, call1(w, OP_rsqrt, Div(chi2, p[DF])))));
}
VALUE(3, student_t_log_prob) {
  V y = Div(Sub(x, p[LOC]), p[SCALE]), next = Add(p[DF], K(1));
  V z = Add(Add(Log(p[SCALE]), Mul(Log(p[DF]), K(0.5))), K(0.5 * 1.1447298858494002)); /* log(pi) */
  z = Sub(Add(z, Lgamma(Mul(p[DF], K(0.5)))), Lgamma(Mul(next, K(0.5))));
  return Sub(Mul(Mul(next, K(-0.5)), Log1p(Div(Square(y), p[DF]))), z);
}
STAT(3, student_t_mean) {
  return Fill(p[LOC], Le(p[DF], K(1)), NAN);
}
STAT(3, student_t_mode) {
  return p[LOC];
}
STAT(3, student_t_variance) {
  V variance = Div(Mul(Square(p[SCALE]), p[DF]), Sub(p[DF], K(2)));
  return Fill(Fill(variance, Le(p[DF], K(2)), INFINITY), Le(p[DF], K(1)), NAN);
}
STAT(3, student_t_entropy) {
  V half = Mul(p[DF], K(0.5)), next = Add(p[DF], K(1)), half_next = Mul(next, K(0.5));
  V log_beta = Sub(Add(Lgamma(half), K(0.5723649429247001)), Lgamma(half_next)); /* lgamma(1/2) */
  V slope = Mul(Mul(next, K(0.5)), Sub(Digamma(half_next), Digamma(half)));
  return Add(Add(Add(Log(p[SCALE]), slope), Mul(Log(p[DF]), K(0.5))), log_beta);
}

/* ---- Divergences ------------------------------------------------------------------------------------------------------------------ */
static V between_gammas(work *w, V c, V rate, V other_c, V other_rate) {
  V t1 = Mul(other_c, Log(Div(rate, other_rate)));
  V t2 = Sub(Lgamma(other_c), Lgamma(c));
  V t3 = Mul(Sub(c, other_c), Digamma(c));
  return Add(Add(Add(t1, t2), t3), Mul(Sub(other_rate, rate), Div(c, rate)));
}
FORMULA2(gamma_gamma) {
  return between_gammas(w, p[CONCENTRATION], p[RATE], q[CONCENTRATION], q[RATE]);
}
FORMULA2(gamma_exponential) {
  V first = Sub(Neg(gamma_disorder(w, p[CONCENTRATION], p[RATE])), Log(q[0]));
  return Add(first, Div(Mul(q[0], p[CONCENTRATION]), p[RATE]));
}
FORMULA2(gamma_gumbel) {
  V c = p[CONCENTRATION], product = Mul(p[RATE], q[1]), ratio = Div(q[0], q[1]);
  V t1 = Sub(Sub(Mul(Sub(c, K(1)), Digamma(c)), Lgamma(c)), c);
  V t2 = Add(Log(product), Div(c, product));
  V t3 = Sub(Mul(Exp(ratio), Pow(Add(Reciprocal(product), K(1)), Neg(c))), ratio);
  return Add(Add(t1, t2), t3);
}
FORMULA2(gamma_normal) {
  V c = p[CONCENTRATION], variance = Square(q[1]), rate2 = Square(p[RATE]);
  V t1 = Sub(Sub(Mul(Log(Mul(Mul(rate2, variance), K(2 * pi))), K(0.5)), c), Lgamma(c));
  V t2 = Div(Mul(Add(Square(c), c), K(0.5)), rate2);
  V moments = Add(Sub(t2, Div(Mul(q[0], c), p[RATE])), Mul(Square(q[0]), K(0.5)));
  return Add(Add(t1, Mul(Sub(c, K(1)), Digamma(c))), Div(moments, variance));
}
FORMULA2(exponential_exponential) {
  V ratio = Div(q[0], p[0]);
  return Sub(Add(Neg(Log(ratio)), ratio), K(1));
}
FORMULA2(exponential_gamma) {
  V c = q[CONCENTRATION], ratio = Div(q[RATE], p[0]);
  V sum = Add(Add(Add(Mul(Neg(c), Log(ratio)), ratio), Lgamma(c)), Mul(c, K(euler)));
  return Sub(sum, K(1 + euler));
}
FORMULA2(exponential_gumbel) {
  V product = Mul(p[0], q[1]), ratio = Div(q[0], q[1]);
  V t2 = Div(Mul(Exp(ratio), product), Add(product, K(1)));
  return Add(Add(Sub(Sub(Log(product), K(1)), ratio), t2), Reciprocal(product));
}
FORMULA2(exponential_normal) {
  V variance = Square(q[1]), rate2 = Square(p[0]);
  V t1 = Mul(Log(Mul(Mul(rate2, variance), K(2 * pi))), K(0.5));
  V moments = Add(Sub(Reciprocal(rate2), Div(q[0], p[0])), Mul(Square(q[0]), K(0.5)));
  return Add(Sub(t1, K(1)), Div(moments, variance));
}
#define TO_BOUNDED                                                                          \
  {"td.beta", infinite_divergence, 2}, {"td.continuous_bernoulli", infinite_divergence, 2}, \
      {"td.pareto", infinite_divergence, 2}, {                                              \
    "td.uniform", infinite_divergence, 2                                                    \
  }
KL(2, gamma_kl, {"td.gamma", gamma_gamma, 2}, {"td.exponential", gamma_exponential, 1}, {"td.gumbel", gamma_gumbel, 2},
   {"td.normal", gamma_normal, 2}, TO_BOUNDED)
static td_status chi2_kl(const void *self, td_tensor *const *params, td_str other, td_tensor *const *other_params,
                         td_tensor **out, td_error **err) {
  work work_ = {.self = self, .err = err}, *w = &work_;
  V df = tensor(params[0]), half = Mul(df, K(0.5)), rate = FullLike(df, 0.5);
  td_tensor *as_gamma[] = {half.as.tensor, rate.as.tensor};
  td_status s = w->status;
  if (s == TD_OK) s = gamma_kl(self, as_gamma, other, other_params, out, err);
  release_since(w, 0, none);
  return s;
}
KL(1, exponential_kl, {"td.exponential", exponential_exponential, 1}, {"td.gamma", exponential_gamma, 2},
   {"td.gumbel", exponential_gumbel, 2}, {"td.normal", exponential_normal, 2}, TO_BOUNDED)
KL(2, inverse_gamma_kl, {"td.inverse_gamma", gamma_gamma, 2})

/* ---- Tables ----------------------------------------------------------------------------------------------------------------------- */
static const td_str gamma_params[] = {TD_TEXT("concentration"), TD_TEXT("rate")}, df_param[] = {TD_TEXT("df")};
static const td_str rate_param[] = {TD_TEXT("rate")}, fisher_params[] = {TD_TEXT("df1"), TD_TEXT("df2")};
static const td_str student_t_params[] = {TD_TEXT("df"), TD_TEXT("loc"), TD_TEXT("scale")};
static const td_distribution_param positive[] = {POSITIVE_PARAM, POSITIVE_PARAM};
static const td_distribution_param student_t_rules[] = {POSITIVE_PARAM,
                                                        {TD_CONSTRAINT_REAL, 0, 0, TD_PARAM_OPTIONAL, 0},
                                                        {TD_CONSTRAINT_POSITIVE, 0, 0, TD_PARAM_OPTIONAL, 1}};

#define WAITING_TIME(id, shown, name, params, support_of_it)                                                      \
  HEAD(id, shown, params, positive), .create = create_plain, .support = support_of_it,                            \
                                     .traits = TD_DISTRIBUTION_POINT_IS_MEAN, .sample = name##_rsample,           \
                                     .rsample = name##_rsample, .log_prob = name##_log_prob, .mean = name##_mean, \
                                     .mode = name##_mode, .variance = name##_variance

static const td_distribution_type gamma_type = {
    WAITING_TIME("td.gamma", "Gamma", gamma, gamma_params, TD_CONSTRAINT_NONNEGATIVE),
    .cdf = gamma_cdf,
    .entropy = gamma_entropy,
    .kl = gamma_kl,
};
static const td_distribution_type chi2_type = {
    WAITING_TIME("td.chi2", "Chi2", chi2, df_param, TD_CONSTRAINT_NONNEGATIVE),
    .cdf = chi2_cdf,
    .entropy = chi2_entropy,
    .kl = chi2_kl,
};
static const td_distribution_type exponential_type = {
    WAITING_TIME("td.exponential", "Exponential", exponential, rate_param, TD_CONSTRAINT_NONNEGATIVE),
    .cdf = exponential_cdf,
    .icdf = exponential_icdf,
    .stddev = exponential_mean,
    .entropy = exponential_entropy,
    .kl = exponential_kl,
};
static const td_distribution_type inverse_gamma_type = {
    WAITING_TIME("td.inverse_gamma", "InverseGamma", inverse_gamma, gamma_params, TD_CONSTRAINT_POSITIVE),
    .cdf = inverse_gamma_cdf,
    .entropy = inverse_gamma_entropy,
    .kl = inverse_gamma_kl,
};
static const td_distribution_type fisher_type = {
    WAITING_TIME("td.fisher_snedecor", "FisherSnedecor", fisher, fisher_params, TD_CONSTRAINT_POSITIVE),
};
static const td_distribution_type student_t_type = {
    HEAD("td.student_t", "StudentT", student_t_params, student_t_rules),
    .create = create_plain,
    .support = TD_CONSTRAINT_REAL,
    .traits = TD_DISTRIBUTION_POINT_IS_MEAN,
    .sample = student_t_rsample,
    .rsample = student_t_rsample,
    .log_prob = student_t_log_prob,
    .mean = student_t_mean,
    .mode = student_t_mode,
    .variance = student_t_variance,
    .entropy = student_t_entropy,
};

static const td_plugin_type *const types[] = {&gamma_type.type,  &chi2_type.type,      &exponential_type.type,
                                              &fisher_type.type, &student_t_type.type, &inverse_gamma_type.type};
static const td_str schemas[] = {NO_CONFIG, NO_CONFIG, NO_CONFIG, NO_CONFIG, NO_CONFIG, NO_CONFIG};
PLUGIN("td.gamma", types, schemas)
