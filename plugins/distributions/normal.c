/* td.normal, td.log_normal, td.half_normal: the normal distribution, its exponential and its absolute value.
 *
 * As torch.distributions.Normal, LogNormal and HalfNormal. Draws give PyTorch's numbers for the same generator: sample is
 * normal(loc, scale), rsample is loc + scale * randn.
 *
 * SPDX-License-Identifier: MIT
 */
#include "../schema.h"
#include "family.h"

enum { LOC, SCALE };

static const double half_log_2_pi_and_half = 1.4189385332046727;
static const double log_sqrt_2_pi = 0.9189385332046727; /* the double that Python's math.log(math.sqrt(2*pi)) is */
static const double sqrt_2 = 1.4142135623730951;
static const double log_2 = 0.6931471805599453;

/* ---- Normal ------------------------------------------------------------------------------------------------------ */
static Value log_density(workspace *work, Value loc, Value scale, Value x) {
  Value variance = Square(scale);
  Value distance = loc.kind == TD_VALUE_NONE ? x : Sub(x, loc);
  return Sub(Sub(Div(Neg(Square(distance)), Mul(variance, Integer(2))), Log(scale)), Number(log_sqrt_2_pi));
}
static Value normal_cumulative(workspace *work, Value distance, Value scale) {
  return Mul(Add(Erf(Div(Mul(distance, Reciprocal(scale)), Number(sqrt_2))), Number(1)), Number(0.5));
}
static Value normal_quantile(workspace *work, Value scale, Value x) {
  return Mul(Mul(scale, Erfinv(Sub(Mul(x, Number(2)), Number(1)))), Number(sqrt_2));
}

DRAW(2, normal_sample) {
  Value args[] = {to_draw(work, p[LOC], 0), to_draw(work, p[SCALE], 0)};
  return Detach(draw_with(work, OP_normal, args, 2));
}
DRAW(2, normal_rsample) {
  return Add(p[LOC], Mul(standard_normal(work, to_draw(work, p[LOC], 0)), p[SCALE]));
}
VALUE(2, normal_log_prob) {
  return log_density(work, p[LOC], p[SCALE], x);
}
VALUE(2, normal_cdf) {
  return normal_cumulative(work, Sub(x, p[LOC]), p[SCALE]);
}
VALUE(2, normal_icdf) {
  return Add(p[LOC], normal_quantile(work, p[SCALE], x));
}
STAT(2, normal_mean) {
  return p[LOC];
}
STAT(2, normal_variance) {
  return Square(p[SCALE]);
}
STAT(2, normal_stddev) {
  return p[SCALE];
}
STAT(2, normal_entropy) {
  return Add(Log(p[SCALE]), Number(half_log_2_pi_and_half));
}

/* ---- LogNormal --------------------------------------------------------------------------------------------------- */
DRAW(2, log_normal_sample) {
  return Exp(normal_sample_formula(work, p));
}
DRAW(2, log_normal_rsample) {
  return Exp(normal_rsample_formula(work, p));
}
VALUE(2, log_normal_log_prob) {
  Value log_x = Log(x);
  return Add(Neg(log_x), log_density(work, p[LOC], p[SCALE], log_x));
}
VALUE(2, log_normal_cdf) {
  return normal_cumulative(work, Sub(Log(x), p[LOC]), p[SCALE]);
}
VALUE(2, log_normal_icdf) {
  return Exp(Add(p[LOC], normal_quantile(work, p[SCALE], x)));
}
STAT(2, log_normal_mean) {
  return Exp(Add(p[LOC], Div(Square(p[SCALE]), Number(2))));
}
STAT(2, log_normal_mode) {
  return Exp(Sub(p[LOC], Square(p[SCALE])));
}
STAT(2, log_normal_variance) {
  Value variance = Square(p[SCALE]);
  return Mul(Expm1(variance), Exp(Add(Mul(p[LOC], Number(2)), variance)));
}
STAT(2, log_normal_entropy) {
  return Add(Add(Log(p[SCALE]), Number(half_log_2_pi_and_half)), p[LOC]);
}

/* ---- HalfNormal -------------------------------------------------------------------------------------------------- */
DRAW(1, half_normal_sample) {
  Value args[] = {ZerosLike(to_draw(work, p[0], 0)), to_draw(work, p[0], 0)};
  return Abs(Detach(draw_with(work, OP_normal, args, 2)));
}
DRAW(1, half_normal_rsample) {
  return Abs(Mul(standard_normal(work, to_draw(work, p[0], 0)), p[0]));
}
VALUE(1, half_normal_log_prob) {
  return Fill(Add(log_density(work, none, p[0], x), Number(log_2)), Lt(x, Number(0)), -INFINITY);
}
VALUE(1, half_normal_cdf) {
  return Sub(Mul(normal_cumulative(work, x, p[0]), Number(2)), Number(1));
}
VALUE(1, half_normal_icdf) {
  return normal_quantile(work, p[0], Div(Add(x, Number(1)), Number(2)));
}
STAT(1, half_normal_mean) {
  return Mul(p[0], Number(0.7978845608028654)); /* sqrt(2 / pi) */
}
STAT(1, half_normal_mode) {
  return ZerosLike(p[0]);
}
STAT(1, half_normal_variance) {
  return Mul(Square(p[0]), Number(1 - 2 / 3.141592653589793));
}
STAT(1, half_normal_entropy) {
  return Sub(Add(Log(p[0]), Number(half_log_2_pi_and_half)), Number(log_2));
}

/* ---- Divergences ------------------------------------------------------------------------------------------------- */
static Value between_normals(workspace *work, Value distance, Value scale, Value other_scale) {
  Value ratio = Square(Div(scale, other_scale));
  Value sum = given(distance) ? Add(ratio, Square(Div(distance, other_scale))) : ratio;
  return Mul(Sub(Sub(sum, Number(1)), Log(ratio)), Number(0.5));
}
FORMULA2(normal_normal) {
  return between_normals(work, Sub(p[LOC], q[LOC]), p[SCALE], q[SCALE]);
}
FORMULA2(half_normal_half_normal) {
  return between_normals(work, none, p[0], q[0]);
}
FORMULA2(normal_infinity) {
  return FullLike(p[LOC], INFINITY);
}
FORMULA2(normal_gumbel) {
  Value mean_ratio = Div(p[LOC], q[SCALE]), variance_ratio = Square(Div(p[SCALE], q[SCALE]));
  Value loc_ratio = Div(q[LOC], q[SCALE]);
  Value t3 = Exp(Add(Add(Neg(mean_ratio), Mul(variance_ratio, Number(0.5))), loc_ratio));
  Value sum = Add(Sub(Sub(mean_ratio, loc_ratio), Mul(Log(variance_ratio), Number(0.5))), t3);
  return Sub(sum, Number(half_log_2_pi_and_half));
}
FORMULA2(normal_laplace) {
  Value distance = Sub(p[LOC], q[LOC]), ratio = Div(distance, p[SCALE]);
  Value t2 = Mul(Mul(p[SCALE], Number(0.7978845608028654)), Exp(Mul(Square(ratio), Number(-0.5))));
  Value t3 = Mul(distance, Erf(Mul(ratio, Number(0.7071067811865476))));
  Value sum = Sub(Div(Add(t2, t3), q[SCALE]), Log(Div(p[SCALE], q[SCALE])));
  return Sub(sum, Number(0.7257913526447274)); /* (1 + log(pi / 2)) / 2 */
}
KL(2, normal_kl, {"td.normal", normal_normal, 2}, {"td.gumbel", normal_gumbel, 2}, {"td.laplace", normal_laplace, 2},
   {"td.beta", normal_infinity, 2}, {"td.continuous_bernoulli", normal_infinity, 2},
   {"td.exponential", normal_infinity, 1}, {"td.gamma", normal_infinity, 2}, {"td.chi2", normal_infinity, 1},
   {"td.pareto", normal_infinity, 2}, {"td.uniform", normal_infinity, 2})
KL(2, log_normal_kl, {"td.log_normal", normal_normal, 2})
KL(1, half_normal_kl, {"td.half_normal", half_normal_half_normal, 1})

/* ---- Tables ------------------------------------------------------------------------------------------------------ */
static const td_str loc_scale[] = {TD_TEXT("loc"), TD_TEXT("scale")}, scale_only[] = {TD_TEXT("scale")};
static const td_distribution_param loc_scale_rules[] = {REAL_PARAM, POSITIVE_PARAM}, scale_rules[] = {POSITIVE_PARAM};

static const td_distribution_type normal_type = {
    HEAD("td.normal", "Normal", loc_scale, loc_scale_rules),
    .create = create_plain,
    .support = TD_CONSTRAINT_REAL,
    .traits = TD_DISTRIBUTION_POINT_IS_MEAN,
    .sample = normal_sample,
    .rsample = normal_rsample,
    .log_prob = normal_log_prob,
    .cdf = normal_cdf,
    .icdf = normal_icdf,
    .mean = normal_mean,
    .mode = normal_mean,
    .variance = normal_variance,
    .stddev = normal_stddev,
    .entropy = normal_entropy,
    .kl = normal_kl,
};
static const td_distribution_type log_normal_type = {
    HEAD("td.log_normal", "LogNormal", loc_scale, loc_scale_rules),
    .create = create_plain,
    .support = TD_CONSTRAINT_POSITIVE,
    .traits = TD_DISTRIBUTION_POINT_IS_MEAN,
    .sample = log_normal_sample,
    .rsample = log_normal_rsample,
    .log_prob = log_normal_log_prob,
    .cdf = log_normal_cdf,
    .icdf = log_normal_icdf,
    .mean = log_normal_mean,
    .mode = log_normal_mode,
    .variance = log_normal_variance,
    .entropy = log_normal_entropy,
    .kl = log_normal_kl,
};
static const td_distribution_type half_normal_type = {
    HEAD("td.half_normal", "HalfNormal", scale_only, scale_rules),
    .create = create_plain,
    .support = TD_CONSTRAINT_NONNEGATIVE,
    .traits = TD_DISTRIBUTION_POINT_IS_MEAN,
    .sample = half_normal_sample,
    .rsample = half_normal_rsample,
    .log_prob = half_normal_log_prob,
    .cdf = half_normal_cdf,
    .icdf = half_normal_icdf,
    .mean = half_normal_mean,
    .mode = half_normal_mode,
    .variance = half_normal_variance,
    .entropy = half_normal_entropy,
    .kl = half_normal_kl,
};

static const td_plugin_type *const types[] = {&normal_type.type, &log_normal_type.type, &half_normal_type.type};
static const td_str schemas[] = {NO_CONFIG, NO_CONFIG, NO_CONFIG};
PLUGIN("td.normal", types, schemas)
