/* td.ordinal, td.one_hot_ordinal: torchrl's categorical distributions over classes in an order, of one parameter `scores`.
 * Tang and Agrawal, Discretizing Continuous Action Space for On-Policy Optimization, 2020, section 5.
 *
 * SPDX-License-Identifier: MIT
 */
#include "../schema.h"
#include "classes.h"

DRAW(1, ordinal_sample) {
  return draw_indices(work, Exp(ordinal_logits(work, p[0])), work->dims, work->ndim);
}
VALUE(1, ordinal_log_prob) {
  return log_mass(work, ordinal_logits(work, p[0]), x);
}
STAT(1, ordinal_mean) {
  return not_a_number(work, p[0]);
}
STAT(1, ordinal_mode) {
  return argmax_last(work, ordinal_logits(work, p[0]));
}
STAT(1, ordinal_entropy) {
  Value logits = ordinal_logits(work, p[0]);
  return entropy_of(work, logits, Exp(logits));
}
STAT(1, ordinal_enumerate) {
  return all_classes(work, p[0]);
}
VALUE(1, ordinal_within) {
  return within_classes(work, x, size_of(work, p[0], 1));
}

DRAW(1, one_hot_ordinal_sample) {
  Value probs = Exp(ordinal_logits(work, p[0]));
  return one_hot_of(work, draw_indices(work, probs, work->dims, work->ndim), probs);
}
VALUE(1, one_hot_ordinal_log_prob) {
  return log_mass(work, ordinal_logits(work, p[0]), argmax_last(work, x));
}
STAT(1, one_hot_ordinal_mode) {
  Value logits = ordinal_logits(work, p[0]);
  return one_hot_of(work, argmax_last(work, logits), logits);
}

/* ---- Divergences ------------------------------------------------------------------------------------------------- */
static masses ordinal_masses(workspace *work, const Value *p) {
  return masses_of_logits(work, ordinal_logits(work, p[0]));
}
FORMULA2(ordinal_ordinal) {
  return class_divergence(work, ordinal_masses(work, p), ordinal_masses(work, q));
}
FORMULA2(ordinal_plain) {
  return class_divergence(work, ordinal_masses(work, p), masses_of(work, q));
}
KL(1, ordinal_kl, {"td.ordinal", ordinal_ordinal, 1}, {"td.one_hot_ordinal", ordinal_ordinal, 1},
   {"td.categorical", ordinal_plain, 2}, {"td.int_one_hot_categorical", ordinal_plain, 2})

/* ---- Tables ------------------------------------------------------------------------------------------------------ */
static const td_str scores[] = {TD_TEXT("scores")};
static const td_distribution_param score_rules[] = {{TD_CONSTRAINT_LOG_NORMALIZED, 1, 0, 0, 0}};

#define ORDERED(id, shown, name)                                                                                      \
  HEAD(id, shown, scores, score_rules), .create = create_plain, .traits = DISCRETE_MODE, .sample = name##_sample,     \
                                        .log_prob = name##_log_prob, .mode = name##_mode, .entropy = ordinal_entropy, \
                                        .mean = ordinal_mean, .variance = ordinal_mean, .kl = ordinal_kl

static const td_distribution_type ordinal_type = {
    ORDERED("td.ordinal", "Ordinal", ordinal),
    .support = TD_CONSTRAINT_OWN,
    .support_name = TD_TEXT("IntegerInterval(lower_bound=0, upper_bound=n-1)"),
    .within = ordinal_within,
    .enumerate = ordinal_enumerate,
};
static td_status scores_event_shape(const void *self, td_tensor *const *params, int64_t *out, size_t capacity,
                                    size_t *ndim, td_error **err) {
  return last_dim(self, params[0], out, capacity, ndim, err);
}
static const td_distribution_type one_hot_ordinal_type = {
    ORDERED("td.one_hot_ordinal", "OneHotOrdinal", one_hot_ordinal),
    .support = TD_CONSTRAINT_ONE_HOT,
    .event_shape = scores_event_shape,
};

static const td_plugin_type *const types[] = {&ordinal_type.type, &one_hot_ordinal_type.type};
static const td_str schemas[] = {NO_CONFIG, NO_CONFIG};
PLUGIN("td.ordinal", types, schemas)
