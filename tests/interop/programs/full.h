/* Tensors of one number, and setting them. */
#ifndef TESTS_INTEROP_FULL_H
#define TESTS_INTEROP_FULL_H

#include "peer.h"

static td_tensor *full(double value, td_dtype dtype, const int64_t *dims, size_t ndim) {
  td_tensor *t = NULL;
  check(td_tensor_full(dims, ndim, TD_VALUE(td_value_double(value)), dtype, TD_NO_STR, &t, &err));
  return t;
}

static void put(td_dict *d, const td_key *key, td_tensor *taken) {
  check(td_dict_set(d, key, taken, &err));
  td_tensor_release(taken);
}

#endif
