/* td.relaxed_bernoulli, td.logit_relaxed_bernoulli, td.relaxed_one_hot_categorical, td.exp_relaxed_categorical: coin tosses and
 * choices of a class, softened by a temperature so that gradients flow through them, as torch.distributions has them.
 * Parameters are the temperature, then probs and logits, of which exactly one is given.
 *
 * SPDX-License-Identifier: MIT
 */
#include "../schema.h"
#include "classes.h"

/* ---- Tosses ------------------------------------------------------------------------------------------------------ */
static Value clipped_sigmoid(workspace *work, Value x) {
  return Clamp(Sigmoid(x), Number(tiny_of(x)), Number(1 - eps_of(x)));
}
static Value logit_density(workspace *work, const Value *p, Value x) {
  Value diff = Sub(logits_of(work, p + 1), Mul(x, p[0]));
  return Sub(Add(Log(p[0]), diff), Mul(Log1p(Exp(diff)), Number(2)));
}

DRAW(3, logit_relaxed_bernoulli_rsample) {
  Value probs = clamp_probs(work, to_draw(work, probs_of(work, p + 1), 0));
  Value u = clamp_probs(work, standard_uniform(work, probs));
  Value logit = Add(Sub(Log(u), Log1p(Neg(u))), Sub(Log(probs), Log1p(Neg(probs))));
  return Div(logit, p[0]);
}
VALUE(3, logit_relaxed_bernoulli_log_prob) {
  return logit_density(work, p, x);
}
DRAW(3, relaxed_bernoulli_rsample) {
  return clipped_sigmoid(work, logit_relaxed_bernoulli_rsample_formula(work, p));
}
VALUE(3, relaxed_bernoulli_log_prob) {
  Value y = Clamp(x, Number(tiny_of(x)), Number(1 - eps_of(x))), z = Sub(Log(y), Log1p(Neg(y)));
  Value slope = Sub(Neg(Softplus(Neg(z))), Softplus(z));
  return Sub(logit_density(work, p, z), slope);
}
STAT(3, relaxed_bernoulli_point) {
  Value probs = probs_of(work, p + 1);
  return Fill(call2(work, OP_like, Ge(probs, Number(0.5)), probs), Eq(probs, Number(0.5)), NAN);
}

/* ---- Classes ----------------------------------------------------------------------------------------------------- */
static Value exp_relaxed_density(workspace *work, const Value *p, Value x) {
  Value logits = normal_logits(work, p + 1);
  const double k = (double)size_of(work, logits, 1);
  Value scale = Add(Mul(Log(p[0]), Number(k - 1)), Number(lgamma(k)));
  return Add(SumLast(take_off_logsumexp(work, Sub(logits, Mul(x, Unsqueeze(p[0], -1))))), scale);
}

DRAW(3, exp_relaxed_rsample) {
  Value logits = to_draw(work, normal_logits(work, p + 1), 1);
  Value gumbels = Neg(Log(Neg(Log(clamp_probs(work, standard_uniform(work, logits))))));
  return take_off_logsumexp(work, Div(Add(logits, gumbels), Unsqueeze(p[0], -1)));
}
VALUE(3, exp_relaxed_log_prob) {
  return exp_relaxed_density(work, p, x);
}
DRAW(3, relaxed_rsample) {
  return Exp(exp_relaxed_rsample_formula(work, p));
}
VALUE(3, relaxed_log_prob) {
  Value log_x = Log(x);
  return Sub(exp_relaxed_density(work, p, log_x), SumLast(log_x));
}
STAT(3, relaxed_point) {
  Value probs = normal_probs(work, p + 1);
  return one_hot_of(work, argmax_last(work, probs), probs);
}
static td_status relaxed_event_shape(const void *self, td_tensor *const *params, int64_t *out, size_t capacity,
                                     size_t *ndim, td_error **err) {
  return event_shape(self, params + 1, out, capacity, ndim, err);
}

/* ---- Tables ------------------------------------------------------------------------------------------------------ */
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
