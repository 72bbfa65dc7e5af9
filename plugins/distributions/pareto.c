/* td.weibull, td.pareto, td.generalized_pareto, td.kumaraswamy: powers of exponential and uniform numbers, as
 * torch.distributions has them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "../schema.h"
#include "chi2.h"

static const double euler = 0.57721566490153286060;

/* ---- Weibull ----------------------------------------------------------------------------------------------------- */
enum { WEIBULL_SCALE, CONCENTRATION };

DRAW(2, weibull_rsample) {
  Value e = draw_into(work, p[WEIBULL_SCALE], OP_exponential_, 0, 0);
  return Mul(p[WEIBULL_SCALE], Pow(e, Reciprocal(p[CONCENTRATION])));
}
VALUE(2, weibull_log_prob) {
  Value z = Div(x, p[WEIBULL_SCALE]), e = Pow(z, p[CONCENTRATION]);
  Value slope = Log(Abs(Div(Mul(Reciprocal(p[CONCENTRATION]), z), e)));
  return Sub(Sub(Neg(Log(p[WEIBULL_SCALE])), slope), e);
}
VALUE(2, weibull_cdf) {
  return Sub(Number(1), Exp(Neg(Pow(Div(x, p[WEIBULL_SCALE]), p[CONCENTRATION]))));
}
VALUE(2, weibull_icdf) {
  return Mul(p[WEIBULL_SCALE], Pow(Neg(Log1p(Neg(x))), Reciprocal(p[CONCENTRATION])));
}
static Value weibull_moment(workspace *work, const Value *p, double n) {
  return Exp(Lgamma(Add(Mul(Reciprocal(p[CONCENTRATION]), Number(n)), Number(1))));
}
STAT(2, weibull_mean) {
  return Mul(p[WEIBULL_SCALE], weibull_moment(work, p, 1));
}
STAT(2, weibull_mode) {
  Value c = p[CONCENTRATION];
  return Mul(p[WEIBULL_SCALE], Pow(Div(Sub(c, Number(1)), c), Reciprocal(c)));
}
STAT(2, weibull_variance) {
  Value second = weibull_moment(work, p, 2);
  return Mul(Square(p[WEIBULL_SCALE]), Sub(second, Square(weibull_moment(work, p, 1))));
}
STAT(2, weibull_entropy) {
  Value r = Reciprocal(p[CONCENTRATION]);
  return Add(Add(Mul(Sub(Number(1), r), Number(euler)), Log(Mul(p[WEIBULL_SCALE], r))), Number(1));
}

/* ---- Pareto ------------------------------------------------------------------------------------------------------ */
enum { PARETO_SCALE, ALPHA };

DRAW(2, pareto_rsample) {
  Value e = Div(draw_into(work, p[ALPHA], OP_exponential_, 0, 0), p[ALPHA]);
  return Mul(p[PARETO_SCALE], Exp(e));
}
VALUE(2, pareto_log_prob) {
  Value e = Log(Div(x, p[PARETO_SCALE]));
  return Add(Sub(Neg(Log(p[PARETO_SCALE])), e), Sub(Log(p[ALPHA]), Mul(p[ALPHA], e)));
}
VALUE(2, pareto_cdf) {
  return Sub(Number(1), Exp(Mul(Neg(p[ALPHA]), Log(Div(x, p[PARETO_SCALE])))));
}
VALUE(2, pareto_icdf) {
  return Mul(p[PARETO_SCALE], Exp(Div(Neg(Log1p(Neg(x))), p[ALPHA])));
}
STAT(2, pareto_mean) {
  Value a = Clamp(p[ALPHA], Number(1), none);
  return Div(Mul(a, p[PARETO_SCALE]), Sub(a, Number(1)));
}
STAT(2, pareto_mode) {
  return p[PARETO_SCALE];
}
STAT(2, pareto_variance) {
  Value a = Clamp(p[ALPHA], Number(2), none);
  return Div(Mul(Square(p[PARETO_SCALE]), a), Mul(Square(Sub(a, Number(1))), Sub(a, Number(2))));
}
STAT(2, pareto_entropy) {
  return Add(Log(Div(p[PARETO_SCALE], p[ALPHA])), Add(Reciprocal(p[ALPHA]), Number(1)));
}
VALUE(2, pareto_within) {
  return Le(p[PARETO_SCALE], x);
}

/* ---- GeneralizedPareto: exponential where the concentration is 0, bounded above where it is negative ------------- */
enum { GP_LOC, GP_SCALE, GP_SHAPE };

static Value flat(workspace *work, Value concentration) {
  return Le(Abs(concentration), Number(1e-8));
}
/* 1 where it is 0. */
static Value divisor(workspace *work, Value concentration) {
  return Fill(concentration, flat(work, concentration), 1);
}
static Value standardised(workspace *work, const Value *p, Value x) {
  return Div(Sub(x, p[GP_LOC]), p[GP_SCALE]);
}
static Value generalized_pareto_quantile(workspace *work, const Value *p, Value x) {
  Value c = p[GP_SHAPE], safe = divisor(work, c), log_survival = Log1p(Neg(x));
  Value bent = Add(p[GP_LOC], Mul(Div(p[GP_SCALE], safe), Expm1(Neg(Mul(safe, log_survival)))));
  return Where(flat(work, c), Sub(p[GP_LOC], Mul(p[GP_SCALE], log_survival)), bent);
}

DRAW(3, generalized_pareto_rsample) {
  return generalized_pareto_quantile(work, p, standard_uniform(work, to_draw(work, p[GP_LOC], 0)));
}
VALUE(3, generalized_pareto_log_prob) {
  Value z = standardised(work, p, x), safe = divisor(work, p[GP_SHAPE]);
  Value y = spread(work, Add(Reciprocal(safe), Number(1)), z);
  Value bent = Where(Eq(y, Number(0)), y, Mul(y, Log1p(Mul(safe, z))));
  return Sub(Neg(Log(p[GP_SCALE])), Where(flat(work, p[GP_SHAPE]), z, bent));
}
VALUE(3, generalized_pareto_cdf) {
  Value z = standardised(work, p, x), safe = divisor(work, p[GP_SHAPE]);
  Value log_survival = Where(flat(work, p[GP_SHAPE]), Neg(z), Div(Neg(Log1p(Mul(safe, z))), safe));
  return Exp(Log1p(Neg(Exp(log_survival))));
}
VALUE(3, generalized_pareto_icdf) {
  return generalized_pareto_quantile(work, p, x);
}
STAT(3, generalized_pareto_mean) {
  Value none_there = Ge(p[GP_SHAPE], Number(1)), safe = Fill(p[GP_SHAPE], none_there, 0.5);
  return Fill(Add(p[GP_LOC], Div(p[GP_SCALE], Sub(Number(1), safe))), none_there, NAN);
}
STAT(3, generalized_pareto_mode) {
  return p[GP_LOC];
}
STAT(3, generalized_pareto_variance) {
  Value none_there = Ge(p[GP_SHAPE], Number(0.5)), safe = Fill(p[GP_SHAPE], none_there, 0.25);
  Value below = Mul(Square(Sub(Number(1), safe)), Sub(Number(1), Mul(safe, Number(2))));
  return Fill(Div(Square(p[GP_SCALE]), below), none_there, NAN);
}
STAT(3, generalized_pareto_entropy) {
  return Add(Add(Log(p[GP_SCALE]), p[GP_SHAPE]), Number(1));
}
VALUE(3, generalized_pareto_within) {
  Value bounded = Lt(p[GP_SHAPE], Number(0)), end = Sub(p[GP_LOC], Div(p[GP_SCALE], divisor(work, p[GP_SHAPE])));
  return And(Le(p[GP_LOC], x), Le(x, Fill(end, Not(bounded), INFINITY)));
}

/* ---- Kumaraswamy ------------------------------------------------------------------------------------------------- */
enum { A, B }; /* concentration1, concentration0 */

static Value kumaraswamy_from_uniform(workspace *work, const Value *p, Value u) {
  return Pow(Sub(Number(1), Pow(u, Reciprocal(p[B]))), Reciprocal(p[A]));
}
DRAW(2, kumaraswamy_rsample) {
  return kumaraswamy_from_uniform(work, p, standard_uniform(work, to_draw(work, p[B], 0)));
}
VALUE(2, kumaraswamy_log_prob) {
  Value inner = Pow(x, p[A]), rest = Sub(Number(1), inner), u = Pow(rest, p[B]);
  Value slope_a = Log(Abs(Div(Mul(Reciprocal(p[A]), x), inner)));
  Value slope_b = Log(Abs(Div(Mul(Reciprocal(p[B]), rest), u)));
  Value inside = Log(call2(work, OP_like, And(Ge(u, Number(0)), Lt(u, Number(1))), p[B]));
  return Sub(Sub(inside, slope_a), slope_b);
}
VALUE(2, kumaraswamy_cdf) {
  Value u = Pow(Sub(Number(1), Pow(x, p[A])), p[B]);
  return Sub(Number(1), Clamp(u, Number(0), Number(1)));
}
VALUE(2, kumaraswamy_icdf) {
  return kumaraswamy_from_uniform(work, p, Sub(Number(1), x));
}
static Value kumaraswamy_moment(workspace *work, const Value *p, double n) {
  Value arg = Add(Div(Number(n), p[A]), Number(1));
  return Mul(p[B], Exp(Sub(Add(Lgamma(arg), Lgamma(p[B])), Lgamma(Add(arg, p[B])))));
}
STAT(2, kumaraswamy_mean) {
  return kumaraswamy_moment(work, p, 1);
}
/* PyTorch's own formula, whose result is NaN for concentration0 > 1. */
STAT(2, kumaraswamy_mode) {
  Value mode = Sub(Mul(Reciprocal(p[B]), Log1p(Neg(p[B]))), Log1p(Neg(Mul(p[B], p[A]))));
  return Exp(Fill(mode, Or(Lt(p[B], Number(1)), Lt(p[A], Number(1))), NAN));
}
STAT(2, kumaraswamy_variance) {
  Value second = kumaraswamy_moment(work, p, 2);
  return Sub(second, Square(kumaraswamy_moment(work, p, 1)));
}
STAT(2, kumaraswamy_entropy) {
  Value t1 = Sub(Number(1), Reciprocal(p[A])), t0 = Sub(Number(1), Reciprocal(p[B]));
  Value h0 = Add(Digamma(Add(p[B], Number(1))), Number(euler));
  return Sub(Sub(Add(t0, Mul(t1, h0)), Log(p[A])), Log(p[B]));
}

/* ---- Divergences ------------------------------------------------------------------------------------------------- */
FORMULA2(pareto_pareto) {
  Value ratio = Div(q[ALPHA], p[ALPHA]);
  Value t1 = Mul(q[ALPHA], Log(Div(p[PARETO_SCALE], q[PARETO_SCALE])));
  Value sum = Sub(Add(Sub(t1, Log(ratio)), ratio), Number(1));
  return Fill(sum, Lt(p[PARETO_SCALE], q[PARETO_SCALE]), INFINITY);
}
FORMULA2(pareto_exponential) {
  Value product = Mul(p[PARETO_SCALE], q[0]);
  Value t3 = Div(Mul(p[ALPHA], product), Sub(p[ALPHA], Number(1)));
  Value sum = Sub(Add(Sub(Log(Div(p[ALPHA], product)), Reciprocal(p[ALPHA])), t3), Number(1));
  return Fill(sum, Le(p[ALPHA], Number(1)), INFINITY);
}
FORMULA2(pareto_gamma) {
  Value common = Add(Log(p[PARETO_SCALE]), Reciprocal(p[ALPHA]));
  Value t2 = Sub(Lgamma(q[0]), Mul(q[0], Log(q[1])));
  Value t4 = Div(Mul(Mul(q[1], p[ALPHA]), p[PARETO_SCALE]), Sub(p[ALPHA], Number(1)));
  Value sum = Add(Add(Sub(Log(p[ALPHA]), common), t2), Mul(Sub(Number(1), q[0]), common));
  return Fill(Sub(Add(sum, t4), Number(1)), Le(p[ALPHA], Number(1)), INFINITY);
}
FORMULA2(pareto_normal) {
  Value variance = Mul(Square(q[1]), Number(2)), common = Div(p[PARETO_SCALE], Sub(p[ALPHA], Number(1)));
  Value t1 = Log(Div(Mul(Mul(q[1], Number(2.5066282746310002)), p[ALPHA]), p[PARETO_SCALE]));
  Value t3 = Div(Mul(p[ALPHA], Square(common)), Sub(p[ALPHA], Number(2)));
  Value t4 = Square(Sub(Mul(p[ALPHA], common), q[0]));
  Value sum = Sub(Add(Sub(t1, Reciprocal(p[ALPHA])), Div(Add(t3, t4), variance)), Number(1));
  return Fill(sum, Le(p[ALPHA], Number(2)), INFINITY);
}
KL_TO_CHI2(pareto_chi2, pareto_gamma)
KL(2, pareto_kl, {"td.pareto", pareto_pareto, 2}, {"td.exponential", pareto_exponential, 1},
   {"td.gamma", pareto_gamma, 2}, {"td.chi2", pareto_chi2, 1}, {"td.normal", pareto_normal, 2}, TO_INTERVALS,
   {"td.uniform", infinite_divergence, 2})

/* ---- Tables ------------------------------------------------------------------------------------------------------ */
static const td_str weibull_params[] = {TD_TEXT("scale"), TD_TEXT("concentration")};
static const td_str pareto_params[] = {TD_TEXT("scale"), TD_TEXT("alpha")};
static const td_str generalized_params[] = {TD_TEXT("loc"), TD_TEXT("scale"), TD_TEXT("concentration")};
static const td_str kumaraswamy_params[] = {TD_TEXT("concentration1"), TD_TEXT("concentration0")};
static const td_distribution_param positive[] = {POSITIVE_PARAM, POSITIVE_PARAM};
static const td_distribution_param generalized_rules[] = {REAL_PARAM, POSITIVE_PARAM, REAL_PARAM};

static const td_distribution_type weibull_type = {
    BENT_FAMILY("td.weibull", "Weibull", weibull, weibull_params, positive, TD_CONSTRAINT_POSITIVE, weibull),
    .mode = weibull_mode,
    .variance = weibull_variance,
};
static const td_distribution_type pareto_type = {
    BENT_FAMILY("td.pareto", "Pareto", pareto, pareto_params, positive, TD_CONSTRAINT_OWN, pareto),
    .support_name = TD_TEXT("GreaterThanEq(lower_bound=scale)"),
    .within = pareto_within,
    .mode = pareto_mode,
    .variance = pareto_variance,
    .kl = pareto_kl,
};
static const td_distribution_type generalized_pareto_type = {
    BENT_FAMILY("td.generalized_pareto", "GeneralizedPareto", generalized_pareto, generalized_params, generalized_rules,
                TD_CONSTRAINT_OWN, generalized_pareto),
    .support_name = TD_TEXT("Interval(lower_bound=loc, upper_bound=loc - scale / concentration)"),
    .within = generalized_pareto_within,
    .mode = generalized_pareto_mode,
    .variance = generalized_pareto_variance,
};
static const td_distribution_type kumaraswamy_type = {
    BENT_FAMILY("td.kumaraswamy", "Kumaraswamy", kumaraswamy, kumaraswamy_params, positive, TD_CONSTRAINT_UNIT_INTERVAL,
                kumaraswamy),
    .mode = kumaraswamy_mode,
    .variance = kumaraswamy_variance,
};

static const td_plugin_type *const types[] = {&weibull_type.type, &pareto_type.type, &generalized_pareto_type.type,
                                              &kumaraswamy_type.type};
static const td_str schemas[] = {NO_CONFIG, NO_CONFIG, NO_CONFIG, NO_CONFIG};
PLUGIN("td.pareto", types, schemas)
