/* td.laplace, td.cauchy, td.half_cauchy, td.gumbel: families of a location and a scale that are not normal, as
 * torch.distributions has them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "../schema.h"
#include "family.h"

static const double pi = 3.141592653589793, log_2 = 0.6931471805599453, euler = 0.57721566490153286060;

/* ---- Laplace ----------------------------------------------------------------------------------------------------- */
enum { LOC, SCALE };

DRAW(2, laplace_rsample) {
  Value u = draw_into(work, p[LOC], OP_uniform_, eps_of(p[LOC]) - 1, 1);
  return Sub(p[LOC], Mul(Mul(p[SCALE], Sign(u)), Log1p(Neg(Abs(u)))));
}
VALUE(2, laplace_log_prob) {
  return Sub(Neg(Log(Mul(p[SCALE], Number(2)))), Div(Abs(Sub(x, p[LOC])), p[SCALE]));
}
VALUE(2, laplace_cdf) {
  Value distance = Sub(x, p[LOC]);
  return Sub(Number(0.5), Mul(Mul(Sign(distance), Number(0.5)), Expm1(Div(Neg(Abs(distance)), p[SCALE]))));
}
VALUE(2, laplace_icdf) {
  Value term = Sub(x, Number(0.5));
  return Sub(p[LOC], Mul(Mul(p[SCALE], Sign(term)), Log1p(Mul(Abs(term), Number(-2)))));
}
STAT(2, laplace_mean) {
  return p[LOC];
}
STAT(2, laplace_variance) {
  return Mul(Square(p[SCALE]), Number(2));
}
STAT(2, laplace_stddev) {
  return Mul(p[SCALE], Number(1.4142135623730951));
}
STAT(2, laplace_entropy) {
  return Add(Log(Mul(p[SCALE], Number(2))), Number(1));
}

/* ---- Cauchy and HalfCauchy --------------------------------------------------------------------------------------- */
static Value cauchy_log_density(workspace *work, Value z, Value scale) {
  return Sub(Sub(Number(-1.1447298858494002), Log(scale)), Log1p(Square(z))); /* log(pi) */
}
static Value cauchy_quantile(workspace *work, Value scale, Value x) {
  return Mul(call1(work, OP_tan, Mul(Sub(x, Number(0.5)), Number(pi))), scale);
}
static Value cauchy_cumulative(workspace *work, Value z) {
  return Add(Div(call1(work, OP_atan, z), Number(pi)), Number(0.5));
}
static Value cauchy_disorder(workspace *work, Value scale) {
  return Add(Log(scale), Number(2.5310242469692907)); /* log(4 pi) */
}

DRAW(2, cauchy_rsample) {
  return Add(p[LOC], Mul(draw_into(work, p[LOC], OP_cauchy_, 0, 1), p[SCALE]));
}
VALUE(2, cauchy_log_prob) {
  return cauchy_log_density(work, Div(Sub(x, p[LOC]), p[SCALE]), p[SCALE]);
}
VALUE(2, cauchy_cdf) {
  return cauchy_cumulative(work, Div(Sub(x, p[LOC]), p[SCALE]));
}
VALUE(2, cauchy_icdf) {
  return Add(cauchy_quantile(work, p[SCALE], x), p[LOC]);
}
STAT(2, cauchy_mean) {
  return FullLike(p[LOC], NAN);
}
STAT(2, cauchy_variance) {
  return FullLike(p[LOC], INFINITY);
}
STAT(2, cauchy_entropy) {
  return cauchy_disorder(work, p[SCALE]);
}
DRAW(1, half_cauchy_rsample) {
  return Abs(Mul(draw_into(work, p[0], OP_cauchy_, 0, 1), p[0]));
}
VALUE(1, half_cauchy_log_prob) {
  return Fill(Add(cauchy_log_density(work, Div(x, p[0]), p[0]), Number(log_2)), Lt(x, Number(0)), -INFINITY);
}
VALUE(1, half_cauchy_cdf) {
  return Sub(Mul(cauchy_cumulative(work, Div(x, p[0])), Number(2)), Number(1));
}
VALUE(1, half_cauchy_icdf) {
  return cauchy_quantile(work, p[0], Div(Add(x, Number(1)), Number(2)));
}
STAT(1, half_cauchy_mean) {
  return FullLike(p[0], INFINITY);
}
STAT(1, half_cauchy_mode) {
  return ZerosLike(p[0]);
}
STAT(1, half_cauchy_entropy) {
  return Sub(cauchy_disorder(work, p[0]), Number(log_2));
}

/* ---- Gumbel ------------------------------------------------------------------------------------------------------ */
static Value twice_negative_log(workspace *work, Value u) {
  return Log(Neg(Log(u)));
}
/* Within (0, 1), where both logarithms are finite. */
static Value stretched(workspace *work, Value u, double tiny, double eps) {
  return Add(Mul(u, Number(1 - eps - tiny)), Number(tiny));
}

DRAW(2, gumbel_rsample) {
  Value u = standard_uniform(work, to_draw(work, p[LOC], 0));
  u = stretched(work, u, tiny_of(p[LOC]), eps_of(p[LOC]));
  return Sub(p[LOC], Mul(p[SCALE], twice_negative_log(work, u)));
}
VALUE(2, gumbel_log_prob) {
  Value y = Div(Sub(p[LOC], x), p[SCALE]);
  return Sub(Sub(y, Exp(y)), Log(p[SCALE]));
}
VALUE(2, gumbel_cdf) {
  const double tiny = tiny_of(p[LOC]), eps = eps_of(p[LOC]);
  Value u = Exp(Neg(Exp(Div(Sub(p[LOC], x), p[SCALE]))));
  return Clamp(Div(Sub(u, Number(tiny)), Number(1 - eps - tiny)), Number(0), Number(1));
}
VALUE(2, gumbel_icdf) {
  Value u = stretched(work, x, tiny_of(p[LOC]), eps_of(p[LOC]));
  return Sub(p[LOC], Mul(p[SCALE], twice_negative_log(work, u)));
}
STAT(2, gumbel_mean) {
  return Add(p[LOC], Mul(p[SCALE], Number(euler)));
}
STAT(2, gumbel_stddev) {
  return Mul(p[SCALE], Number(1.282549830161864)); /* pi / sqrt(6) */
}
STAT(2, gumbel_variance) {
  return Square(gumbel_stddev_formula(work, p));
}
STAT(2, gumbel_entropy) {
  return Add(Log(p[SCALE]), Number(1 + euler));
}

/* ---- Divergences ------------------------------------------------------------------------------------------------- */
FORMULA2(laplace_laplace) {
  Value ratio = Div(p[SCALE], q[SCALE]), distance = Abs(Sub(p[LOC], q[LOC]));
  Value t3 = Mul(ratio, Exp(Div(Neg(distance), p[SCALE])));
  return Sub(Add(Add(Neg(Log(ratio)), Div(distance, q[SCALE])), t3), Number(1));
}
FORMULA2(laplace_normal) {
  Value variance = Square(q[SCALE]), ratio = Div(Square(p[SCALE]), variance);
  Value t1 = Mul(Log(Mul(ratio, Number(2 / pi))), Number(0.5));
  Value moments = Add(Sub(Mul(Square(p[LOC]), Number(0.5)), Mul(p[LOC], q[LOC])), Mul(Square(q[LOC]), Number(0.5)));
  return Sub(Add(Sub(ratio, t1), Div(moments, variance)), Number(1));
}
FORMULA2(cauchy_cauchy) {
  Value t1 = Log(Add(Square(Add(p[SCALE], q[SCALE])), Square(Sub(p[LOC], q[LOC]))));
  return Sub(t1, Log(Mul(Mul(p[SCALE], q[SCALE]), Number(4))));
}
FORMULA2(half_cauchy_half_cauchy) {
  Value sum = Square(Add(p[0], q[0]));
  return Sub(Log(sum), Log(Mul(Mul(p[0], q[0]), Number(4))));
}
FORMULA2(gumbel_gumbel) {
  Value ct1 = Div(p[SCALE], q[SCALE]), ct2 = Div(q[LOC], q[SCALE]), ct3 = Div(p[LOC], q[SCALE]);
  Value t1 = Add(Sub(Neg(Log(ct1)), ct2), ct3);
  Value t3 = Exp(Sub(Add(ct2, Lgamma(Add(ct1, Number(1)))), ct3));
  return Sub(Add(Add(t1, Mul(ct1, Number(euler))), t3), Number(1 + euler));
}
FORMULA2(gumbel_normal) {
  Value ratio = Div(p[SCALE], q[SCALE]);
  Value t1 = Log(Div(ratio, Number(2.5066282746310002)));
  Value t2 = Div(Square(Mul(ratio, Number(pi * 0.5))), Number(3));
  Value t3 = Mul(Square(Div(Sub(Add(p[LOC], Mul(p[SCALE], Number(euler))), q[LOC]), q[SCALE])), Number(0.5));
  return Sub(Add(Add(Neg(t1), t2), t3), Number(euler + 1));
}
KL(2, laplace_kl, {"td.laplace", laplace_laplace, 2}, {"td.normal", laplace_normal, 2}, TO_INTERVALS, TO_HALF_LINES)
KL(2, cauchy_kl, {"td.cauchy", cauchy_cauchy, 2})
KL(1, half_cauchy_kl, {"td.half_cauchy", half_cauchy_half_cauchy, 1})
KL(2, gumbel_kl, {"td.gumbel", gumbel_gumbel, 2}, {"td.normal", gumbel_normal, 2}, TO_INTERVALS, TO_HALF_LINES)

/* ---- Tables ------------------------------------------------------------------------------------------------------ */
static const td_str loc_scale[] = {TD_TEXT("loc"), TD_TEXT("scale")}, scale_only[] = {TD_TEXT("scale")};
static const td_distribution_param loc_scale_rules[] = {REAL_PARAM, POSITIVE_PARAM};
static const td_distribution_param positive[] = {POSITIVE_PARAM};

static const td_distribution_type laplace_type = {
    BENT_FAMILY("td.laplace", "Laplace", laplace, loc_scale, loc_scale_rules, TD_CONSTRAINT_REAL, laplace),
    .mode = laplace_mean,
    .variance = laplace_variance,
    .stddev = laplace_stddev,
    .kl = laplace_kl,
};
static const td_distribution_type cauchy_type = {
    BENT_FAMILY("td.cauchy", "Cauchy", cauchy, loc_scale, loc_scale_rules, TD_CONSTRAINT_REAL, cauchy),
    .mode = laplace_mean,
    .variance = cauchy_variance,
    .kl = cauchy_kl,
};
static const td_distribution_type half_cauchy_type = {
    BENT_FAMILY("td.half_cauchy", "HalfCauchy", half_cauchy, scale_only, positive, TD_CONSTRAINT_NONNEGATIVE,
                half_cauchy),
    .mode = half_cauchy_mode,
    .variance = half_cauchy_mean,
    .kl = half_cauchy_kl,
};
static const td_distribution_type gumbel_type = {
    BENT_FAMILY("td.gumbel", "Gumbel", gumbel, loc_scale, loc_scale_rules, TD_CONSTRAINT_REAL, gumbel),
    .mode = laplace_mean,
    .variance = gumbel_variance,
    .stddev = gumbel_stddev,
    .kl = gumbel_kl,
};

static const td_plugin_type *const types[] = {&laplace_type.type, &cauchy_type.type, &half_cauchy_type.type,
                                              &gumbel_type.type};
static const td_str schemas[] = {NO_CONFIG, NO_CONFIG, NO_CONFIG, NO_CONFIG};
PLUGIN("td.laplace", types, schemas)
