/* How the bundled plugins compute: formulas over tensors and numbers, close to the Python that they follow.
 *
 *     #define OPERATORS(X) X(add, "add", "Tensor") X(sigmoid, "sigmoid", "")
 *     #include "formula.h"
 *
 *     Value y = call2(work, OP_add, call1(work, OP_sigmoid, x), Number(1));
 *     return finish(work, y, out);
 *
 * A formula works on a Value, a tensor or a number, inside one `workspace` that owns every intermediate result and
 * remembers the first failure: after one, the rest of the formula does nothing. Plain C and tensordict_plugin.h: yours
 * to copy.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef FORMULA_H
#define FORMULA_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "entry.h"

typedef td_value Value;

#if defined(__GNUC__)
#define MAYBE_UNUSED __attribute__((unused))
#else
#define MAYBE_UNUSED
#endif

/* ---- Operators --------------------------------------------------------------------------------------------------- */
enum operator_index {
#define X(id, name, overload) OP_##id,
  OPERATORS(X)
#undef X
      N_OPERATORS
};

static const td_host *host;
static const td_op *operators[N_OPERATORS]; /* found when the plugin is loaded; NULL: this LibTorch lacks it */
static const char *const operator_names[] = {
#define X(id, name, overload) name,
    OPERATORS(X)
#undef X
};

static inline td_str text(const char *s) {
  return (td_str){s, TD_STRLEN};
}

/* To be called once, by td_plugin_entry. */
static inline void find_operators(const td_host *the_host) {
  static const char *const overloads[] = {
#define X(id, name, overload) overload,
      OPERATORS(X)
#undef X
  };
  host = the_host;
  for (int i = 0; i < N_OPERATORS; ++i)
    if (host->op_find(text(operator_names[i]), text(overloads[i]), &operators[i], NULL) != TD_OK) operators[i] = NULL;
}

/* ---- Values ------------------------------------------------------------------------------------------------------ */
enum { MAX_HELD = 256, MAX_DIMS = 64 };

typedef struct workspace {
  const void *self;
  td_error **err;
  td_status status;
  const int64_t *dims; /* of a draw */
  size_t ndim;
  td_generator *generator;
  td_tensor *held[MAX_HELD]; /* intermediate results */
  size_t n_held;
  char *shown; /* what a module prints, for layer.h */
  size_t n_shown;
} workspace;

static const Value none = {.kind = TD_VALUE_NONE};

static inline Value Number(double x) {
  return (Value){.kind = TD_VALUE_DOUBLE, .as.f = x};
}
static inline Value Integer(int64_t x) {
  return (Value){.kind = TD_VALUE_INT, .as.i = x};
}
static inline Value truth(int x) {
  return (Value){.kind = TD_VALUE_BOOL, .as.i = x};
}
static inline Value tensor(const td_tensor *t) {
  return (Value){.kind = t ? TD_VALUE_TENSOR : TD_VALUE_NONE, .as.tensor = (td_tensor *)t};
}
static inline Value ints(const int64_t *xs, size_t n) {
  return (Value){.kind = TD_VALUE_INTS, .size = n, .as.ints = xs};
}
static inline int given(Value v) {
  return v.kind != TD_VALUE_NONE;
}

static inline Value fail(workspace *work, td_status status, const char *message) {
  if (work->status != TD_OK) return none;
  work->status = status;
  if (work->err) *work->err = host->error_new(status, text(message));
  return none;
}

static inline Value hold(workspace *work, Value v) {
  if (v.kind != TD_VALUE_TENSOR) return v;
  if (work->n_held == MAX_HELD) {
    host->value_clear(&v);
    return fail(work, TD_ERR_INTERNAL, "the formula has too many steps");
  }
  work->held[work->n_held++] = v.as.tensor;
  return v;
}

/* Gives back what was made since work->n_held was `mark`, but for `kept`: for loops. */
static inline Value release_since(workspace *work, size_t mark, Value kept) {
  size_t n = mark;
  for (size_t i = mark; i < work->n_held; ++i) {
    if (given(kept) && work->held[i] == kept.as.tensor)
      work->held[n++] = work->held[i];
    else
      host->tensor_release(work->held[i]);
  }
  work->n_held = n;
  return kept;
}

static inline Value calls(workspace *work, int op, const Value *args, size_t n, const char *keyword, Value value,
                          Value *outs, size_t n_outs) {
  if (work->status != TD_OK) return none;
  if (!operators[op]) return fail(work, TD_ERR_UNSUPPORTED, operator_names[op]);
  td_named_value named = {text(keyword ? keyword : ""), value};
  work->status = host->op_call(operators[op], args, n, &named, keyword ? 1 : 0, outs, n_outs, work->err);
  if (work->status != TD_OK) return none;
  for (size_t i = 0; i < n_outs; ++i) hold(work, outs[i]);
  return work->status == TD_OK ? outs[0] : none;
}

static inline Value call_n(workspace *work, int op, const Value *args, size_t n, const char *keyword, Value value) {
  Value out = none;
  return calls(work, op, args, n, keyword, value, &out, 1);
}
static inline Value call1(workspace *work, int op, Value a) {
  return call_n(work, op, &a, 1, NULL, none);
}
static inline Value call2(workspace *work, int op, Value a, Value b) {
  Value args[] = {a, b};
  return call_n(work, op, args, 2, NULL, none);
}
static inline Value call3(workspace *work, int op, Value a, Value b, Value c) {
  Value args[] = {a, b, c};
  return call_n(work, op, args, 3, NULL, none);
}
static inline Value call4(workspace *work, int op, Value a, Value b, Value c, Value d) {
  Value args[] = {a, b, c, d};
  return call_n(work, op, args, 4, NULL, none);
}

/* The shape of a tensor; 0 dims after a failure. */
static inline size_t shape_of(workspace *work, Value t, int64_t *out) {
  if (work->status != TD_OK || t.kind != TD_VALUE_TENSOR) return 0;
  const size_t n = host->tensor_shape(t.as.tensor, out, MAX_DIMS);
  if (n > MAX_DIMS) fail(work, TD_ERR_SHAPE, "the result would have more than 64 dims");
  return n > MAX_DIMS ? 0 : n;
}
static inline td_dtype dtype_of(Value t) {
  return t.kind == TD_VALUE_TENSOR ? host->tensor_dtype(t.as.tensor) : TD_DTYPE_FLOAT32;
}

/* A random operator with the call's generator, if there is one. */
static inline Value draw_with(workspace *work, int op, const Value *args, size_t n) {
  Value generator = {.kind = TD_VALUE_GENERATOR, .as.generator = work->generator};
  return call_n(work, op, args, n, work->generator ? "generator" : NULL, generator);
}

/* Gives the result out as a new reference, and everything else back. */
static inline td_status finish(workspace *work, Value result, td_tensor **out) {
  if (work->status == TD_OK && result.kind != TD_VALUE_TENSOR) fail(work, TD_ERR_INTERNAL, "the formula has no result");
  if (work->status == TD_OK) {
    host->tensor_retain(result.as.tensor);
    *out = result.as.tensor;
  }
  release_since(work, 0, none);
  return work->status;
}

/* The entry of a plugin; `schemas_` has one for each of `types`. */
#define PLUGIN(plugin_id, types, schemas_) PLUGIN_ENTRY(plugin_id, 0, types, schemas_, find_operators(host_))

#endif
