/* Dicts with lazy stacks in them, all of whose numbers are one value. */
#ifndef TESTS_SMALL_STACKS_H
#define TESTS_SMALL_STACKS_H

#include "support/small_dicts.h"

SMALL_UNUSED static void put_full(td_dict *d, const td_key *key, td_dtype dtype, double value, const int64_t *dims,
                                  size_t ndim) {
  td_tensor *t = NULL;
  must(td_tensor_full(dims, ndim, TD_VALUE(td_value_double(value)), dtype, TD_NO_STR, &t, &err));
  must(td_dict_set(d, key, t, &err));
  td_tensor_release(t);
}

/* Takes the members over. */
SMALL_UNUSED static td_dict *stack_two(td_dict *a, td_dict *b, int64_t dim) {
  td_dict *stack = NULL;
  must(td_dict_lazy_stack((td_dict *const[]){a, b}, 2, dim, &stack, &err));
  td_dict_release(a), td_dict_release(b);
  return stack;
}

SMALL_UNUSED static void put_below(td_dict *d, const td_key *key, td_dict *below) {
  must(td_dict_set_dict(d, key, below, &err));
  td_dict_release(below);
}

/* {"x": float32 [n], ("m", "only" n): int64 []} of batch size [], and a word for an even n. */
SMALL_UNUSED static td_dict *ragged_member(double value, int64_t n) {
  td_dict *d = new_dict(NULL, 0);
  char own[16];
  snprintf(own, sizeof own, "only%lld", (long long)n);
  put_full(d, TD_KEY("x"), TD_DTYPE_FLOAT32, value, TD_SHAPE(n));
  put_full(d, TD_KEY("m", own), TD_DTYPE_INT64, value, NULL, 0);
  if (n % 2 == 0) must(td_dict_set_data(d, TD_KEY("word"), TD_DATA(td_data_str(TD_STR(own))), &err));
  return d;
}

/* {"y": float64 [n, 2]} and a word, of batch size [n]. */
SMALL_UNUSED static td_dict *batched_member(double value, int64_t n) {
  td_dict *d = new_dict(TD_SHAPE(n));
  put_full(d, TD_KEY("y"), TD_DTYPE_FLOAT64, value, TD_SHAPE(n, 2));
  must(td_dict_set_data(d, TD_KEY("unit"), TD_DATA(td_data_str(TD_STR("metres"))), &err));
  return d;
}

/* Of batch size [2]: a tensor, members of one shape, members of different keys and shapes, and a stack of stacks of
 * batch size [2, -1]. */
SMALL_UNUSED static td_dict *small_stacks(double value) {
  td_dict *d = new_dict(TD_SHAPE(2));
  put_full(d, TD_KEY("a"), TD_DTYPE_FLOAT32, value, TD_SHAPE(2, 3));
  put_below(d, TD_KEY("n", "same"), stack_two(batched_member(value, 3), batched_member(value, 3), 0));
  put_below(d, TD_KEY("ragged"), stack_two(ragged_member(value, 1), ragged_member(value, 4), 0));
  td_dict *four = stack_two(ragged_member(value, 2), ragged_member(value, 3), 0);
  td_dict *one = NULL, *last = ragged_member(value, 5);
  must(td_dict_lazy_stack(&last, 1, 0, &one, &err));
  td_dict_release(last);
  put_below(d, TD_KEY("deep"), stack_two(four, one, 0));
  return d;
}

/* A stack of batch size [3, 2] whose dims have the names "rows" and "two". */
SMALL_UNUSED static td_dict *stack_with_names(double value) {
  td_dict *d = stack_two(batched_member(value, 3), batched_member(value, 3), 1);
  must(td_dict_set_names(d, (const td_str[]){TD_STR("rows"), TD_STR("two")}, 2, &err));
  return d;
}

typedef struct all_numbers {
  double first;
  int tensors, others; /* numbers that differ from the first */
} all_numbers;

SMALL_UNUSED static void add_numbers(void *to, const td_tensor *t) {
  all_numbers *all = to;
  const void *data = NULL;
  must(td_tensor_data(t, &data, &err));
  td_dtype dtype = td_tensor_dtype(t);
  cr_assert(dtype == TD_DTYPE_FLOAT32 || dtype == TD_DTYPE_FLOAT64 || dtype == TD_DTYPE_INT64);
  for (int64_t i = 0; i < td_tensor_numel(t); ++i) {
    double x = dtype == TD_DTYPE_FLOAT32   ? (double)((const volatile float *)data)[i]
               : dtype == TD_DTYPE_FLOAT64 ? ((const volatile double *)data)[i]
                                           : (double)((const volatile int64_t *)data)[i];
    if (all->tensors == 0 && i == 0) all->first = x;
    all->others += x != all->first;
  }
  all->tensors += 1;
}

/* The value of all numbers, or -1 if they are not all the same. */
SMALL_UNUSED static double value_everywhere(const td_dict *d) {
  all_numbers all = {0, 0, 0};
  for_each_tensor(d, add_numbers, &all);
  return all.others || all.tensors < 2 ? -1 : all.first;
}

#endif
