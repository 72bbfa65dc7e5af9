/* td.relaxed_bernoulli, td.logit_relaxed_bernoulli, td.relaxed_one_hot_categorical, td.exp_relaxed_categorical: coin tosses and
 * choices of a class, softened by a temperature so that gradients flow through them, as torch.distributions has them.
 * Parameters are the temperature, then probs and logits, of which exactly one is given.
 *
 * SPDX-License-Identifier: MIT
 */
#include "../schema.h"
#include "classes.h"

/* ---- Tosses ---------------------------------------------------------------------------------------------------------------- */
static V clipped_sigmoid(work *w, V x) {
  return Clamp(Sigmoid(x), K(tiny_of(x)), K(1 - eps_of(x)));
}
static V logit_density(work *w, const V *p, V x) {
  V diff = Sub(logits_of(w, p + 1), Mul(x, p[0]));
  return Sub(Add(Log(p[0]), diff), Mul(Log1p(Exp(diff)), K(2)));
}

DRAW(3, logit_relaxed_bernoulli_rsample) {
  V probs = clamp_probs(w, to_draw(w, probs_of(w, p + 1), 0));
  V u = clamp_probs(w, standard_uniform(w, probs));
  V logit = Add(Sub(Log(u), Log1p(Neg(u))), Sub(Log(probs), Log1p(Neg(probs))));
  return Div(logit, p[0]);
}
VALUE(3, logit_relaxed_bernoulli_log_prob) {
  return logit_density(w, p, x);
}
DRAW(3, relaxed_bernoulli_rsample) {
  return clipped_sigmoid(w, logit_relaxed_bernoulli_rsample_formula(w, p));
}
VALUE(3, relaxed_bernoulli_log_prob) {
  V y = Clamp(x, K(tiny_of(x)), K(1 - eps_of(x))), z = Sub(Log(y), Log1p(Neg(y)));
  V slope = Sub(Neg(Softplus(Neg(z))), Softplus(z));
  return Sub(logit_density(w, p, z), slope);
}
STAT(3, relaxed_bernoulli_point) {
  V probs = probs_of(w, p + 1);
  return Fill(call2(w, OP_like, Ge(probs, K(0.5)), probs), Eq(probs, K(0.5)), NAN);
}

/* ---- Classes ---------------------------------------------------------------------------------------------------------------- */
static V exp_relaxed_density(work *w, const V *p, V x) {
  V logits = normal_logits(w, p + 1);
  const double k = (double)size_of(w, logits, 1);
  V scale = Add(Mul(Log(p[0]), K(k - 1)), K(lgamma(k)));
  return Add(SumLast(take_off_logsumexp(w, Sub(logits, Mul(x, Unsqueeze(p[0], -1))))), scale);
}

DRAW(3, exp_relaxed_rsample) {
  V logits = to_draw(w, normal_logits(w, p + 1), 1);
  V gumbels = Neg(Log(Neg(Log(clamp_probs(w, standard_uniform(w, logits))))));
  return take_off_logsumexp(w, Div(Add(logits, gumbels), Unsqueeze(p[0], -1)));
}
VALUE(3, exp_relaxed_log_prob) {
  return exp_relaxed_density(w, p, x);
}
DRAW(3, relaxed_rsample) {
  return Exp(exp_relaxed_rsample_formula(w, p));
}
VALUE(3, relaxed_log_prob) {
  V log_x = Log(x);
  return Sub(exp_relaxed_density(w, p, log_x), SumLast(log_x));
}
STAT(3, relaxed_point) {
  V probs = normal_probs(w, p + 1);
  return one_hot_of(w, argmax_last(w, probs), probs);
}
static td_status relaxed_event_shape(const void *self, td_tensor *const *params, int64_t *out, size_t capacity,
                                     size_t *ndim, td_error **err) {
  return event_shape(self, params + 1, out, capacity, ndim, err);
}

/* ---- Tables ------------------------------------------------------------------------------------------------------------------ */
static const td_str warm[] = {TD_TEXT("temperature"), TD_TEXT("probs"), TD_TEXT("logits")};
static const td_distribution_param toss_rules[] = {
    {TD_CONSTRAINT_NONE, 0, 0, 0, 0}, {TD_CONSTRAINT_UNIT_INTERVAL, 0, 1, 0, 0}, {TD_CONSTRAINT_REAL, 0, 1, 0, 0}};
static const td_distribution_param class_rules[] = {{TD_CONSTRAINT_NONE, 0, 0, 0, 0}, CLASS_RULES};

#define RELAXED(id, shown, name, rules, support_of_it)                                                      \
  HEAD(id, shown, warm, rules), .create = create_plain, .support = support_of_it, .sample = name##_rsample, \
                                .rsample = name##_rsample, .log_prob = name##_log_prob

static const td_distribution_type relaxed_bernoulli_type = {
    RELAXED("td.relaxed_bernoulli", "RelaxedBernoulli", relaxed_bernoulli, toss_rules, TD_CONSTRAINT_UNIT_INTERVAL),
    .deterministic = relaxed_bernoulli_point,
};
static const td_distribution_type logit_relaxed_bernoulli_type = {
    RELAXED("td.logit_relaxed_bernoulli", "LogitRelaxedBernoulli", logit_relaxed_bernoulli, toss_rules,
            TD_CONSTRAINT_REAL),
};
static const td_distribution_type relaxed_type = {
    RELAXED("td.relaxed_one_hot_categorical", "RelaxedOneHotCategorical", relaxed, class_rules, TD_CONSTRAINT_SIMPLEX),
    .event_shape = relaxed_event_shape,
    .deterministic = relaxed_point,
};
static const td_distribution_type exp_relaxed_type = {
    RELAXED("td.exp_relaxed_categorical", "ExpRelaxedCategorical", exp_relaxed, class_rules, TD_CONSTRAINT_REAL),
    .event_shape = relaxed_event_shape,
};

static const td_plugin_type *const types[] = {&relaxed_bernoulli_type.type, &logit_relaxed_bernoulli_type.type,
                                              &relaxed_type.type, &exp_relaxed_type.type};
static const td_str schemas[] = {NO_CONFIG, NO_CONFIG, NO_CONFIG, NO_CONFIG};
PLUGIN("td.relaxed", types, schemas)
