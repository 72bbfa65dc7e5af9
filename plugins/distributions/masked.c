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
static double least_logit(const work *w) {
  return ((const masked *)w->self)->neg_inf;
}

static V refused_classes(work *w, const V *p, V like) {
  if (given(p[MASK])) return Not(p[MASK]);
  V ones = call2(w, OP_like, OnesLike(p[INDICES]), like), index = p[INDICES];
  return Eq(call4(w, OP_scatter_add, ZerosLike(like), I(-1), to_int64(w, index), ones), K(0));
}
/* Of the allowed classes alone. */
static V allowed_logits(work *w, const V *p) {
  V logits = normal_logits(w, p);
  return take_off_logsumexp(w, Fill(logits, refused_classes(w, p, logits), -INFINITY));
}
static V masked_logits(work *w, const V *p) {
  V logits = given(p[LOGITS]) ? p[LOGITS] : allowed_logits(w, p);
  return take_off_logsumexp(w, Fill(logits, refused_classes(w, p, logits), least_logit(w)));
}
static V masked_probs(work *w, const V *p) {
  return Exp(masked_logits(w, p));
}

STAT(4, masked_enumerate) {
  return all_classes(w, masked_logits(w, p));
}
VALUE(4, masked_within) {
  return within_classes(w, x, size_of(w, masked_logits(w, p), 1));
}
DRAW(4, masked_sample) {
  return draw_indices(w, masked_probs(w, p), w->dims, w->ndim);
}
VALUE(4, masked_log_prob) {
  return log_mass(w, masked_logits(w, p), x);
}
STAT(4, masked_mean) {
  return not_a_number(w, masked_logits(w, p));
}
STAT(4, masked_mode) {
  return argmax_last(w, masked_logits(w, p));
}
STAT(4, masked_entropy) {
  V logits = allowed_logits(w, p);
  return disorder(w, logits, Exp(logits));
}
DRAW(4, masked_one_hot_sample) {
  V probs = masked_probs(w, p);
  return one_hot_of(w, draw_indices(w, probs, w->dims, w->ndim), probs);
}
VALUE(4, masked_one_hot_log_prob) {
  return log_mass(w, masked_logits(w, p), argmax_last(w, x));
}
STAT(4, masked_one_hot_mode) {
  V logits = masked_logits(w, p);
  return one_hot_of(w, argmax_last(w, logits), logits);
}

/* ---- Divergences: not to these types, whose neg_inf the other side cannot know ------------------------------------------- */
static masses masked_masses(work *w, const V *p) {
  return masses_of_logits(w, masked_logits(w, p));
}
FORMULA2(masked_plain) {
  return class_divergence(w, masked_masses(w, p), masses_of(w, q));
}
FORMULA2(masked_ordinal) {
  return class_divergence(w, masked_masses(w, p), masses_of_logits(w, ordinal_logits(w, q[0])));
}
KL(4, masked_kl, {"td.categorical", masked_plain, 2}, {"td.int_one_hot_categorical", masked_plain, 2},
   {"td.ordinal", masked_ordinal, 1}, {"td.one_hot_ordinal", masked_ordinal, 1})

/* ---- Tables -------------------------------------------------------------------------------------------------------------- */
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
