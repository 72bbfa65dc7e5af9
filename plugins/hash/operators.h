/* Short ways to call operators with one result, for the hash types that compute with tensors. */
#ifndef HASH_OPERATORS_H
#define HASH_OPERATORS_H

#include "tensordict_plugin.h"

static inline td_str text(const char *s) {
  td_str t = {s, TD_STRLEN};
  return t;
}

static inline td_status refuse(const td_host *host, td_status code, const char *message, td_error **err) {
  *err = host->error_new(code, text(message));
  return code;
}

static inline td_value tensor_arg(const td_tensor *t) {
  td_value v = {TD_VALUE_TENSOR, 0, 0, {0}};
  v.as.tensor = (td_tensor *)t;
  return v;
}

static inline td_value int_arg(int64_t i) {
  td_value v = {TD_VALUE_INT, 0, 0, {0}};
  v.as.i = i;
  return v;
}

static inline td_value ints_arg(const int64_t *ints, size_t n) {
  td_value v = {TD_VALUE_INTS, 0, 0, {0}};
  v.size = n, v.as.ints = ints;
  return v;
}

static inline td_value dtype_arg(td_dtype dtype) {
  td_value v = {TD_VALUE_DTYPE, 0, 0, {0}};
  v.as.i = dtype;
  return v;
}

static inline td_status operate(const td_host *host, const char *name, const char *overload, const td_value *args,
                                size_t n, td_tensor **out, td_error **err) {
  const td_op *op;
  td_value result;
  td_status s = host->op_find(text(name), text(overload), &op, err);
  if (s == TD_OK) s = host->op_call(op, args, n, NULL, 0, &result, 1, err);
  if (s == TD_OK) *out = result.as.tensor;
  return s;
}

/* Puts what an operator gives in the place of its first argument, which is released. */
static inline td_status replace(const td_host *host, const char *name, const char *overload, td_tensor **t,
                                const td_value *more, size_t n_more, td_error **err) {
  td_value args[4];
  td_tensor *made;
  args[0] = tensor_arg(*t);
  for (size_t i = 0; i < n_more; ++i) args[1 + i] = more[i];
  td_status s = operate(host, name, overload, args, 1 + n_more, &made, err);
  if (s != TD_OK) return s;
  host->tensor_release(*t);
  *t = made;
  return TD_OK;
}

#endif
