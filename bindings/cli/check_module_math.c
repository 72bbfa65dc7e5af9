// Gradients of modules: in float64, with parameters handed in, so that finite differences mean something.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check_module.h"
#include "value.h"

void check_module_gradients(trial *t);

typedef struct setting {
  const subject *s;
  td_module *m;
  td_dict *state;  // float64
  td_dict *data;   // inputs, float64
} setting;

// The sum of all outputs, each element with a weight of its own so that errors do not cancel; NULL if it fails.
static td_tensor *weighted_sum(const setting *c, td_error **err) {
  td_dict *data;
  td_tensor *sum = NULL;
  td_op *mul, *add;
  must(td_dict_copy(c->data, &data, err), err, "copying the inputs");
  must(td_op_find(TD_STR("mul"), TD_STR("Tensor"), &mul, err), err, "finding mul");
  must(td_op_find(TD_STR("sum"), TD_STR(""), &add, err), err, "finding sum");
  if (td_module_forward_with_state(c->m, c->state, data, err) != TD_OK) return NULL;
  td_tensor *out = output_of(data, 0), *weights;
  int64_t dims[64];
  size_t ndim = td_tensor_shape(out, dims, 64);
  td_generator *g;
  must(td_generator_new(99, &g, err), err, "making a generator");
  must(td_tensor_randn(dims, ndim, TD_DTYPE_FLOAT64, TD_NO_STR, g, &weights, err), err, "making weights");
  td_value args[] = {td_value_tensor(out), td_value_tensor(weights)}, product, total;
  must(td_op_call(mul, args, 2, NULL, 0, &product, 1, err), err, "weighting the output");
  must(td_op_call(add, &product, 1, NULL, 0, &total, 1, err), err, "summing up");
  sum = total.as.tensor;
  td_value_clear(&product);
  td_tensor_release(out);
  td_tensor_release(weights);
  td_generator_release(g);
  td_op_release(mul);
  td_op_release(add);
  td_dict_release(data);
  return sum;
}

static double value_of(const setting *c) {
  td_error *err = NULL;
  td_value v;
  td_no_grad *scope;
  must(td_no_grad_begin(&scope, &err), &err, "stopping gradients");
  td_tensor *sum = weighted_sum(c, &err);
  if (!sum) fail_trial("running it in float64 again: %s", td_error_message(err).data);
  must(td_tensor_item(sum, &v, &err), &err, "reading the sum");
  must(td_no_grad_end(scope, &err), &err, "starting gradients");
  td_no_grad_release(scope);
  td_tensor_release(sum);
  return v.as.f;
}

// A few elements of one leaf are moved in place, forth and back.
static void compare_leaf(const setting *c, trial *t, td_tensor *leaf, const char *what) {
  td_tensor *gradient, *plain;
  void *memory;
  const double *found = NULL;
  const void *bytes;
  td_error *err = NULL;
  must(td_tensor_grad(leaf, &gradient, &err), &err, "reading a gradient");
  if (gradient) must(td_tensor_contiguous(gradient, &gradient, &err), &err, "reading a gradient");
  if (gradient) must(td_tensor_data(gradient, &bytes, &err), &err, "reading a gradient"), found = bytes;
  must(td_tensor_detach(leaf, &plain, &err), &err, "detaching a leaf");
  must(td_tensor_mutable_data(plain, &memory, &err), &err, "writing to a leaf");
  double *x = memory;
  int64_t n = td_tensor_numel(leaf);
  for (int probe = 0; probe < 6 && n; ++probe) {
    int64_t i = (int64_t)(draw(t) % (uint64_t)n);
    double kept = x[i], step = 1e-6 * fmax(1, fabs(kept)), up, down, middle;
    x[i] = kept + step, up = value_of(c);
    x[i] = kept - step, down = value_of(c);
    x[i] = kept, middle = value_of(c);
    double slope = (up - down) / (2 * step), got = found ? found[i] : 0;
    // Where the slopes to both sides differ there is a kink, as relu has: no gradient is right there.
    int kink = fabs((up - middle) - (middle - down)) / step > 1e-3 * (1 + fabs(slope));
    if (!kink && fabs(slope - got) > 1e-4 * (1 + fabs(slope)))
      fail_trial("the gradient by element %lld of %s is %.9g, its finite difference %.9g", (long long)i, what, got,
                 slope);
  }
}

static void require_grads(td_dict *d) {
  td_keys *keys;
  td_tensor_list *leaves;
  td_error *err = NULL;
  must(td_dict_leaves(d, &keys, &leaves, &err), &err, "reading leaves");
  for (size_t i = 0; i < td_tensor_list_size(leaves); ++i) {
    td_tensor *x;
    must(td_tensor_list_get(leaves, i, &x, &err), &err, "reading leaves");
    if (td_tensor_dtype(x) == TD_DTYPE_FLOAT64)
      must(td_tensor_requires_grad_(x, 1, &err), &err, "asking for gradients");
    td_tensor_release(x);
  }
}

static void compare_leaves(const setting *c, trial *t, const td_dict *d, const char *what) {
  td_keys *keys;
  td_tensor_list *leaves;
  td_error *err = NULL;
  must(td_dict_leaves(d, &keys, &leaves, &err), &err, "reading leaves");
  for (size_t i = 0; i < td_tensor_list_size(leaves); ++i) {
    td_tensor *x;
    char words[64];
    must(td_tensor_list_get(leaves, i, &x, &err), &err, "reading leaves");
    snprintf(words, sizeof words, "%s %zu", what, i);
    if (td_tensor_dtype(x) == TD_DTYPE_FLOAT64) compare_leaf(c, t, x, words);
    td_tensor_release(x);
  }
}

static td_dict *wide_copy(const td_dict *d) {
  td_dict *cloned, *wide, *detached;
  td_error *err = NULL;
  must(td_dict_clone(d, &cloned, &err), &err, "copying the state");
  must(td_dict_to(cloned, TD_DTYPE_FLOAT64, TD_NO_STR, &wide, &err), &err, "casting the state");
  must(td_dict_detach(wide, &detached, &err), &err, "detaching the state");
  return detached;
}

void check_module_gradients(trial *t) {
  subject s = find_subject(t);
  if (s.dtype != TD_DTYPE_FLOAT32) skip_trial("its inputs are whole numbers");
  setting c = {&s, with_keys(&s, make_module(&s, 1)), NULL, input_dict(&s, 3, TD_DTYPE_FLOAT64)};
  c.state = wide_copy(state_of(c.m));
  td_error *err = NULL;
  require_grads(c.state);
  require_grads(c.data);
  td_tensor *sum = weighted_sum(&c, &err);
  if (!sum) skip_trial("it does not run in float64: %s", td_error_message(err).data);
  if (!td_tensor_requires_grad(sum)) {
    if (has_flag(t, "differentiable") == 0) skip_trial("it does not say that it is differentiable");
    fail_trial("its output has no gradient: is it made of operators?");
  }
  must(td_tensor_backward(sum, NULL, 0, &err), &err, "running backward");
  compare_leaves(&c, t, c.state, "parameter");
  compare_leaves(&c, t, c.data, "input");
}
