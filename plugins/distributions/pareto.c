/* td.weibull, td.pareto, td.generalized_pareto, td.kumaraswamy: powers of exponential and uniform numbers, as
 * torch.distributions has them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "../schema.h"
#include "family.h"

static const double euler = 0.57721566490153286060;

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

/* ---- GeneralizedPareto: exponential where the concentration is 0, bounded above where it is negative -------------------------------------- */
enum { GP_LOC, GP_SCALE, GP_SHAPE };

static V flat(work *w, V concentration) {
  return Le(Abs(concentration), K(1e-8));
}
/* 1 where it is 0. */
static V divisor(work *w, V concentration) {
  return Fill(concentration, flat(w, concentration), 1);
}
static V standardised(work *w, const V *p, V x) {
  return Div(Sub(x, p[GP_LOC]), p[GP_SCALE]);
}
static V generalized_pareto_quantile(work *w, const V *p, V x) {
  V c = p[GP_SHAPE], safe = divisor(w, c), log_survival = Log1p(Neg(x));
  V bent = Add(p[GP_LOC], Mul(Div(p[GP_SCALE], safe), Expm1(Neg(Mul(safe, log_survival)))));
  return Where(flat(w, c), Sub(p[GP_LOC], Mul(p[GP_SCALE], log_survival)), bent);
}

DRAW(3, generalized_pareto_rsample) {
  return generalized_pareto_quantile(w, p, standard_uniform(w, to_draw(w, p[GP_LOC], 0)));
}
VALUE(3, generalized_pareto_log_prob) {
  V z = standardised(w, p, x), safe = divisor(w, p[GP_SHAPE]);
  V y = spread(w, Add(Reciprocal(safe), K(1)), z);
  V bent = Where(Eq(y, K(0)), y, Mul(y, Log1p(Mul(safe, z))));
  return Sub(Neg(Log(p[GP_SCALE])), Where(flat(w, p[GP_SHAPE]), z, bent));
}
VALUE(3, generalized_pareto_cdf) {
  V z = standardised(w, p, x), safe = divisor(w, p[GP_SHAPE]);
  V log_survival = Where(flat(w, p[GP_SHAPE]), Neg(z), Div(Neg(Log1p(Mul(safe, z))), safe));
  return Exp(Log1p(Neg(Exp(log_survival))));
}
VALUE(3, generalized_pareto_icdf) {
  return generalized_pareto_quantile(w, p, x);
}
STAT(3, generalized_pareto_mean) {
  V none_there = Ge(p[GP_SHAPE], K(1)), safe = Fill(p[GP_SHAPE], none_there, 0.5);
  return Fill(Add(p[GP_LOC], Div(p[GP_SCALE], Sub(K(1), safe))), none_there, NAN);
}
STAT(3, generalized_pareto_mode) {
  return p[GP_LOC];
}
STAT(3, generalized_pareto_variance) {
  V none_there = Ge(p[GP_SHAPE], K(0.5)), safe = Fill(p[GP_SHAPE], none_there, 0.25);
  V below = Mul(Square(Sub(K(1), safe)), Sub(K(1), Mul(safe, K(2))));
  return Fill(Div(Square(p[GP_SCALE]), below), none_there, NAN);
}
STAT(3, generalized_pareto_entropy) {
  return Add(Add(Log(p[GP_SCALE]), p[GP_SHAPE]), K(1));
}
VALUE(3, generalized_pareto_within) {
  V bounded = Lt(p[GP_SHAPE], K(0)), end = Sub(p[GP_LOC], Div(p[GP_SCALE], divisor(w, p[GP_SHAPE])));
  return And(Le(p[GP_LOC], x), Le(x, Fill(end, Not(bounded), INFINITY)));
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
  V variance = Mul(Square(q[1]), K(2)), common = Div(p[PARETO_SCALE], Sub(p[ALPHA], K(1)));
  V t1 = Log(Div(Mul(Mul(q[1], K(2.5066282746310002)), p[ALPHA]), p[PARETO_SCALE]));
  V t3 = Div(Mul(p[ALPHA], Square(common)), Sub(p[ALPHA], K(2)));
  V t4 = Square(Sub(Mul(p[ALPHA], common), q[0]));
  V sum = Sub(Add(Sub(t1, Reciprocal(p[ALPHA])), Div(Add(t3, t4), variance)), K(1));
  return Fill(sum, Le(p[ALPHA], K(2)), INFINITY);
}
KL(2, pareto_kl, {"td.pareto", pareto_pareto, 2}, {"td.exponential", pareto_exponential, 1},
   {"td.gamma", pareto_gamma, 2}, {"td.normal", pareto_normal, 2}, TO_INTERVALS, {"td.uniform", infinite_divergence, 2})

/* ---- Tables -------------------------------------------------------------------------------------------------------------------------------- */
static const td_str weibull_params[] = {TD_TEXT("scale"), TD_TEXT("concentration")};
static const td_str pareto_params[] = {TD_TEXT("scale"), TD_TEXT("alpha")};
static const td_str generalized_params[] = {TD_TEXT("loc"), TD_TEXT("scale"), TD_TEXT("concentration")};
static const td_str kumaraswamy_params[] = {TD_TEXT("concentration1"), TD_TEXT("concentration0")};
static const td_distribution_param positive[] = {POSITIVE_PARAM, POSITIVE_PARAM};
static const td_distribution_param generalized_rules[] = {REAL_PARAM, POSITIVE_PARAM, REAL_PARAM};

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
static const td_distribution_type generalized_pareto_type = {
    BENT("td.generalized_pareto", "GeneralizedPareto", generalized_pareto, generalized_params, generalized_rules,
         TD_CONSTRAINT_OWN, generalized_pareto),
    .support_name = TD_TEXT("Interval(lower_bound=loc, upper_bound=loc - scale / concentration)"),
    .within = generalized_pareto_within,
    .mode = generalized_pareto_mode,
    .variance = generalized_pareto_variance,
};
static const td_distribution_type kumaraswamy_type = {
    BENT("td.kumaraswamy", "Kumaraswamy", kumaraswamy, kumaraswamy_params, positive, TD_CONSTRAINT_UNIT_INTERVAL,
         kumaraswamy),
    .mode = kumaraswamy_mode,
    .variance = kumaraswamy_variance,
};

static const td_plugin_type *const types[] = {&weibull_type.type, &pareto_type.type, &generalized_pareto_type.type,
                                              &kumaraswamy_type.type};
static const td_str schemas[] = {NO_CONFIG, NO_CONFIG, NO_CONFIG, NO_CONFIG};
PLUGIN("td.pareto", types, schemas)
