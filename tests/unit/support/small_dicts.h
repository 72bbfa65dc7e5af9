/* Dicts and tensors in one line, for tests that are about what is done with them. Failures end the test. */
#ifndef TESTS_SMALL_DICTS_H
#define TESTS_SMALL_DICTS_H

#include "support/calls.h"

#define SMALL_UNUSED __attribute__((unused))

SMALL_UNUSED static td_dict *new_dict(const int64_t *batch, size_t ndim) {
  td_dict *d = NULL;
  must(td_dict_new(batch, ndim, NULL, &d, &err));
  return d;
}

/* Puts a tensor of copied data into the dict. */
SMALL_UNUSED static void put(td_dict *d, const td_key *key, td_dtype dtype, const void *data, const int64_t *dims,
                             size_t ndim) {
  td_tensor *t = NULL;
  must(td_tensor_copy_from(data, dtype, dims, ndim, &t, &err));
  must(td_dict_set(d, key, t, &err));
  td_tensor_release(t);
}

SMALL_UNUSED static td_tensor *tensor_at(const td_dict *d, const td_key *key) {
  td_tensor *t = NULL;
  must(td_dict_get(d, key, &t, &err));
  return t;
}

/* The first float32 of the tensor under `key`. */
SMALL_UNUSED static float float_at(const td_dict *d, const td_key *key) {
  td_tensor *t = tensor_at(d, key);
  const void *data = NULL;
  must(td_tensor_data(t, &data, &err));
  float f = *(const float *)data;
  td_tensor_release(t);
  return f;
}

/* A dict {"a": float32 [2,3] of `value`, ("n","b"): int64 [2]} of batch size [2]. */
SMALL_UNUSED static td_dict *small_dict(float value) {
  float a[6];
  for (int i = 0; i < 6; ++i) a[i] = value;
  int64_t b[2] = {(int64_t)value, 7};
  td_dict *d = new_dict(TD_SHAPE(2));
  put(d, TD_KEY("a"), TD_DTYPE_FLOAT32, a, TD_SHAPE(2, 3));
  put(d, TD_KEY("n", "b"), TD_DTYPE_INT64, b, TD_SHAPE(2));
  return d;
}

/* Each tensor, also those of members of stacks, which components of nested tensors are. */
SMALL_UNUSED static void for_each_tensor(const td_dict *d, void (*fn)(void *, const td_tensor *), void *context) {
  if (td_dict_kind_of(d) == TD_DICT_KIND_LAZY_STACK) {
    td_dict_list *members = NULL;
    must(td_dict_members(d, &members, &err));
    for (size_t i = 0; i < td_dict_list_size(members); ++i) {
      td_dict *m = NULL;
      must(td_dict_list_get(members, i, &m, &err));
      for_each_tensor(m, fn, context);
      td_dict_release(m);
    }
    td_dict_list_release(members);
    return;
  }
  td_keys *keys = NULL;
  must(td_dict_keys(d, 0, &keys, &err));
  for (size_t i = 0; i < td_keys_size(keys); ++i) {
    td_key key;
    td_entry_kind kind = 0;
    must(td_keys_get(keys, i, &key, &err));
    must(td_dict_entry_kind(d, &key, &kind, &err));
    if (kind == TD_ENTRY_DICT) {
      td_dict *below = NULL;
      must(td_dict_get_dict(d, &key, &below, &err));
      for_each_tensor(below, fn, context);
      td_dict_release(below);
    } else if (kind == TD_ENTRY_TENSOR) {
      td_tensor *t = tensor_at(d, &key);
      fn(context, t);
      td_tensor_release(t);
    }
  }
  td_keys_release(keys);
}

#endif
