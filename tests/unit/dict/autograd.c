/* Autograd: leaves, gradients, detached tensors and scopes without recording. */
#include <pthread.h>

#include "support/td.h"

static td_tensor *leaf(void) {
  td_tensor *x;
  must(td_tensor_copy_from((const float[]){1, 2, 3}, TD_DTYPE_FLOAT32, TD_SHAPE(3), &x, &err));
  return requiring_grad(x);
}

static td_tensor *square_sum(td_tensor *x) {
  td_tensor *y = call("mul", "Tensor", ARGS(td_value_tensor(x), td_value_tensor(x)));
  td_tensor *s = call("sum", "", ARGS(td_value_tensor(y)));
  td_tensor_release(y);
  return s;
}

static int records(td_tensor *x) {
  td_tensor *s = square_sum(x);
  const int recorded = td_tensor_requires_grad(s);
  td_tensor_release(s);
  return recorded;
}

static void expect_grad(const td_tensor *x, const double *values, size_t n) {
  td_tensor *grad;
  must(td_tensor_grad(x, &grad, &err));
  check(grad != NULL);
  expect_values_at(__FILE__, __LINE__, grad, values, n);
  td_tensor_release(grad);
}

LeaklessTest(autograd, backward_collects_gradients_in_the_leaves) {
  td_tensor *x = leaf(), *grad = x;
  must(td_tensor_grad(x, &grad, &err));
  check(grad == NULL); /* none yet */
  td_tensor *y = square_sum(x);
  must(td_tensor_backward(y, NULL, 1, &err));
  expect_grad(x, VALUES(2, 4, 6));
  must(td_tensor_backward(y, NULL, 0, &err)); /* adds; the graph was kept for it */
  expect_grad(x, VALUES(4, 8, 12));
  expect_error(td_tensor_backward(y, NULL, 0, &err), TD_ERR_TORCH, NULL, "second time");
  td_tensor_release(y);

  y = call("mul", "Tensor", ARGS(td_value_tensor(x), td_value_tensor(x)));
  td_tensor *weights = vector_of(TD_DTYPE_FLOAT32, TD_SHAPE(1, 0, 10)),
            *short_one = vector_of(TD_DTYPE_FLOAT32, TD_SHAPE(1, 2));
  expect_error(td_tensor_backward(y, NULL, 0, &err), TD_ERR_SHAPE, NULL, "[3]");
  expect_error(td_tensor_backward(y, short_one, 0, &err), TD_ERR_SHAPE, NULL, "[2]");
  must(td_tensor_backward(y, weights, 0, &err));
  expect_grad(x, VALUES(6, 8, 72));
  td_tensor *plain = range_f32(TD_SHAPE(1));
  expect_error(td_tensor_backward(plain, NULL, 0, &err), TD_ERR_ARGUMENT, NULL, "requires grad");
  td_tensor_release(plain);
  td_tensor_release(weights);
  td_tensor_release(short_one);
  td_tensor_release(y);
  td_tensor_release(x);
}

LeaklessTest(autograd, recording_is_switched_on_leaves_and_left_by_detaching) {
  td_tensor *x = range_f32(TD_SHAPE(3)), *ints = counted(TD_DTYPE_INT64, TD_SHAPE(3)), *y, *d;
  check(!td_tensor_requires_grad(x));
  must(td_tensor_requires_grad_(x, 1, &err));
  check(td_tensor_requires_grad(x));
  must(td_tensor_requires_grad_(x, 0, &err));
  check(!td_tensor_requires_grad(x));
  expect_error(td_tensor_requires_grad_(ints, 1, &err), TD_ERR_DTYPE, NULL, "floating");
  must(td_tensor_requires_grad_(ints, 0, &err));

  must(td_tensor_requires_grad_(x, 1, &err));
  y = call("neg", "", ARGS(td_value_tensor(x)));
  expect_error(td_tensor_requires_grad_(y, 0, &err), TD_ERR_ARGUMENT, NULL, "detach");
  must(td_tensor_detach(y, &d, &err));
  check(td_tensor_requires_grad(y) && !td_tensor_requires_grad(d) && address(d) == address(y));
  td_tensor *value = range_f32(TD_SHAPE(3));
  expect_error(td_tensor_copy_(x, value, &err), TD_ERR_TORCH, NULL, "leaf");
  td_tensor_release(value);
  td_tensor_release(d);
  td_tensor_release(y);
  td_tensor_release(ints);
  td_tensor_release(x);
}

LeaklessTest(autograd, scopes_without_recording_nest_and_end_in_reverse_order) {
  td_tensor *x = leaf();
  td_no_grad *outer, *inner;
  check(records(x));
  must(td_no_grad_begin(&outer, &err));
  check(!records(x));
  must(td_no_grad_begin(&inner, &err));
  expect_error(td_no_grad_end(outer, &err), TD_ERR_ARGUMENT, NULL, "inner");
  check(!records(x)); /* both are still open */
  must(td_no_grad_end(inner, &err));
  td_no_grad_release(inner);
  check(!records(x));
  must(td_no_grad_end(outer, &err));
  td_no_grad_release(outer);
  check(records(x));
  td_tensor_release(x);
}

struct visitor {
  td_no_grad *foreign;
  td_tensor *x;
  td_status ended;
  int recorded_there;
};

static void *end_a_foreign_scope(void *argument) {
  struct visitor *v = argument;
  v->ended = td_no_grad_end(v->foreign, NULL);
  v->recorded_there = records(v->x);
  return NULL;
}

LeaklessTest(autograd, a_scope_belongs_to_the_thread_that_began_it) {
  struct visitor v = {NULL, leaf(), TD_OK, 0};
  pthread_t thread;
  must(td_no_grad_begin(&v.foreign, &err));
  check(pthread_create(&thread, NULL, end_a_foreign_scope, &v) == 0);
  pthread_join(thread, NULL);
  check(v.ended == TD_ERR_ARGUMENT);
  check(v.recorded_there); /* other threads go on recording */
  check(!records(v.x));
  must(td_no_grad_end(v.foreign, &err));
  td_no_grad_release(v.foreign);
  td_tensor_release(v.x);
}

/* The view is a leaf until a recorded operator writes into the memory around it. */
LeaklessTest(autograd, a_leaf_that_was_overwritten_is_an_error_of_the_caller) {
  td_tensor *whole, *ones = leaf();
  must(td_tensor_copy_from((const float[]){0, 0, 0, 0, 0, 0}, TD_DTYPE_FLOAT32, TD_SHAPE(2, 3), &whole, &err));
  td_tensor *first = call("select", "int", ARGS(td_value_tensor(whole), td_value_int(0), td_value_int(0)));
  td_tensor *view =
      requiring_grad(call("select", "int", ARGS(td_value_tensor(whole), td_value_int(0), td_value_int(1))));
  td_tensor *sum = call("sum", "", ARGS(td_value_tensor(view)));
  must(td_tensor_copy_(first, ones, &err));
  expect_error(td_tensor_backward(sum, NULL, 0, &err), TD_ERR_TORCH, NULL, "td_no_grad_begin");
  td_dict *td = new_dict(TD_NO_DIMS);
  put(td, TD_KEY("sum"), sum);
  expect_error(td_dict_backward(td, NULL, NULL, NULL, &err), TD_ERR_TORCH, NULL, "td_no_grad_begin");
  td_tensor_release(whole), td_tensor_release(ones);
  td_tensor_release(first), td_tensor_release(view), td_dict_release(td);
}
