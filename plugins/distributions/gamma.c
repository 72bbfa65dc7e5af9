/* td.gamma, td.chi2, td.exponential, td.inverse_gamma, td.fisher_snedecor, td.student_t: sums of squares, waiting times
 * and what is made of them, as torch.distributions has them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "../schema.h"
#include "chi2.h"

static const double euler = 0.57721566490153286060;
static const double pi = 3.141592653589793;

/* ---- Gamma ------------------------------------------------------------------------------------------------------- */
enum { CONCENTRATION, RATE };

static Value gamma_log_density(workspace *work, Value concentration, Value rate, Value x) {
  Value powers = Add(Xlogy(concentration, rate), Xlogy(Sub(concentration, Number(1)), x));
  return Sub(Sub(powers, Mul(rate, x)), Lgamma(concentration));
}
static Value gamma_disorder(workspace *work, Value concentration, Value rate) {
  Value sum = Add(Sub(concentration, Log(rate)), Lgamma(concentration));
  return Add(sum, Mul(Sub(Number(1), concentration), Digamma(concentration)));
}

DRAW(2, gamma_rsample) {
  return gamma_draw(work, p[CONCENTRATION], p[RATE]);
}
VALUE(2, gamma_log_prob) {
  return gamma_log_density(work, p[CONCENTRATION], p[RATE], x);
}
VALUE(2, gamma_cdf) {
  return call2(work, OP_gammainc, p[CONCENTRATION], Mul(p[RATE], x));
}
STAT(2, gamma_mean) {
  return Div(p[CONCENTRATION], p[RATE]);
}
STAT(2, gamma_mode) {
  return Clamp(Div(Sub(p[CONCENTRATION], Number(1)), p[RATE]), Number(0), none);
}
STAT(2, gamma_variance) {
  return Div(p[CONCENTRATION], Square(p[RATE]));
}
STAT(2, gamma_entropy) {
  return gamma_disorder(work, p[CONCENTRATION], p[RATE]);
}

/* ---- Chi2: a gamma of concentration df / 2 and rate 1/2 ---------------------------------------------------------- */
#define CHI2_AS_GAMMA const Value g[] = {Mul(p[0], Number(0.5)), FullLike(p[0], 0.5)};
DRAW(1, chi2_rsample) {
  CHI2_AS_GAMMA
  return gamma_rsample_formula(work, g);
}
VALUE(1, chi2_log_prob) {
  CHI2_AS_GAMMA
  return gamma_log_prob_formula(work, g, x);
}
VALUE(1, chi2_cdf) {
  CHI2_AS_GAMMA
  return gamma_cdf_formula(work, g, x);
}
STAT(1, chi2_mean) {
  CHI2_AS_GAMMA
  return gamma_mean_formula(work, g);
}
STAT(1, chi2_mode) {
  CHI2_AS_GAMMA
  return gamma_mode_formula(work, g);
}
STAT(1, chi2_variance) {
  CHI2_AS_GAMMA
  return gamma_variance_formula(work, g);
}
STAT(1, chi2_entropy) {
  CHI2_AS_GAMMA
  return gamma_entropy_formula(work, g);
}

/* ---- Exponential ------------------------------------------------------------------------------------------------- */
DRAW(1, exponential_rsample) {
  return Div(draw_into(work, p[0], OP_exponential_, 0, 0), p[0]);
}
VALUE(1, exponential_log_prob) {
  return Sub(Log(p[0]), Mul(p[0], x));
}
VALUE(1, exponential_cdf) {
  return Sub(Number(1), Exp(Mul(Neg(p[0]), x)));
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
  return call2(work, OP_power, p[0], Integer(-2));
}
STAT(1, exponential_entropy) {
  return Sub(Number(1), Log(p[0]));
}

/* ---- InverseGamma: one over a gamma ------------------------------------------------------------------------------ */
DRAW(2, inverse_gamma_rsample) {
  return Reciprocal(gamma_draw(work, p[CONCENTRATION], p[RATE]));
}
VALUE(2, inverse_gamma_log_prob) {
  Value y = Reciprocal(x);
  return Add(gamma_log_density(work, p[CONCENTRATION], p[RATE], y), Mul(Log(y), Number(2)));
}
VALUE(2, inverse_gamma_cdf) {
  Value cdf = call2(work, OP_gammainc, p[CONCENTRATION], Mul(p[RATE], Reciprocal(x)));
  return Sub(Number(1), cdf);
}
STAT(2, inverse_gamma_mean) {
  Value mean = Div(p[RATE], Sub(p[CONCENTRATION], Number(1)));
  return Fill(mean, Not(Gt(p[CONCENTRATION], Number(1))), INFINITY);
}
STAT(2, inverse_gamma_mode) {
  return Div(p[RATE], Add(p[CONCENTRATION], Number(1)));
}
STAT(2, inverse_gamma_variance) {
  Value c = p[CONCENTRATION];
  Value variance = Div(Square(p[RATE]), Mul(Square(Sub(c, Number(1))), Sub(c, Number(2))));
  return Fill(variance, Not(Gt(c, Number(2))), INFINITY);
}
STAT(2, inverse_gamma_entropy) {
  Value c = p[CONCENTRATION];
  return Sub(Add(Add(c, Log(p[RATE])), Lgamma(c)), Mul(Add(c, Number(1)), Digamma(c)));
}

/* ---- FisherSnedecor: the ratio of two gammas --------------------------------------------------------------------- */
enum { DF1, DF2 };

DRAW(2, fisher_rsample) {
  Value x1 = gamma_draw(work, Mul(p[DF1], Number(0.5)), p[DF1]),
        x2 = gamma_draw(work, Mul(p[DF2], Number(0.5)), p[DF2]);
  return Clamp(Div(x1, Clamp(x2, Number(tiny_of(x2)), none)), Number(tiny_of(x1)), none);
}
VALUE(2, fisher_log_prob) {
  Value ct1 = Mul(p[DF1], Number(0.5)), ct2 = Mul(p[DF2], Number(0.5)), ct3 = Div(p[DF1], p[DF2]), both = Add(ct1, ct2);
  Value t1 = Sub(Sub(Lgamma(both), Lgamma(ct1)), Lgamma(ct2));
  Value t2 = Add(Mul(ct1, Log(ct3)), Mul(Sub(ct1, Number(1)), Log(x)));
  return Sub(Add(t1, t2), Mul(both, Log1p(Mul(ct3, x))));
}
STAT(2, fisher_mean) {
  Value df2 = Fill(p[DF2], Le(p[DF2], Number(2)), NAN);
  return Div(df2, Sub(df2, Number(2)));
}
STAT(2, fisher_mode) {
  Value mode = Div(Mul(Div(Sub(p[DF1], Number(2)), p[DF1]), p[DF2]), Add(p[DF2], Number(2)));
  return Fill(mode, Le(p[DF1], Number(2)), NAN);
}
STAT(2, fisher_variance) {
  Value df2 = Fill(p[DF2], Le(p[DF2], Number(4)), NAN);
  Value top = Mul(Mul(Square(df2), Number(2)), Sub(Add(p[DF1], df2), Number(2)));
  return Div(top, Mul(Mul(p[DF1], Square(Sub(df2, Number(2)))), Sub(df2, Number(4))));
}

/* ---- StudentT ---------------------------------------------------------------------------------------------------- */
enum { DF, LOC, SCALE };

DRAW(3, student_t_rsample) {
  Value normal = standard_normal(work, to_draw(work, p[DF], 0));
  Value chi2 = gamma_draw(work, Mul(p[DF], Number(0.5)), FullLike(p[DF], 0.5));
  return Add(p[LOC], Mul(p[SCALE], Mul(normal, call1(work, OP_rsqrt, Div(chi2, p[DF])))));
}
VALUE(3, student_t_log_prob) {
  Value y = Div(Sub(x, p[LOC]), p[SCALE]), next = Add(p[DF], Number(1));
  Value z = Add(Add(Log(p[SCALE]), Mul(Log(p[DF]), Number(0.5))), Number(0.5 * 1.1447298858494002)); /* log(pi) */
  z = Sub(Add(z, Lgamma(Mul(p[DF], Number(0.5)))), Lgamma(Mul(next, Number(0.5))));
  return Sub(Mul(Mul(next, Number(-0.5)), Log1p(Div(Square(y), p[DF]))), z);
}
STAT(3, student_t_mean) {
  return Fill(p[LOC], Le(p[DF], Number(1)), NAN);
}
STAT(3, student_t_mode) {
  return p[LOC];
}
STAT(3, student_t_variance) {
  Value variance = Div(Mul(Square(p[SCALE]), p[DF]), Sub(p[DF], Number(2)));
  return Fill(Fill(variance, Le(p[DF], Number(2)), INFINITY), Le(p[DF], Number(1)), NAN);
}
STAT(3, student_t_entropy) {
  Value half = Mul(p[DF], Number(0.5)), next = Add(p[DF], Number(1)), half_next = Mul(next, Number(0.5));
  Value log_beta = Sub(Add(Lgamma(half), Number(0.5723649429247001)), Lgamma(half_next)); /* lgamma(1/2) */
  Value slope = Mul(Mul(next, Number(0.5)), Sub(Digamma(half_next), Digamma(half)));
  return Add(Add(Add(Log(p[SCALE]), slope), Mul(Log(p[DF]), Number(0.5))), log_beta);
}

/* ---- Divergences ------------------------------------------------------------------------------------------------- */
static Value between_gammas(workspace *work, Value c, Value rate, Value other_c, Value other_rate) {
  Value t1 = Mul(other_c, Log(Div(rate, other_rate)));
  Value t2 = Sub(Lgamma(other_c), Lgamma(c));
  Value t3 = Mul(Sub(c, other_c), Digamma(c));
  return Add(Add(Add(t1, t2), t3), Mul(Sub(other_rate, rate), Div(c, rate)));
}
FORMULA2(gamma_gamma) {
  return between_gammas(work, p[CONCENTRATION], p[RATE], q[CONCENTRATION], q[RATE]);
}
FORMULA2(gamma_exponential) {
  Value first = Sub(Neg(gamma_disorder(work, p[CONCENTRATION], p[RATE])), Log(q[0]));
  return Add(first, Div(Mul(q[0], p[CONCENTRATION]), p[RATE]));
}
FORMULA2(gamma_gumbel) {
  Value c = p[CONCENTRATION], product = Mul(p[RATE], q[1]), ratio = Div(q[0], q[1]);
  Value t1 = Sub(Sub(Mul(Sub(c, Number(1)), Digamma(c)), Lgamma(c)), c);
  Value t2 = Add(Log(product), Div(c, product));
  Value t3 = Sub(Mul(Exp(ratio), Pow(Add(Reciprocal(product), Number(1)), Neg(c))), ratio);
  return Add(Add(t1, t2), t3);
}
FORMULA2(gamma_normal) {
  Value c = p[CONCENTRATION], variance = Square(q[1]), rate2 = Square(p[RATE]);
  Value t1 = Sub(Sub(Mul(Log(Mul(Mul(rate2, variance), Number(2 * pi))), Number(0.5)), c), Lgamma(c));
  Value t2 = Div(Mul(Add(Square(c), c), Number(0.5)), rate2);
  Value moments = Add(Sub(t2, Div(Mul(q[0], c), p[RATE])), Mul(Square(q[0]), Number(0.5)));
  return Add(Add(t1, Mul(Sub(c, Number(1)), Digamma(c))), Div(moments, variance));
}
FORMULA2(exponential_exponential) {
  Value ratio = Div(q[0], p[0]);
  return Sub(Add(Neg(Log(ratio)), ratio), Number(1));
}
FORMULA2(exponential_gamma) {
  Value c = q[CONCENTRATION], ratio = Div(q[RATE], p[0]);
  Value sum = Add(Add(Add(Mul(Neg(c), Log(ratio)), ratio), Lgamma(c)), Mul(c, Number(euler)));
  return Sub(sum, Number(1 + euler));
}
FORMULA2(exponential_gumbel) {
  Value product = Mul(p[0], q[1]), ratio = Div(q[0], q[1]);
  Value t2 = Div(Mul(Exp(ratio), product), Add(product, Number(1)));
  return Add(Add(Sub(Sub(Log(product), Number(1)), ratio), t2), Reciprocal(product));
}
FORMULA2(exponential_normal) {
  Value variance = Square(q[1]), rate2 = Square(p[0]);
  Value t1 = Mul(Log(Mul(Mul(rate2, variance), Number(2 * pi))), Number(0.5));
  Value moments = Add(Sub(Reciprocal(rate2), Div(q[0], p[0])), Mul(Square(q[0]), Number(0.5)));
  return Add(Sub(t1, Number(1)), Div(moments, variance));
}
#define TO_BOUNDED                                                                          \
  {"td.beta", infinite_divergence, 2}, {"td.continuous_bernoulli", infinite_divergence, 2}, \
      {"td.pareto", infinite_divergence, 2}, {                                              \
    "td.uniform", infinite_divergence, 2                                                    \
  }
KL_TO_CHI2(gamma_chi2, gamma_gamma)
KL_TO_CHI2(exponential_chi2, exponential_gamma)
KL(2, gamma_kl, {"td.gamma", gamma_gamma, 2}, {"td.chi2", gamma_chi2, 1}, {"td.exponential", gamma_exponential, 1},
   {"td.gumbel", gamma_gumbel, 2}, {"td.normal", gamma_normal, 2}, TO_BOUNDED)
static td_status chi2_kl(const void *self, td_tensor *const *params, td_str other, td_tensor *const *other_params,
                         td_tensor **out, td_error **err) {
  workspace storage = {.self = self, .err = err}, *work = &storage;
  Value own[] = {tensor(params[0])}, gamma[2];
  chi2_as_gamma(work, own, gamma);
  td_tensor *as_gamma[] = {gamma[0].as.tensor, gamma[1].as.tensor};
  td_status s = work->status;
  if (s == TD_OK) s = gamma_kl(self, as_gamma, other, other_params, out, err);
  release_since(work, 0, none);
  return s;
}
KL(1, exponential_kl, {"td.exponential", exponential_exponential, 1}, {"td.gamma", exponential_gamma, 2},
   {"td.chi2", exponential_chi2, 1}, {"td.gumbel", exponential_gumbel, 2}, {"td.normal", exponential_normal, 2},
   TO_BOUNDED)
KL(2, inverse_gamma_kl, {"td.inverse_gamma", gamma_gamma, 2})

/* ---- Tables ------------------------------------------------------------------------------------------------------ */
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
