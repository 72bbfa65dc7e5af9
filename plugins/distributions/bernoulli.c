/* td.bernoulli, td.geometric, td.binomial, td.negative_binomial, td.poisson:
 * coin tosses and counts of them, as torch.distributions has them. Where a type takes probs or logits, exactly one is
 * given; probs become logits by clamping to [eps, 1 - eps] of their dtype.
 *
 * SPDX-License-Identifier: MIT
 */
#include "../schema.h"
#include "family.h"

enum { PROBS, LOGITS };

/* ---- Bernoulli ----------------------------------------------------------------------------------------------------------- */
DRAW(2, bernoulli_sample) {
  return draw1(w, OP_bernoulli, to_draw(w, probs_of(w, p), 0));
}
VALUE(2, bernoulli_log_prob) {
  return Neg(bce(w, logits_of(w, p), x));
}
STAT(2, bernoulli_mean) {
  return probs_of(w, p);
}
STAT(2, bernoulli_mode) {
  V probs = probs_of(w, p);
  return Fill(call2(w, OP_like, Ge(probs, K(0.5)), probs), Eq(probs, K(0.5)), NAN);
}
STAT(2, bernoulli_variance) {
  V probs = probs_of(w, p);
  return Mul(probs, Sub(K(1), probs));
}
STAT(2, bernoulli_entropy) {
  return bce(w, logits_of(w, p), probs_of(w, p));
}
STAT(2, bernoulli_enumerate) {
  return counting(w, given(p[PROBS]) ? p[PROBS] : p[LOGITS], 2);
}

/* ---- Geometric: failures before the first success --------------------------------------------------------------------------- */
DRAW(2, geometric_sample) {
  V probs = probs_of(w, p), u = draw_into(w, probs, OP_uniform_, tiny_of(probs), 1);
  return Floor(Div(Log(u), Log1p(Neg(probs))));
}
VALUE(2, geometric_log_prob) {
  V probs = probs_of(w, p);
  V certain = Fill(probs, And(Eq(probs, K(1)), Eq(x, K(0))), 0);
  return Add(Mul(x, Log1p(Neg(certain))), Log(probs));
}
STAT(2, geometric_mean) {
  return Sub(Reciprocal(probs_of(w, p)), K(1));
}
STAT(2, geometric_mode) {
  return ZerosLike(probs_of(w, p));
}
STAT(2, geometric_variance) {
  V probs = probs_of(w, p);
  return Div(Sub(Reciprocal(probs), K(1)), probs);
}
STAT(2, geometric_entropy) {
  V probs = probs_of(w, p);
  return Div(bce(w, logits_of(w, p), probs), probs);
}

/* ---- Binomial ------------------------------------------------------------------------------------------------------------------ */
enum { COUNT }; /* and from p + 1, probs and logits */

static V count_of(work *w, const V *p) {
  return call2(w, OP_like, p[COUNT], given(p[1 + PROBS]) ? p[1 + PROBS] : p[1 + LOGITS]);
}
static V above_zero(work *w, V x) {
  return Div(Sub(Add(Clamp(x, K(0), none), x), Clamp(x, none, K(0))), K(2));
}
static V binomial_log_mass(work *w, V n, V logits, V x) {
  V ways = Add(Lgamma(Add(x, K(1))), Lgamma(Add(Sub(n, x), K(1))));
  V norm = Add(Mul(n, above_zero(w, logits)), Mul(n, Log1p(Exp(Neg(Abs(logits))))));
  return Sub(Sub(Mul(x, logits), ways), Sub(norm, Lgamma(Add(n, K(1)))));
}
/* 0 .. n, if n is the same everywhere. */
static V common_range(work *w, V n, const char *message) {
  const double most = extreme(w, OP_amax, n), least = extreme(w, OP_amin, n);
  if (w->status == TD_OK && most != least) return fail(w, TD_ERR_UNSUPPORTED, message);
  return counting(w, n, (int64_t)most + 1);
}

DRAW(3, binomial_sample) {
  V args[] = {to_draw(w, count_of(w, p), 0), to_draw(w, probs_of(w, p + 1), 0)};
  return draw_with(w, OP_binomial, args, 2);
}
VALUE(3, binomial_log_prob) {
  return binomial_log_mass(w, count_of(w, p), logits_of(w, p + 1), x);
}
STAT(3, binomial_mean) {
  return Mul(count_of(w, p), probs_of(w, p + 1));
}
STAT(3, binomial_mode) {
  V n = count_of(w, p), top = Floor(Mul(Add(n, K(1)), probs_of(w, p + 1)));
  return call2(w, OP_minimum, top, n);
}
STAT(3, binomial_variance) {
  V probs = probs_of(w, p + 1);
  return Mul(Mul(count_of(w, p), probs), Sub(K(1), probs));
}
STAT(3, binomial_enumerate) {
  return common_range(w, count_of(w, p), "Inhomogeneous total count not supported by `enumerate_support`.");
}
STAT(3, binomial_entropy) {
  static const int64_t first = 0;
  V n = count_of(w, p), logits = logits_of(w, p + 1);
  V values = common_range(w, n, "Inhomogeneous total count not supported by `entropy`.");
  int64_t dims[MAX_DIMS];
  const size_t ndim = shape_of(w, n, dims);
  for (size_t i = 0; i < ndim; ++i) values = Unsqueeze(values, -1);
  V log_mass = binomial_log_mass(w, n, logits, values);
  return Neg(call2(w, OP_sum, Mul(Exp(log_mass), log_mass), ints(&first, 1)));
}
VALUE(3, binomial_within) {
  V whole = Eq(call2(w, OP_remainder, x, K(1)), K(0));
  return And(And(whole, Ge(x, K(0))), Le(x, p[COUNT]));
}

/* ---- NegativeBinomial: successes before total_count failures --------------------------------------------------------------------- */
DRAW(3, negative_binomial_sample) {
  V rate = gamma_draw(w, count_of(w, p), Exp(Neg(logits_of(w, p + 1))));
  return draw1(w, OP_poisson, rate);
}
VALUE(3, negative_binomial_log_prob) {
  V n = count_of(w, p), logits = logits_of(w, p + 1), both = Add(n, x);
  V mass = Add(Mul(n, call1(w, OP_log_sigmoid, Neg(logits))), Mul(x, call1(w, OP_log_sigmoid, logits)));
  V norm = Add(Add(Neg(Lgamma(both)), Lgamma(Add(x, K(1)))), Lgamma(n));
  return Sub(mass, Fill(norm, Eq(both, K(0)), 0));
}
STAT(3, negative_binomial_mean) {
  return Mul(count_of(w, p), Exp(logits_of(w, p + 1)));
}
STAT(3, negative_binomial_mode) {
  return Clamp(Floor(Mul(Sub(count_of(w, p), K(1)), Exp(logits_of(w, p + 1)))), K(0), none);
}
STAT(3, negative_binomial_variance) {
  V logits = logits_of(w, p + 1);
  return Div(Mul(count_of(w, p), Exp(logits)), Sigmoid(Neg(logits)));
}

/* ---- Poisson -------------------------------------------------------------------------------------------------------------------------- */
DRAW(1, poisson_sample) {
  return draw1(w, OP_poisson, to_draw(w, p[0], 0));
}
VALUE(1, poisson_log_prob) {
  return Sub(Sub(Xlogy(x, p[0]), p[0]), Lgamma(Add(x, K(1))));
}
STAT(1, poisson_mean) {
  return p[0];
}
STAT(1, poisson_mode) {
  return Floor(p[0]);
}

/* ---- Divergences -------------------------------------------------------------------------------------------------------------------------- */
FORMULA2(bernoulli_bernoulli) {
  V pp = probs_of(w, p), qp = probs_of(w, q), pl = logits_of(w, p), ql = logits_of(w, q);
  V t1 = Mul(pp, Sub(Softplus(Neg(ql)), Softplus(Neg(pl))));
  t1 = Fill(Fill(t1, Eq(qp, K(0)), INFINITY), Eq(pp, K(0)), 0);
  V t2 = Mul(Sub(K(1), pp), Sub(Softplus(ql), Softplus(pl)));
  t2 = Fill(Fill(t2, Eq(qp, K(1)), INFINITY), Eq(pp, K(1)), 0);
  return Add(t1, t2);
}
FORMULA2(bernoulli_poisson) {
  V mass = Sub(Mul(probs_of(w, p), Log(q[0])), q[0]);
  return Sub(Neg(bernoulli_entropy_formula(w, p)), mass);
}
FORMULA2(geometric_geometric) {
  V tail = Div(Log1p(Neg(probs_of(w, q))), probs_of(w, p));
  return Sub(Sub(Neg(geometric_entropy_formula(w, p)), tail), logits_of(w, q));
}
FORMULA2(binomial_binomial) {
  V n = count_of(w, p), m = count_of(w, q), pp = probs_of(w, p + 1);
  if (extreme(w, OP_amin, Sub(n, m)) < 0)
    return fail(w, TD_ERR_UNSUPPORTED, "KL between Binomials where q.total_count > p.total_count is not implemented");
  V each = Add(Mul(pp, Sub(logits_of(w, p + 1), logits_of(w, q + 1))), Log1p(Neg(pp)));
  return Fill(Mul(n, Sub(each, Log1p(Neg(probs_of(w, q + 1))))), Gt(n, m), INFINITY);
}
FORMULA2(poisson_poisson) {
  return Sub(Mul(p[0], Sub(Log(p[0]), Log(q[0]))), Sub(p[0], q[0]));
}
KL(2, bernoulli_kl, {"td.bernoulli", bernoulli_bernoulli, 2}, {"td.poisson", bernoulli_poisson, 1})
KL(2, geometric_kl, {"td.geometric", geometric_geometric, 2})
KL(3, binomial_kl, {"td.binomial", binomial_binomial, 3})
KL(1, poisson_kl, {"td.poisson", poisson_poisson, 1}, {"td.bernoulli", infinite_divergence, 2},
   {"td.binomial", infinite_divergence, 3})
/* ---- Tables ----------------------------------------------------------------------------------------------------------------------------------- */
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
