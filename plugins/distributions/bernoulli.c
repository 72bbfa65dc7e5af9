/* td.bernoulli, td.geometric, td.binomial, td.negative_binomial, td.poisson:
 * coin tosses and counts of them, as torch.distributions has them. Where a type takes probs or logits, exactly one is
 * given; probs become logits by clamping to [eps, 1 - eps] of their dtype.
 *
 * SPDX-License-Identifier: MIT
 */
#include "../schema.h"
#include "family.h"

enum { PROBS, LOGITS };

/* ---- Bernoulli --------------------------------------------------------------------------------------------------- */
DRAW(2, bernoulli_sample) {
  return draw1(work, OP_bernoulli, to_draw(work, probs_of(work, p), 0));
}
VALUE(2, bernoulli_log_prob) {
  return Neg(bce(work, logits_of(work, p), x));
}
STAT(2, bernoulli_mean) {
  return probs_of(work, p);
}
STAT(2, bernoulli_mode) {
  Value probs = probs_of(work, p);
  return Fill(call2(work, OP_like, Ge(probs, Number(0.5)), probs), Eq(probs, Number(0.5)), NAN);
}
STAT(2, bernoulli_variance) {
  Value probs = probs_of(work, p);
  return Mul(probs, Sub(Number(1), probs));
}
STAT(2, bernoulli_entropy) {
  return bce(work, logits_of(work, p), probs_of(work, p));
}
STAT(2, bernoulli_enumerate) {
  return counting(work, given(p[PROBS]) ? p[PROBS] : p[LOGITS], 2);
}

/* ---- Geometric: failures before the first success ---------------------------------------------------------------- */
DRAW(2, geometric_sample) {
  Value probs = probs_of(work, p), u = draw_into(work, probs, OP_uniform_, tiny_of(probs), 1);
  return Floor(Div(Log(u), Log1p(Neg(probs))));
}
VALUE(2, geometric_log_prob) {
  Value probs = probs_of(work, p);
  Value certain = Fill(probs, And(Eq(probs, Number(1)), Eq(x, Number(0))), 0);
  return Add(Mul(x, Log1p(Neg(certain))), Log(probs));
}
STAT(2, geometric_mean) {
  return Sub(Reciprocal(probs_of(work, p)), Number(1));
}
STAT(2, geometric_mode) {
  return ZerosLike(probs_of(work, p));
}
STAT(2, geometric_variance) {
  Value probs = probs_of(work, p);
  return Div(Sub(Reciprocal(probs), Number(1)), probs);
}
STAT(2, geometric_entropy) {
  Value probs = probs_of(work, p);
  return Div(bce(work, logits_of(work, p), probs), probs);
}

/* ---- Binomial ---------------------------------------------------------------------------------------------------- */
enum { COUNT }; /* and from p + 1, probs and logits */

static Value count_of(workspace *work, const Value *p) {
  return call2(work, OP_like, p[COUNT], given(p[1 + PROBS]) ? p[1 + PROBS] : p[1 + LOGITS]);
}
static Value above_zero(workspace *work, Value x) {
  return Div(Sub(Add(Clamp(x, Number(0), none), x), Clamp(x, none, Number(0))), Number(2));
}
static Value binomial_log_mass(workspace *work, Value n, Value logits, Value x) {
  Value ways = Add(Lgamma(Add(x, Number(1))), Lgamma(Add(Sub(n, x), Number(1))));
  Value norm = Add(Mul(n, above_zero(work, logits)), Mul(n, Log1p(Exp(Neg(Abs(logits))))));
  return Sub(Sub(Mul(x, logits), ways), Sub(norm, Lgamma(Add(n, Number(1)))));
}
/* 0 .. n, if n is the same everywhere. */
static Value common_range(workspace *work, Value n, const char *message) {
  const double most = extreme(work, OP_amax, n), least = extreme(work, OP_amin, n);
  if (work->status == TD_OK && most != least) return fail(work, TD_ERR_UNSUPPORTED, message);
  return counting(work, n, (int64_t)most + 1);
}

DRAW(3, binomial_sample) {
  Value args[] = {to_draw(work, count_of(work, p), 0), to_draw(work, probs_of(work, p + 1), 0)};
  return draw_with(work, OP_binomial, args, 2);
}
VALUE(3, binomial_log_prob) {
  return binomial_log_mass(work, count_of(work, p), logits_of(work, p + 1), x);
}
STAT(3, binomial_mean) {
  return Mul(count_of(work, p), probs_of(work, p + 1));
}
STAT(3, binomial_mode) {
  Value n = count_of(work, p), top = Floor(Mul(Add(n, Number(1)), probs_of(work, p + 1)));
  return call2(work, OP_minimum, top, n);
}
STAT(3, binomial_variance) {
  Value probs = probs_of(work, p + 1);
  return Mul(Mul(count_of(work, p), probs), Sub(Number(1), probs));
}
STAT(3, binomial_enumerate) {
  return common_range(work, count_of(work, p), "Inhomogeneous total count not supported by `enumerate_support`.");
}
STAT(3, binomial_entropy) {
  static const int64_t first = 0;
  Value n = count_of(work, p), logits = logits_of(work, p + 1);
  Value values = common_range(work, n, "Inhomogeneous total count not supported by `entropy`.");
  int64_t dims[MAX_DIMS];
  const size_t ndim = shape_of(work, n, dims);
  for (size_t i = 0; i < ndim; ++i) values = Unsqueeze(values, -1);
  Value log_mass = binomial_log_mass(work, n, logits, values);
  return Neg(call2(work, OP_sum, Mul(Exp(log_mass), log_mass), ints(&first, 1)));
}
VALUE(3, binomial_within) {
  Value whole = Eq(call2(work, OP_remainder, x, Number(1)), Number(0));
  return And(And(whole, Ge(x, Number(0))), Le(x, p[COUNT]));
}

/* ---- NegativeBinomial: successes before total_count failures ----------------------------------------------------- */
DRAW(3, negative_binomial_sample) {
  Value rate = gamma_draw(work, count_of(work, p), Exp(Neg(logits_of(work, p + 1))));
  return draw1(work, OP_poisson, rate);
}
VALUE(3, negative_binomial_log_prob) {
  Value n = count_of(work, p), logits = logits_of(work, p + 1), both = Add(n, x);
  Value mass = Add(Mul(n, call1(work, OP_log_sigmoid, Neg(logits))), Mul(x, call1(work, OP_log_sigmoid, logits)));
  Value norm = Add(Add(Neg(Lgamma(both)), Lgamma(Add(x, Number(1)))), Lgamma(n));
  return Sub(mass, Fill(norm, Eq(both, Number(0)), 0));
}
STAT(3, negative_binomial_mean) {
  return Mul(count_of(work, p), Exp(logits_of(work, p + 1)));
}
STAT(3, negative_binomial_mode) {
  return Clamp(Floor(Mul(Sub(count_of(work, p), Number(1)), Exp(logits_of(work, p + 1)))), Number(0), none);
}
STAT(3, negative_binomial_variance) {
  Value logits = logits_of(work, p + 1);
  return Div(Mul(count_of(work, p), Exp(logits)), Sigmoid(Neg(logits)));
}

/* ---- Poisson ----------------------------------------------------------------------------------------------------- */
DRAW(1, poisson_sample) {
  return draw1(work, OP_poisson, to_draw(work, p[0], 0));
}
VALUE(1, poisson_log_prob) {
  return Sub(Sub(Xlogy(x, p[0]), p[0]), Lgamma(Add(x, Number(1))));
}
STAT(1, poisson_mean) {
  return p[0];
}
STAT(1, poisson_mode) {
  return Floor(p[0]);
}

/* ---- Divergences ------------------------------------------------------------------------------------------------- */
FORMULA2(bernoulli_bernoulli) {
  Value pp = probs_of(work, p), qp = probs_of(work, q), pl = logits_of(work, p), ql = logits_of(work, q);
  Value t1 = Mul(pp, Sub(Softplus(Neg(ql)), Softplus(Neg(pl))));
  t1 = Fill(Fill(t1, Eq(qp, Number(0)), INFINITY), Eq(pp, Number(0)), 0);
  Value t2 = Mul(Sub(Number(1), pp), Sub(Softplus(ql), Softplus(pl)));
  t2 = Fill(Fill(t2, Eq(qp, Number(1)), INFINITY), Eq(pp, Number(1)), 0);
  return Add(t1, t2);
}
FORMULA2(bernoulli_poisson) {
  Value mass = Sub(Mul(probs_of(work, p), Log(q[0])), q[0]);
  return Sub(Neg(bernoulli_entropy_formula(work, p)), mass);
}
FORMULA2(geometric_geometric) {
  Value tail = Div(Log1p(Neg(probs_of(work, q))), probs_of(work, p));
  return Sub(Sub(Neg(geometric_entropy_formula(work, p)), tail), logits_of(work, q));
}
FORMULA2(binomial_binomial) {
  Value n = count_of(work, p), m = count_of(work, q), pp = probs_of(work, p + 1);
  if (extreme(work, OP_amin, Sub(n, m)) < 0)
    return fail(work, TD_ERR_UNSUPPORTED,
                "KL between Binomials where q.total_count > p.total_count is not implemented");
  Value each = Add(Mul(pp, Sub(logits_of(work, p + 1), logits_of(work, q + 1))), Log1p(Neg(pp)));
  return Fill(Mul(n, Sub(each, Log1p(Neg(probs_of(work, q + 1))))), Gt(n, m), INFINITY);
}
FORMULA2(poisson_poisson) {
  return Sub(Mul(p[0], Sub(Log(p[0]), Log(q[0]))), Sub(p[0], q[0]));
}
KL(2, bernoulli_kl, {"td.bernoulli", bernoulli_bernoulli, 2}, {"td.poisson", bernoulli_poisson, 1})
KL(2, geometric_kl, {"td.geometric", geometric_geometric, 2})
KL(3, binomial_kl, {"td.binomial", binomial_binomial, 3})
KL(1, poisson_kl, {"td.poisson", poisson_poisson, 1}, {"td.bernoulli", infinite_divergence, 2},
   {"td.binomial", infinite_divergence, 3})
/* ---- Tables ------------------------------------------------------------------------------------------------------ */
static const td_str coin[] = {TD_TEXT("probs"), TD_TEXT("logits")}, rate_only[] = {TD_TEXT("rate")};
static const td_str counted_coin[] = {TD_TEXT("total_count"), TD_TEXT("probs"), TD_TEXT("logits")};

#define ONE_OF_PROBS \
  { TD_CONSTRAINT_UNIT_INTERVAL, 0, 1, 0, 0 }
#define ONE_OF_LOGITS \
  { TD_CONSTRAINT_REAL, 0, 1, 0, 0 }
static const td_distribution_param coin_rules[] = {ONE_OF_PROBS, ONE_OF_LOGITS};
static const td_distribution_param geometric_rules[] = {{TD_CONSTRAINT_POSITIVE_PROBABILITY, 0, 1, 0, 0},
                                                        ONE_OF_LOGITS};
static const td_distribution_param binomial_rules[] = {
    {TD_CONSTRAINT_NONNEGATIVE_INTEGER, 0, 0, TD_PARAM_OPTIONAL, 1}, ONE_OF_PROBS, ONE_OF_LOGITS};
static const td_distribution_param negative_binomial_rules[] = {
    {TD_CONSTRAINT_NONNEGATIVE, 0, 0, 0, 0}, {TD_CONSTRAINT_HALF_OPEN_INTERVAL, 0, 1, 0, 0}, ONE_OF_LOGITS};
static const td_distribution_param rate_rules[] = {{TD_CONSTRAINT_NONNEGATIVE, 0, 0, 0, 0}};

#define COUNTS(id, shown, name, params, rules, support_of_it, point)                                     \
  HEAD(id, shown, params, rules), .create = create_plain, .support = support_of_it,                      \
                                  .traits = TD_DISTRIBUTION_DISCRETE | (point), .sample = name##_sample, \
                                  .log_prob = name##_log_prob, .mean = name##_mean, .mode = name##_mode

static const td_distribution_type bernoulli_type = {
    COUNTS("td.bernoulli", "Bernoulli", bernoulli, coin, coin_rules, TD_CONSTRAINT_BOOLEAN,
           TD_DISTRIBUTION_POINT_IS_MODE),
    .variance = bernoulli_variance,
    .entropy = bernoulli_entropy,
    .enumerate = bernoulli_enumerate,
    .kl = bernoulli_kl,
};
static const td_distribution_type geometric_type = {
    COUNTS("td.geometric", "Geometric", geometric, coin, geometric_rules, TD_CONSTRAINT_NONNEGATIVE_INTEGER,
           TD_DISTRIBUTION_POINT_IS_MEAN),
    .variance = geometric_variance,
    .entropy = geometric_entropy,
    .kl = geometric_kl,
};
static const td_distribution_type binomial_type = {
    COUNTS("td.binomial", "Binomial", binomial, counted_coin, binomial_rules, TD_CONSTRAINT_OWN,
           TD_DISTRIBUTION_POINT_IS_MODE),
    .support_name = TD_TEXT("IntegerInterval(lower_bound=0, upper_bound=total_count)"),
    .within = binomial_within,
    .variance = binomial_variance,
    .entropy = binomial_entropy,
    .enumerate = binomial_enumerate,
    .kl = binomial_kl,
};
static const td_distribution_type negative_binomial_type = {
    COUNTS("td.negative_binomial", "NegativeBinomial", negative_binomial, counted_coin, negative_binomial_rules,
           TD_CONSTRAINT_NONNEGATIVE_INTEGER, TD_DISTRIBUTION_POINT_IS_MEAN),
    .variance = negative_binomial_variance,
};
static const td_distribution_type poisson_type = {
    COUNTS("td.poisson", "Poisson", poisson, rate_only, rate_rules, TD_CONSTRAINT_NONNEGATIVE_INTEGER,
           TD_DISTRIBUTION_POINT_IS_MEAN),
    .variance = poisson_mean,
    .kl = poisson_kl,
};

static const td_plugin_type *const types[] = {&bernoulli_type.type, &geometric_type.type, &binomial_type.type,
                                              &negative_binomial_type.type, &poisson_type.type};
static const td_str schemas[] = {NO_CONFIG, NO_CONFIG, NO_CONFIG, NO_CONFIG, NO_CONFIG};
PLUGIN("td.bernoulli", types, schemas)
