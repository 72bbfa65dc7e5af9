/* How the bundled plugins compute: formulas over tensors and numbers, close to the Python that they follow.
 *
 *     #define OPERATORS(X) X(add, "add", "Tensor") X(sigmoid, "sigmoid", "")
 *     #include "formula.h"
 *
 *     V y = call2(w, OP_add, call1(w, OP_sigmoid, x), K(1));
 *     return finish(w, y, out);
 *
 * A formula works on values V, tensors or numbers, inside one `work` that owns every intermediate result and remembers the
 * first failure: after one, the rest of the formula does nothing. Plain C and tensordict_plugin.h: yours to copy.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef FORMULA_H
#define FORMULA_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "entry.h"

typedef td_value V;

#if defined(__GNUC__)
#define MAYBE_UNUSED __attribute__((unused))
#else
#define MAYBE_UNUSED
#endif

/* ---- Operators ------------------------------------------------------------------------------------------------------ */
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

/* ---- Values --------------------------------------------------------------------------------------------------------- */
enum { MAX_HELD = 256, MAX_DIMS = 64 };

typedef struct work {
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
} work;

static const V none = {.kind = TD_VALUE_NONE};

static inline V K(double x) {
  return (V){.kind = TD_VALUE_DOUBLE, .as.f = x};
}
static inline V I(int64_t x) {
  return (V){.kind = TD_VALUE_INT, .as.i = x};
}
static inline V truth(int x) {
  return (V){.kind = TD_VALUE_BOOL, .as.i = x};
}
static inline V tensor(const td_tensor *t) {
  return (V){.kind = t ? TD_VALUE_TENSOR : TD_VALUE_NONE, .as.tensor = (td_tensor *)t};
}
static inline V ints(const int64_t *xs, size_t n) {
  return (V){.kind = TD_VALUE_INTS, .size = n, .as.ints = xs};
}
static inline int given(V v) {
  return v.kind != TD_VALUE_NONE;
}

static inline V fail(work *w, td_status status, const char *message) {
  if (w->status != TD_OK) return none;
  w->status = status;
  if (w->err) *w->err = host->error_new(status, text(message));
  return none;
}

static inline V hold(work *w, V v) {
  if (v.kind != TD_VALUE_TENSOR) return v;
  if (w->n_held == MAX_HELD) {
    host->value_clear(&v);
    return fail(w, TD_ERR_INTERNAL, "a formula with too many steps");
  }
  w->held[w->n_held++] = v.as.tensor;
  return v;
}

/* Gives back what was made since w->n_held was `mark`, but for `kept`: for loops. */
static inline V release_since(work *w, size_t mark, V kept) {
  size_t n = mark;
  for (size_t i = mark; i < w->n_held; ++i) {
    if (given(kept) && w->held[i] == kept.as.tensor)
      w->held[n++] = w->held[i];
    else
      host->tensor_release(w->held[i]);
  }
  w->n_held = n;
  return kept;
}

static inline V calls(work *w, int op, const V *args, size_t n, const char *keyword, V value, V *outs, size_t n_outs) {
  if (w->status != TD_OK) return none;
  if (!operators[op]) return fail(w, TD_ERR_UNSUPPORTED, operator_names[op]);
  td_named_value named = {text(keyword ? keyword : ""), value};
  w->status = host->op_call(operators[op], args, n, &named, keyword ? 1 : 0, outs, n_outs, w->err);
  if (w->status != TD_OK) return none;
  for (size_t i = 0; i < n_outs; ++i) hold(w, outs[i]);
  return w->status == TD_OK ? outs[0] : none;
}

static inline V call_n(work *w, int op, const V *args, size_t n, const char *keyword, V value) {
  V out = none;
  return calls(w, op, args, n, keyword, value, &out, 1);
}
static inline V call1(work *w, int op, V a) {
  return call_n(w, op, &a, 1, NULL, none);
}
static inline V call2(work *w, int op, V a, V b) {
  V args[] = {a, b};
  return call_n(w, op, args, 2, NULL, none);
}
static inline V call3(work *w, int op, V a, V b, V c) {
  V args[] = {a, b, c};
  return call_n(w, op, args, 3, NULL, none);
}
static inline V call4(work *w, int op, V a, V b, V c, V d) {
  V args[] = {a, b, c, d};
  return call_n(w, op, args, 4, NULL, none);
}

/* The shape of a tensor; 0 dims after a failure. */
static inline size_t shape_of(work *w, V t, int64_t *out) {
  if (w->status != TD_OK || t.kind != TD_VALUE_TENSOR) return 0;
  const size_t n = host->tensor_shape(t.as.tensor, out, MAX_DIMS);
  if (n > MAX_DIMS) fail(w, TD_ERR_SHAPE, "more than 64 dims");
  return n > MAX_DIMS ? 0 : n;
}
static inline td_dtype dtype_of(V t) {
  return t.kind == TD_VALUE_TENSOR ? host->tensor_dtype(t.as.tensor) : TD_FLOAT32;
}

/* A random operator with the call's generator, if there is one. */
static inline V draw_with(work *w, int op, const V *args, size_t n) {
  V generator = {.kind = TD_VALUE_GENERATOR, .as.generator = w->generator};
  return call_n(w, op, args, n, w->generator ? "generator" : NULL, generator);
}

/* Gives the result out as a new reference, and everything else back. */
static inline td_status finish(work *w, V result, td_tensor **out) {
  if (w->status == TD_OK && result.kind != TD_VALUE_TENSOR) fail(w, TD_ERR_INTERNAL, "a formula without a result");
  if (w->status == TD_OK) {
    host->tensor_retain(result.as.tensor);
    *out = result.as.tensor;
  }
  release_since(w, 0, none);
  return w->status;
}

/* The entry of a plugin; `schemas_` has one for each of `types`. */
#define PLUGIN(plugin_id, types, schemas_) PLUGIN_ENTRY(plugin_id, 1, types, schemas_, find_operators(host_))

#endif
