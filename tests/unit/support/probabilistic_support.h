/* Helpers of the tests of probabilistic modules: normal distributions over a dict with "loc" and "scale". */
#ifndef PROBABILISTIC_SUPPORT_H
#define PROBABILISTIC_SUPPORT_H

#include "support/sequence_support.h"

#define LOG_OF_NORMAL -0.91893853320467274178 /* of a unit normal at its mean */

#define IN(...) ((const char *const[]){__VA_ARGS__}), (sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

/* Of names that are read as "a" or "a.b". */
typedef struct key_list {
  char text[8][32];
  td_str parts[8][2];
  td_key keys[8];
  size_t n;
} key_list;
static inline key_list *keys_from(key_list *list, const char *const *names, size_t n) {
  list->n = n;
  for (size_t i = 0; i < n; ++i) {
    snprintf(list->text[i], sizeof list->text[i], "%s", names[i]);
    char *dot = strchr(list->text[i], '.');
    if (dot) *dot = '\0';
    list->parts[i][0] = TD_STR(list->text[i]);
    list->parts[i][1] = TD_STR(dot ? dot + 1 : NULL);
    list->keys[i] = (td_key){list->parts[i], dot ? 2 : 1};
  }
  return list;
}

static inline td_probabilistic_options prob_options(td_interaction type, int return_log_prob) {
  td_probabilistic_options o = TD_PROBABILISTIC_OPTIONS_INIT;
  o.default_interaction = type;
  o.return_log_prob = return_log_prob != 0;
  return o;
}

/* ["loc", "scale"] -> out */
static inline td_module *normal_module(const char *out, const td_probabilistic_options *options) {
  key_list in, outs;
  td_module *m = NULL;
  keys_from(&in, IN("loc", "scale"));
  keys_from(&outs, &out, 1);
  must(td_module_probabilistic(TD_STR("td.normal"), TD_NO_STR, in.keys, 2, outs.keys, 1, options, &m, &err));
  return m;
}

/* {"loc": `loc`, "scale": 1} -> out, of a unit scale that is no entry */
static inline td_module *unit_normal(const char *loc, const char *out, td_interaction type, int return_log_prob) {
  td_probabilistic_options o = prob_options(type, return_log_prob);
  td_str name = TD_STR("loc");
  td_dict *params = dict(TD_NO_DIMS);
  td_tensor *one;
  must(td_tensor_full(TD_NO_DIMS, TD_VALUE(td_value_double(1)), TD_DTYPE_FLOAT32, TD_NO_STR, &one, &err));
  put(params, TD_KEY("scale"), one);
  o.param_names = &name;
  o.params = params;
  td_module *m = NULL;
  must(td_module_probabilistic(TD_STR("td.normal"), TD_NO_STR, TD_KEY(loc), 1, TD_KEY(out), 1, &o, &m, &err));
  td_dict_release(params);
  return m;
}

static inline td_tensor *full(double value, const int64_t *dims, size_t ndim) {
  td_tensor *t;
  must(td_tensor_full(dims, ndim, TD_VALUE(td_value_double(value)), TD_DTYPE_FLOAT32, TD_NO_STR, &t, &err));
  return t;
}

/* Batch [3], "loc" is 2 and "scale" 0.5 in [3, 4]. */
static inline td_dict *normal_data(void) {
  td_dict *d = dict(TD_SHAPE(3));
  put(d, TD_KEY("loc"), full(2, TD_SHAPE(3, 4)));
  put(d, TD_KEY("scale"), full(0.5, TD_SHAPE(3, 4)));
  return d;
}

static inline td_dict *run_module(const td_module *m, td_dict *data) {
  td_dict *out = NULL;
  must(td_module_run(m, data, NULL, &out, &err));
  return out;
}

/* Runs in place. */
static inline void forward(const td_module *m, td_dict *data) {
  must(td_module_forward(m, data, &err));
}

typedef td_status (*keys_getter)(const td_module *, td_keys **, td_error **);
static inline const char *list_of(keys_getter get_keys, const td_module *m) {
  static char text[256];
  td_keys *keys;
  text[0] = '\0';
  must(get_keys(m, &keys, &err));
  append_keys(text, keys);
  return text;
}

/* The sequence takes its members over. */
static inline td_module *prob_sequence(td_module **members, size_t n, td_return_composite composite) {
  td_module *s = NULL;
  must(td_module_probabilistic_sequential(members, n, composite, NULL, &s, &err));
  for (size_t i = 0; i < n; ++i) td_module_release(members[i]);
  return s;
}
#define PROB_SEQ(composite, ...) \
  prob_sequence((td_module *[]){__VA_ARGS__}, sizeof((td_module *[]){__VA_ARGS__}) / sizeof(td_module *), (composite))

static inline void expect_full(const td_tensor *t, double value, double tolerance, const char *what) {
  for (int64_t i = 0; i < td_tensor_numel(t); ++i)
    cr_assert(fabs(at(t, i) - value) <= tolerance, "%s[%d] = %.9g, not %.9g", what, (int)i, at(t, i), value);
}

static inline int has(const td_dict *d, const char *name) {
  td_entry_kind kind;
  key_list key;
  keys_from(&key, &name, 1);
  must(td_dict_entry_kind(d, key.keys, &kind, &err));
  return kind != TD_ENTRY_NONE;
}

static inline const char *repr_of_dist(const td_dist *d) {
  static char text[512];
  td_string *s;
  must(td_dist_repr(d, &s, &err));
  snprintf(text, sizeof text, "%s", td_string_view(s).data);
  td_string_release(s);
  return text;
}

#endif
