/* Queries over one key "a", and what they leave in a dict. */
#ifndef TESTS_QUERY_H
#define TESTS_QUERY_H

#include "td.h"

static inline td_query *query_with(const td_query_options *options) {
  td_query *query;
  must(td_query_new(TD_KEY("a"), 1, options, &query, &err));
  return query;
}

/* A dict of batch size [n] with the int64 rows under "a". */
static inline td_dict *rows_of(const int64_t *values, size_t n) {
  td_dict *data = new_dict(TD_SHAPE((int64_t)n));
  put(data, TD_KEY("a"), vector_of(TD_DTYPE_INT64, values, n));
  return data;
}
#define ROWS(...) rows_of((const int64_t[]){__VA_ARGS__}, sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t))

static inline void expect_int64(const td_dict *data, const td_key *key, const int64_t *values, size_t n) {
  td_tensor *t = get(data, key);
  check(td_tensor_dtype(t) == TD_DTYPE_INT64);
  expect_shape(t, TD_SHAPE((int64_t)n));
  const int64_t *there = address(t);
  for (size_t i = 0; i < n; ++i)
    cr_assert_eq(there[i], values[i], "row %zu is %lld, not %lld", i, (long long)there[i], (long long)values[i]);
  td_tensor_release(t);
}
#define INDICES(...) ((const int64_t[]){__VA_ARGS__}), (sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t))

static inline void expect_forward(td_query *query, td_dict *taken, const int64_t *indices, size_t n) {
  must(td_query_forward(query, taken, TD_QUERY_DEFAULT, &err));
  expect_int64(taken, TD_KEY("_index"), indices, n);
  td_dict_release(taken);
}

typedef struct failure {
  td_status code;
  const char *key, *says;
} failure;

static inline void expect_unchanged(td_query *query, td_dict *data, failure f) {
  td_string *before, *after;
  must(td_dict_repr(data, 0, &before, &err));
  const int64_t size = td_query_size(query);
  expect_error(td_query_forward(query, data, TD_QUERY_DEFAULT, &err), f.code, f.key, f.says);
  must(td_dict_repr(data, 0, &after, &err));
  check(says(td_string_view(after), td_string_view(before).data));
  check(td_query_size(query) == size);
  td_string_release(before);
  td_string_release(after);
}

#endif
