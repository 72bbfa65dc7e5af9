/* Helpers of the tests of sequences: chains of small modules, and the keys of modules and dicts as text. */
#ifndef SEQUENCE_SUPPORT_H
#define SEQUENCE_SUPPORT_H

#include "support/nn_support.h"

/* in -> out, adding one to the (sum of the) inputs; `in` may name two keys, "a,b". */
static function plus_one = {.writes = 1, .value = 1};
static inline td_module *mod(const char *in, const char *out) {
  td_module *inner = function_module(&plus_one), *m;
  char first[16];
  size_t n = strcspn(in, ",");
  snprintf(first, sizeof first, "%.*s", (int)n, in);
  td_str parts[] = {TD_STR(first), TD_STR(in[n] ? in + n + 1 : "")};
  td_key keys[] = {{&parts[0], 1}, {&parts[1], 1}};
  must(td_module_tensordict(inner, keys, *in ? (in[n] ? 2 : 1) : 0, TD_KEY(out), *out ? 1 : 0, &strict_keys, &m, &err));
  td_module_release(inner);
  return m;
}

/* "a>b b>c": a module for each word. */
static inline td_module *seq(const char *spec, const td_sequential_options *options) {
  td_module *members[8] = {NULL}, *s;
  size_t n = 0;
  for (const char *at = spec; *at;) {
    char word[32];
    size_t size = strcspn(at, " ");
    snprintf(word, sizeof word, "%.*s", (int)size, at);
    char *arrow = strchr(word, '>');
    *arrow = '\0';
    members[n++] = mod(word, arrow + 1);
    at += size + (at[size] == ' ');
  }
  must(td_module_sequential(members, n, options, &s, &err));
  for (size_t i = 0; i < n; ++i) td_module_release(members[i]);
  return s;
}

static inline void append_keys(char *text, td_keys *keys) {
  for (size_t i = 0; i < td_keys_size(keys); ++i) {
    append_key(text, keys, i);
    if (i + 1 < td_keys_size(keys)) strcat(text, ",");
  }
  td_keys_release(keys);
}

/* "a>b,c" for a module that has those keys. */
static inline const char *keys_of(const td_module *m) {
  static char text[128];
  td_keys *keys;
  text[0] = '\0';
  must(td_module_in_keys(m, &keys, &err));
  append_keys(text, keys);
  strcat(text, ">");
  must(td_module_out_keys(m, &keys, &err));
  append_keys(text, keys);
  return text;
}

static inline const char *entries_of(const td_dict *d) {
  static char text[128];
  td_keys *keys;
  text[0] = '\0';
  must(td_dict_keys(d, TD_KEYS_NESTED | TD_KEYS_LEAVES | TD_KEYS_SORTED, &keys, &err));
  append_keys(text, keys);
  return text;
}

static inline td_dict *data_of(const char *names) {
  td_dict *d = dict(TD_NO_DIMS);
  for (const char *c = names; *c; ++c) {
    char name[] = {*c, '\0'};
    put(d, TD_KEY(name), VEC((float)(c - names)));
  }
  return d;
}

#endif
