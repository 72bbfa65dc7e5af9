/* td.masked_categorical, td.masked_one_hot_categorical: torchrl's, where only the classes that `mask` (bool) or `indices`
 * allow are drawn. The config's "neg_inf" is the logit of the others, -inf unless it is given.
 *
 * SPDX-License-Identifier: MIT
 */
#include "../schema.h"
#include "classes.h"

enum { MASK = 2, INDICES };

typedef struct masked {
  double neg_inf;
} masked;

static td_status masked_create(const td_host *the_host, const td_config *config, void **self, td_error **err) {
  masked found = {-INFINITY};
  td_status s = the_host->config_double(config, text("neg_inf"), &found.neg_inf, err);
  if (s != TD_OK) return s;
  masked *made = malloc(sizeof *made);
  if (!made) return TD_ERR_OOM;
  *made = found;
  *self = made;
  return TD_OK;
}
static double least_logit(const workspace *work) {
  return ((const masked *)work->self)->neg_inf;
}

static Value refused_classes(workspace *work, const Value *p, Value like) {
  if (given(p[MASK])) return Not(p[MASK]);
  Value ones = call2(work, OP_like, OnesLike(p[INDICES]), like), index = p[INDICES];
  return Eq(call4(work, OP_scatter_add, ZerosLike(like), Integer(-1), to_int64(work, index), ones), Number(0));
}
/* Of the allowed classes alone. */
static Value allowed_logits(workspace *work, const Value *p) {
  Value logits = normal_logits(work, p);
  return take_off_logsumexp(work, Fill(logits, refused_classes(work, p, logits), -INFINITY));
}
static Value masked_logits(workspace *work, const Value *p) {
  Value logits = given(p[LOGITS]) ? p[LOGITS] : allowed_logits(work, p);
  return take_off_logsumexp(work, Fill(logits, refused_classes(work, p, logits), least_logit(work)));
}
static Value masked_probs(workspace *work, const Value *p) {
  return Exp(masked_logits(work, p));
}

STAT(4, masked_enumerate) {
  return all_classes(work, masked_logits(work, p));
}
VALUE(4, masked_within) {
  return within_classes(work, x, size_of(work, masked_logits(work, p), 1));
}
DRAW(4, masked_sample) {
  return draw_indices(work, masked_probs(work, p), work->dims, work->ndim);
}
VALUE(4, masked_log_prob) {
  return log_mass(work, masked_logits(work, p), x);
}
STAT(4, masked_mean) {
  return not_a_number(work, masked_logits(work, p));
}
STAT(4, masked_mode) {
  return argmax_last(work, masked_logits(work, p));
}
STAT(4, masked_entropy) {
  Value logits = allowed_logits(work, p);
  return entropy_of(work, logits, Exp(logits));
}
DRAW(4, masked_one_hot_sample) {
  Value probs = masked_probs(work, p);
  return one_hot_of(work, draw_indices(work, probs, work->dims, work->ndim), probs);
}
VALUE(4, masked_one_hot_log_prob) {
  return log_mass(work, masked_logits(work, p), argmax_last(work, x));
}
STAT(4, masked_one_hot_mode) {
  Value logits = masked_logits(work, p);
  return one_hot_of(work, argmax_last(work, logits), logits);
}

/* ---- Divergences: not to these types, whose neg_inf the other side cannot know ----------------------------------- */
static masses masked_masses(workspace *work, const Value *p) {
  return masses_of_logits(work, masked_logits(work, p));
}
FORMULA2(masked_plain) {
  return class_divergence(work, masked_masses(work, p), masses_of(work, q));
}
FORMULA2(masked_ordinal) {
  return class_divergence(work, masked_masses(work, p), masses_of_logits(work, ordinal_logits(work, q[0])));
}
KL(4, masked_kl, {"td.categorical", masked_plain, 2}, {"td.int_one_hot_categorical", masked_plain, 2},
   {"td.ordinal", masked_ordinal, 1}, {"td.one_hot_ordinal", masked_ordinal, 1})

/* ---- Tables ------------------------------------------------------------------------------------------------------ */
static const td_str masked_classes[] = {TD_TEXT("probs"), TD_TEXT("logits"), TD_TEXT("mask"), TD_TEXT("indices")};
static const td_distribution_param masked_rules[] = {
    CLASS_RULES, {TD_CONSTRAINT_NONE, 1, 2, 0, 0}, {TD_CONSTRAINT_NONE, 1, 2, 0, 0}};

static const td_distribution_type masked_type = {
    HEAD("td.masked_categorical", "MaskedCategorical", masked_classes, masked_rules),
    .create = masked_create,
    .support = TD_CONSTRAINT_OWN,
    .support_name = TD_TEXT("IntegerInterval(lower_bound=0, upper_bound=n-1)"),
    .within = masked_within,
    .traits = DISCRETE_MODE,
    .sample = masked_sample,
    .log_prob = masked_log_prob,
    .mean = masked_mean,
    .mode = masked_mode,
    .variance = masked_mean,
    .entropy = masked_entropy,
    .enumerate = masked_enumerate,
    .kl = masked_kl,
};
static const td_distribution_type masked_one_hot_type = {
    HEAD("td.masked_one_hot_categorical", "MaskedOneHotCategorical", masked_classes, masked_rules),
    .create = masked_create,
    .support = TD_CONSTRAINT_ONE_HOT,
    .traits = DISCRETE_MODE,
    .event_shape = event_shape,
    .sample = masked_one_hot_sample,
    .log_prob = masked_one_hot_log_prob,
    .mode = masked_one_hot_mode,
    .entropy = masked_entropy,
    .kl = masked_kl,
};

static const td_plugin_type *const types[] = {&masked_type.type, &masked_one_hot_type.type};
/* clang-format off */
#define MASKED_CONFIG SCHEMA(REQUIRED(), MEMBER("neg_inf", "type": "number"))
static const td_str schemas[] = {MASKED_CONFIG, MASKED_CONFIG};
/* clang-format on */
PLUGIN("td.masked", types, schemas)
