/* A small tree, its keys in one line, and proof that nothing has changed in it. */
#ifndef TESTS_SUPPORT_TREES_H
#define TESTS_SUPPORT_TREES_H

#include "support/td.h"

/* {"a": [2,3], "n": {"b": [2], "m": {"c": [2]}}, "e": {}} of batch size [2], counted from 0. */
static TD_MAYBE_UNUSED td_dict *tree(void) {
  td_dict *td = new_dict(TD_SHAPE(2));
  put(td, TD_KEY("a"), range_f32(TD_SHAPE(2, 3)));
  put(td, TD_KEY("n", "b"), range_f32(TD_SHAPE(2)));
  put(td, TD_KEY("n", "m", "c"), range_f32(TD_SHAPE(2)));
  put_dict(td, TD_KEY("e"), new_dict(TD_SHAPE(2)));
  return td;
}

static TD_MAYBE_UNUSED td_string *text_of(const td_dict *td) {
  td_string *text;
  must(td_dict_repr(td, 0, &text, &err));
  return text;
}

static TD_MAYBE_UNUSED void expect_in_repr(const td_dict *td, const char *words) {
  td_string *text;
  must(td_dict_repr(td, 0, &text, &err));
  if (!strstr(td_string_view(text).data, words)) fprintf(stderr, "%s\n", td_string_view(text).data);
  check(strstr(td_string_view(text).data, words));
  td_string_release(text);
}

/* A letter for each dim, - for none. */
static TD_MAYBE_UNUSED void expect_names(const td_dict *td, const char *names) {
  check(td_dict_batch_size(td, NULL, 0) == strlen(names));
  for (int64_t d = 0; names[d]; ++d) {
    td_string *name;
    must(td_dict_name(td, d, &name, &err));
    check(names[d] == '-' ? !name : name && td_string_view(name).data[0] == names[d]);
    td_string_release(name);
  }
}

/* The keys, joined: "a n n/b". */
static TD_MAYBE_UNUSED void expect_keys_at(const char *file, int line, const td_dict *td, uint64_t flags,
                                           const char *expected) {
  td_keys *keys;
  char text[512] = "";
  must(td_dict_keys(td, flags, &keys, &err));
  for (size_t i = 0; i < td_keys_size(keys); ++i) {
    td_key key;
    must(td_keys_get(keys, i, &key, &err));
    if (i) strcat(text, " ");
    for (size_t p = 0; p < key.n; ++p) strcat(strcat(text, p ? "/" : ""), key.parts[p].data);
  }
  td_keys_release(keys);
  if (strcmp(text, expected) != 0) {
    fprintf(stderr, "%s:%d: the keys are '%s', not '%s'\n", file, line, text, expected);
    failed_at(file, line, "the keys are the expected ones", NULL);
  }
}
#define expect_keys(td, expected) expect_keys_at(__FILE__, __LINE__, (td), TD_KEYS_NESTED, (expected))

static const char *const all_keys TD_MAYBE_UNUSED = "a n n/b n/m n/m/c e";

/* The tree is what `tree` made, and its tensors are the ones that `before` shares. */
static TD_MAYBE_UNUSED void expect_untouched_at(const char *file, int line, const td_dict *td, const td_dict *before) {
  expect_keys_at(file, line, td, TD_KEYS_NESTED, all_keys);
  if (!same_memory(td, TD_KEY("a"), before, TD_KEY("a")) ||
      !same_memory(td, TD_KEY("n", "b"), before, TD_KEY("n", "b")) ||
      !same_memory(td, TD_KEY("n", "m", "c"), before, TD_KEY("n", "m", "c")))
    failed_at(file, line, "the tensors are the same", NULL);
  expect_entry_at(file, line, td, TD_KEY("a"), VALUES(0, 1, 2, 3, 4, 5));
  expect_entry_at(file, line, td, TD_KEY("n", "b"), VALUES(0, 1));
  expect_entry_at(file, line, td, TD_KEY("n", "m", "c"), VALUES(0, 1));
}
#define expect_untouched(td, before) expect_untouched_at(__FILE__, __LINE__, (td), (before))

static TD_MAYBE_UNUSED int same_node(const td_dict *a, const td_key *ka, const td_dict *b, const td_key *kb) {
  td_dict *na = get_dict(a, ka), *nb = get_dict(b, kb);
  const int same = na == nb;
  td_dict_release(na);
  td_dict_release(nb);
  return same;
}

#endif
