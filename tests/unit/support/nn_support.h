/* Helpers of the tests of modules, optimizers and distributions. */
#ifndef NN_SUPPORT_H
#define NN_SUPPORT_H

#include <math.h>
#include <stdlib.h>

#include "support/calls.h"

/* ---- Leaks: every suite that includes this checks that its tests give everything back. */
static inline void count_live(void) {
  must(td_plugins_load(TD_STR(TD_TEST_PLUGINS "/nn_types.so"), &err));
  count_live_objects();
}

/* Criterion lets a failed assertion of a fixture pass, but no crash. */
static inline void check_live(void) {
  td_error_release(err);
  if (leaks(__FILE__, __LINE__)) abort();
}

/* ---- Tensors */
static inline td_tensor *floats(const float *values, const int64_t *dims, size_t ndim) {
  td_tensor *t;
  must(td_tensor_copy_from(values, TD_DTYPE_FLOAT32, dims, ndim, &t, &err));
  return t;
}
#define VEC(...) floats((const float[]){__VA_ARGS__}, TD_SHAPE(sizeof((const float[]){__VA_ARGS__}) / sizeof(float)))

static inline double at(const td_tensor *t, int64_t i) {
  td_tensor *flat, *wide;
  const void *data;
  must(td_tensor_detach(t, &flat, &err));
  must(td_tensor_to(flat, TD_DTYPE_FLOAT64, TD_NO_STR, &wide, &err));
  td_tensor_release(flat);
  must(td_tensor_contiguous(wide, &flat, &err));
  must(td_tensor_data(flat, &data, &err));
  cr_assert_lt(i, td_tensor_numel(flat));
  double value = ((const double *)data)[i];
  td_tensor_release(flat);
  td_tensor_release(wide);
  return value;
}

static inline void expect(const td_tensor *t, const double *values, size_t n, double tolerance, const char *what) {
  cr_assert_eq((size_t)td_tensor_numel(t), n, "%s has %d elements", what, (int)td_tensor_numel(t));
  for (size_t i = 0; i < n; ++i)
    cr_assert(fabs(at(t, (int64_t)i) - values[i]) <= tolerance, "%s[%d] = %.9g, not %.9g", what, (int)i,
              at(t, (int64_t)i), values[i]);
}
#define EXPECT(t, ...) \
  expect((t), (const double[]){__VA_ARGS__}, sizeof((const double[]){__VA_ARGS__}) / sizeof(double), 1e-5, #t)

static inline void expect_equal(const td_tensor *a, const td_tensor *b, double tolerance, const char *what) {
  cr_assert_eq(td_tensor_numel(a), td_tensor_numel(b), "%s differ in size", what);
  for (int64_t i = 0; i < td_tensor_numel(a); ++i)
    cr_assert(fabs(at(a, i) - at(b, i)) <= tolerance, "%s[%d]: %.9g and %.9g", what, (int)i, at(a, i), at(b, i));
}

static inline void expect_shape(const td_tensor *t, const int64_t *dims, size_t ndim) {
  int64_t got[8];
  cr_assert_eq(td_tensor_shape(t, got, 8), ndim);
  for (size_t i = 0; i < ndim; ++i) cr_assert_eq(got[i], dims[i], "size %d of dim %d", (int)got[i], (int)i);
}

/* The result of an operator of one or two tensors. */
static inline td_tensor *apply(const char *name, const td_tensor *a, const td_tensor *b) {
  td_op *op;
  td_value args[] = {td_value_tensor(a), td_value_tensor(b)}, y;
  must(td_op_find(TD_STR(name), TD_NO_STR, &op, &err));
  must(td_op_call(op, args, b ? 2 : 1, NULL, 0, &y, 1, &err));
  td_op_release(op);
  return y.as.tensor;
}

/* ---- Dicts; `put` takes the tensor over, `get` gives a reference that `peek` does not. */
static inline td_dict *dict(const int64_t *batch, size_t ndim) {
  td_dict *d;
  must(td_dict_new(batch, ndim, NULL, &d, &err));
  return d;
}

static inline void put(td_dict *d, const td_key *key, td_tensor *t) {
  must(td_dict_set(d, key, t, &err));
  td_tensor_release(t);
}

static inline td_tensor *get(const td_dict *d, const td_key *key) {
  td_tensor *t;
  must(td_dict_get(d, key, &t, &err));
  return t;
}

static inline td_tensor *peek(const td_dict *d, const td_key *key) {
  td_tensor *t = get(d, key);
  td_tensor_release(t);
  return t;
}

static inline void copy_into(td_dict *d, const td_key *key, td_tensor *t) {
  td_no_grad *scope;
  must(td_no_grad_begin(&scope, &err));
  must(td_dict_copy_into(d, key, t, &err));
  must(td_no_grad_end(scope, &err));
  td_no_grad_release(scope);
  td_tensor_release(t);
}

/* ---- Modules */
static inline td_module *module(const char *type, const char *config, uint64_t seed) {
  td_generator *rng;
  td_module *m;
  must(td_generator_new(seed, &rng, &err));
  must(td_module_new(TD_STR(type), TD_STR(config), rng, &m, &err));
  td_generator_release(rng);
  return m;
}

/* Of modules that fail for a missing input. */
static const td_tensordict_options strict_keys TD_MAYBE_UNUSED = {sizeof strict_keys, TD_INPLACE_DEFAULT, 1,
                                                                  TD_RESERVED, NULL};

/* With one in_key and one out_key; takes `inner` over. */
static inline td_module *keyed(td_module *inner, const char *in, const char *out) {
  td_module *m;
  must(td_module_tensordict(inner, TD_KEY(in), 1, TD_KEY(out), 1, &strict_keys, &m, &err));
  td_module_release(inner);
  return m;
}

/* A linear layer whose numbers are known: y = x * [[1, 2, 3], [4, 5, 6]]^T + [10, 20]. */
static inline td_module *known_linear(void) {
  td_module *m = module("td.linear", "{\"in_features\": 3, \"out_features\": 2}", 0);
  td_dict *state;
  must(td_dict_from_module(m, &state, &err));
  copy_into(state, TD_KEY("weight"), floats((const float[]){1, 2, 3, 4, 5, 6}, TD_SHAPE(2, 3)));
  copy_into(state, TD_KEY("bias"), VEC(10, 20));
  td_dict_release(state);
  return m;
}

/* ---- Functions of the caller */
typedef struct function {
  td_status status; /* what it returns */
  int writes, destroyed;
  double value; /* every output is the sum of the inputs, plus value, plus its index */
} function;

static inline td_status run_function(void *userdata, td_tensor *const *inputs, size_t n_inputs, td_tensor **outputs,
                                     size_t n_outputs, td_error **error) {
  const function *f = userdata;
  if (f->status != TD_OK) {
    *error = td_error_new(f->status, TD_STR("refused on purpose"));
    return f->status;
  }
  for (size_t i = 0; i < n_outputs && f->writes; ++i) {
    td_tensor *sum;
    td_status s = td_tensor_full(TD_SHAPE(1), TD_VALUE(td_value_double(f->value + (double)i)), TD_DTYPE_FLOAT32,
                                 TD_NO_STR, &sum, error);
    if (s != TD_OK) return s;
    for (size_t j = 0; j < n_inputs; ++j) {
      td_tensor *next = apply("add", sum, inputs[j]);
      td_tensor_release(sum);
      sum = next;
    }
    outputs[i] = sum;
  }
  return TD_OK;
}

static inline void destroy_function(void *userdata) {
  ((function *)userdata)->destroyed++;
}

static inline td_module *function_module(function *f) {
  td_module *m;
  must(td_module_from_function(TD_CALLBACKS(td_module_function, run_function, f, destroy_function), &m, &err));
  return m;
}

/* A parameter, which the module keeps alive. */
static inline td_tensor *parameter(const td_module *m, const td_key *name) {
  td_tensor *t;
  must(td_module_get_parameter(m, name, &t, &err));
  td_tensor_release(t);
  return t;
}

/* "a.b": the key at a place. */
static inline void append_key(char *text, const td_keys *keys, size_t index) {
  td_key k;
  must(td_keys_get(keys, index, &k, &err));
  for (size_t p = 0; p < k.n; ++p) {
    if (p) strcat(text, ".");
    strncat(text, k.parts[p].data, k.parts[p].size);
  }
}

/* "a.b c ": what the keys are, in order; releases them. */
static inline const char *joined(td_keys *keys) {
  static char text[512];
  text[0] = '\0';
  for (size_t i = 0; i < td_keys_size(keys); ++i) {
    append_key(text, keys, i);
    strcat(text, " ");
  }
  td_keys_release(keys);
  return text;
}

#endif
