/* Small tensors and dicts, and comparisons of what is in them, beside the calls of every test. */
#ifndef TESTS_SUPPORT_TD_H
#define TESTS_SUPPORT_TD_H

#include <stdlib.h>
#include <string.h>

#include "support/calls.h"

/* ---- Text ----------------------------------------------------------------------------------------------------------- */

static inline int says(td_str text, const char *expected) {
  return text.size == strlen(expected) && memcmp(text.data, expected, text.size) == 0;
}

static inline void expect_text_at(const char *file, int line, td_string *text, const char *expected) {
  if (!says(td_string_view(text), expected)) {
    fprintf(stderr, "%s:%d: got\n%s\ninstead of\n%s\n", file, line, td_string_view(text).data, expected);
    failed_at(file, line, "the text is the expected one", NULL);
  }
  td_string_release(text);
}
/* Takes the string over. */
#define expect_text(text, expected) expect_text_at(__FILE__, __LINE__, (text), (expected))

/* ---- Tensors -------------------------------------------------------------------------------------------------------- */

#define VALUES(...) ((const double[]){__VA_ARGS__}), (sizeof((const double[]){__VA_ARGS__}) / sizeof(double))
#define NO_VALUES NULL, 0

static inline int64_t numel_of(const int64_t *dims, size_t ndim) {
  int64_t n = 1;
  for (size_t i = 0; i < ndim; ++i) n *= dims[i];
  return n;
}

/* 0, 1, 2, ... in row-major order; for bool every other one is true. */
static inline td_tensor *counted(td_dtype dtype, const int64_t *dims, size_t ndim) {
  const int64_t n = numel_of(dims, ndim);
  int64_t *numbers = malloc((size_t)(n + 1) * sizeof *numbers);
  for (int64_t i = 0; i < n; ++i) numbers[i] = dtype == TD_DTYPE_BOOL ? i % 2 : i;
  td_tensor *raw, *t;
  must(td_tensor_copy_from(numbers, TD_DTYPE_INT64, dims, ndim, &raw, &err));
  must(td_tensor_to(raw, dtype, TD_NO_STR, &t, &err));
  td_tensor_release(raw);
  free(numbers);
  return t;
}
static inline td_tensor *range_f32(const int64_t *dims, size_t ndim) {
  return counted(TD_DTYPE_FLOAT32, dims, ndim);
}

static inline td_tensor *full_f32(double value, const int64_t *dims, size_t ndim) {
  td_tensor *t;
  must(td_tensor_full(dims, ndim, TD_VALUE(td_value_double(value)), TD_DTYPE_FLOAT32, TD_NO_STR, &t, &err));
  return t;
}

static inline td_tensor *vector_of(td_dtype dtype, const int64_t *numbers, size_t n) {
  const int64_t dims[] = {(int64_t)n};
  td_tensor *raw, *t;
  must(td_tensor_copy_from(numbers, TD_DTYPE_INT64, dims, 1, &raw, &err));
  must(td_tensor_to(raw, dtype, TD_NO_STR, &t, &err));
  td_tensor_release(raw);
  return t;
}

static inline const void *address(const td_tensor *t) {
  const void *data;
  must(td_tensor_data(t, &data, &err));
  return data;
}

static inline int has_shape(const td_tensor *t, const int64_t *dims, size_t ndim) {
  int64_t there[64];
  return td_tensor_shape(t, there, 64) == ndim && memcmp(there, dims ? dims : there, ndim * sizeof *there) == 0;
}

static inline int same_shape(const td_tensor *a, const td_tensor *b) {
  int64_t there[64];
  return has_shape(a, there, td_tensor_shape(b, there, 64));
}

static inline int same_strides(const td_tensor *a, const td_tensor *b) {
  int64_t sa[64], sb[64];
  const size_t n = td_tensor_strides(a, sa, 64);
  return td_tensor_strides(b, sb, 64) == n && memcmp(sa, sb, n * sizeof *sa) == 0;
}

/* Equal dtype, shape and bytes. */
static inline int same_values(const td_tensor *a, const td_tensor *b) {
  if (td_tensor_dtype(a) != td_tensor_dtype(b) || !same_shape(a, b)) return 0;
  td_tensor *ca, *cb;
  must(td_tensor_contiguous(a, &ca, &err));
  must(td_tensor_contiguous(b, &cb, &err));
  const int equal = memcmp(address(ca), address(cb), (size_t)td_tensor_nbytes(a)) == 0;
  td_tensor_release(ca);
  td_tensor_release(cb);
  return equal;
}

static inline void expect_values_at(const char *file, int line, const td_tensor *t, const double *values, size_t n) {
  td_tensor *wide, *flat;
  must(td_tensor_to(t, TD_DTYPE_FLOAT64, TD_NO_STR, &wide, &err));
  must(td_tensor_contiguous(wide, &flat, &err));
  const double *there = address(flat);
  const int64_t count = td_tensor_numel(t);
  int equal = count == (int64_t)n;
  for (int64_t i = 0; equal && i < count; ++i) equal = there[i] == values[i];
  if (!equal) {
    fprintf(stderr, "%s:%d: the values are", file, line);
    for (int64_t i = 0; i < count; ++i) fprintf(stderr, " %.9g", there[i]);
    fprintf(stderr, "\n");
    failed_at(file, line, "the values are the expected ones", NULL);
  }
  td_tensor_release(wide);
  td_tensor_release(flat);
}
#define expect_values(t, values_and_count) expect_values_at(__FILE__, __LINE__, (t), values_and_count)
#define expect_shape(t, dims_and_count) check(has_shape((t), dims_and_count))

/* Writes one float at the start of a float32 tensor's memory. */
static inline void poke(td_tensor *t, float value) {
  void *data;
  must(td_tensor_mutable_data(t, &data, &err));
  memcpy(data, &value, sizeof value);
}

/* The single result of an operator on tensors. */
static inline td_tensor *call(const char *name, const char *overload, const td_value *args, size_t n) {
  td_op *op;
  td_value result;
  must(td_op_find(TD_STR(name), TD_STR(overload), &op, &err));
  must(td_op_call(op, args, n, NULL, 0, &result, 1, &err));
  td_op_release(op);
  check(result.kind == TD_VALUE_TENSOR);
  return result.as.tensor;
}
#define ARGS(...) ((const td_value[]){__VA_ARGS__}), (sizeof((const td_value[]){__VA_ARGS__}) / sizeof(td_value))

static inline td_op *operator_named(const char *name, const char *overload) {
  td_op *op;
  must(td_op_find(TD_STR(name), TD_STR(overload), &op, &err));
  return op;
}

static inline td_tensor *transposed(td_tensor *taken) {
  td_tensor *t = call("transpose", "int", ARGS(td_value_tensor(taken), td_value_int(0), td_value_int(1)));
  td_tensor_release(taken);
  return t;
}

static inline td_tensor *requiring_grad(td_tensor *t) {
  must(td_tensor_requires_grad_(t, 1, &err));
  return t;
}

/* ---- Dicts ---------------------------------------------------------------------------------------------------------- */

static inline td_dict *new_dict(const int64_t *batch, size_t ndim) {
  td_dict *td;
  must(td_dict_new(batch, ndim, NULL, &td, &err));
  return td;
}

/* Sets, and gives the caller's reference up. */
static inline void put(td_dict *td, const td_key *key, td_tensor *value) {
  must(td_dict_set(td, key, value, &err));
  td_tensor_release(value);
}
static inline void put_dict(td_dict *td, const td_key *key, td_dict *value) {
  must(td_dict_set_dict(td, key, value, &err));
  td_dict_release(value);
}

static inline td_tensor *get(const td_dict *td, const td_key *key) {
  td_tensor *t;
  must(td_dict_get(td, key, &t, &err));
  return t;
}
static inline td_dict *get_dict(const td_dict *td, const td_key *key) {
  td_dict *d;
  must(td_dict_get_dict(td, key, &d, &err));
  return d;
}

static inline td_entry_kind kind_at(const td_dict *td, const td_key *key) {
  td_entry_kind kind = -1;
  must(td_dict_entry_kind(td, key, &kind, &err));
  return kind;
}

static inline int has_batch(const td_dict *td, const int64_t *batch, size_t ndim) {
  int64_t there[64];
  return td_dict_batch_size(td, there, 64) == ndim && memcmp(there, batch ? batch : there, ndim * sizeof *there) == 0;
}
#define expect_batch(td, dims_and_count) check(has_batch((td), dims_and_count))

/* The values of one entry. */
static inline void expect_entry_at(const char *file, int line, const td_dict *td, const td_key *key,
                                   const double *values, size_t n) {
  td_tensor *t = get(td, key);
  expect_values_at(file, line, t, values, n);
  td_tensor_release(t);
}
#define expect_entry(td, key, values_and_count) expect_entry_at(__FILE__, __LINE__, (td), (key), values_and_count)

static inline void expect_repr_at(const char *file, int line, const td_dict *td, const char *expected) {
  td_string *text;
  must(td_dict_repr(td, 0, &text, &err));
  expect_text_at(file, line, text, expected);
}
#define expect_repr(td, expected) expect_repr_at(__FILE__, __LINE__, (td), (expected))

/* 1 if both entries stand on the same first element. */
static inline int same_memory(const td_dict *a, const td_key *ka, const td_dict *b, const td_key *kb) {
  td_tensor *ta = get(a, ka), *tb = get(b, kb);
  const int same = address(ta) == address(tb);
  td_tensor_release(ta);
  td_tensor_release(tb);
  return same;
}

#endif
