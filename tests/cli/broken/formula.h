/* Formulas in operator calls: results are kept until the end of the formula, and nothing happens after a failure. */
#ifndef FORMULA_H
#define FORMULA_H
#include <stdlib.h>

#include "tensordict_plugin.h"

typedef struct formula {
  const td_host *host;
  td_error **err;
  td_status status;
  td_value made[32];
  size_t n;
} formula;

static inline td_value T(const td_tensor *tensor) {
  return (td_value){.kind = TD_VALUE_TENSOR, .as.tensor = (td_tensor *)(uintptr_t)tensor};
}
static inline td_value F(double number) {
  return (td_value){.kind = TD_VALUE_DOUBLE, .as.f = number};
}
static inline td_value DTYPE(td_dtype dtype) {
  return (td_value){.kind = TD_VALUE_DTYPE, .as.i = dtype};
}
static inline td_value DIMS(const int64_t *dims, size_t n) {
  return (td_value){.kind = TD_VALUE_INTS, .size = n, .as.ints = dims};
}
#define NOTHING ((td_value){.kind = TD_VALUE_DEFAULT})

static inline td_tensor *op_with(formula *f, const char *name, td_value a, td_value b, td_generator *generator) {
  const td_op *op;
  td_value args[] = {a, b};
  td_named_value source = {{"generator", TD_STRLEN}, {.kind = TD_VALUE_GENERATOR, .as.generator = generator}};
  if (f->status != TD_OK || f->n == 32) return NULL;
  f->status = f->host->op_find((td_str){name, TD_STRLEN}, (td_str){NULL, 0}, &op, f->err);
  if (f->status != TD_OK) return NULL;
  f->status = f->host->op_call(op, args, b.kind == TD_VALUE_DEFAULT ? 1 : 2, &source, generator ? 1 : 0, f->made + f->n,
                               1, f->err);
  return f->status == TD_OK ? f->made[f->n++].as.tensor : NULL;
}

static inline td_tensor *op(formula *f, const char *name, td_value a, td_value b) {
  return op_with(f, name, a, b, NULL);
}

/* Gives `result`, which is one of those made, and drops the others. */
static inline td_status give(formula *f, td_tensor *result, td_tensor **out) {
  if (f->status == TD_OK) f->host->tensor_retain(result);
  for (size_t i = 0; i < f->n; ++i) f->host->value_clear(f->made + i);
  if (f->status == TD_OK) *out = result;
  return f->status;
}
#endif
