/* Gradients of chosen inputs, of gradients themselves, and tensors that forget their history. */
#include "support/td.h"

static td_dict *weights(double value) {
  td_dict *td = new_dict(TD_NO_DIMS);
  put(td, TD_KEY("w"), full_f32(value, TD_SHAPE(2)));
  put(td, TD_KEY("n", "v"), full_f32(value, TD_SHAPE(2)));
  must(td_dict_requires_grad_(td, 1, &err));
  return td;
}

static td_tensor *power(const td_dict *td, const td_key *key, double exponent) {
  td_tensor *t = get(td, key), *out = call("pow", "Tensor_Scalar", ARGS(td_value_tensor(t), td_value_double(exponent)));
  td_tensor_release(t);
  return out;
}

/* {"l": the sum of w ** 3, "plain": without history} */
static td_dict *loss_of(const td_dict *td) {
  td_dict *out = new_dict(TD_NO_DIMS);
  td_tensor *cubes = power(td, TD_KEY("w"), 3);
  put(out, TD_KEY("l"), call("sum", "", ARGS(td_value_tensor(cubes))));
  put(out, TD_KEY("plain"), full_f32(1, TD_NO_DIMS));
  td_tensor_release(cubes);
  return out;
}

static td_dict *only_w(const td_dict *td) {
  td_dict *out;
  must(td_dict_select(td, TD_KEY("w"), 1, 1, &out, &err));
  return out;
}

LeaklessTest(dict_grad, backward_adds_to_the_inputs_only_and_can_be_repeated) {
  td_dict *td = weights(2), *v = new_dict(TD_NO_DIMS), *both = new_dict(TD_NO_DIMS), *grads;
  td_tensor *w3 = power(td, TD_KEY("w"), 3), *v2 = power(td, TD_KEY("n", "v"), 2);
  put(both, TD_KEY("l"), call("dot", "", ARGS(td_value_tensor(w3), td_value_tensor(v2))));
  td_tensor_release(w3), td_tensor_release(v2);
  td_backward_options options = TD_BACKWARD_OPTIONS_INIT;
  options.retain_graph = 1;
  put(v, TD_KEY("v"), get(td, TD_KEY("n", "v")));
  must(td_dict_backward(both, NULL, v, &options, &err));
  must(td_dict_grad(td, &grads, &err));
  check(td_dict_count(grads) == 1);
  expect_entry(grads, TD_KEY("n", "v"), VALUES(32, 32));
  td_dict_release(grads);

  td_dict *plain = new_dict(TD_NO_DIMS), *empty = new_dict(TD_NO_DIMS);
  put(plain, TD_KEY("p"), full_f32(1, TD_NO_DIMS));
  expect_error(td_dict_backward(both, NULL, plain, &options, &err), TD_ERR_ARGUMENT, "\"p\"", "require grad");
  expect_error(td_dict_backward(both, NULL, empty, &options, &err), TD_ERR_ARGUMENT, NULL, "inputs");
  expect_error(td_dict_backward(plain, NULL, NULL, NULL, &err), TD_ERR_ARGUMENT, NULL, "requires grad");
  expect_error(td_dict_backward(NULL, NULL, NULL, NULL, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  options.struct_size = 3;
  expect_error(td_dict_backward(both, NULL, NULL, &options, &err), TD_ERR_ARGUMENT, NULL, NULL);

  must(td_dict_backward(both, NULL, NULL, NULL, &err)); /* all of them, and the graph is used up */
  expect_error(td_dict_backward(both, NULL, NULL, NULL, &err), TD_ERR_TORCH, NULL, NULL);
  must(td_dict_grad(td, &grads, &err));
  expect_entry(grads, TD_KEY("w"), VALUES(48, 48));
  expect_entry(grads, TD_KEY("n", "v"), VALUES(64, 64));
  td_dict_release(grads), td_dict_release(plain), td_dict_release(empty);
  td_dict_release(both), td_dict_release(v), td_dict_release(td);
}

LeaklessTest(dict_grad, gradients_of_gradients) {
  td_dict *td = weights(2), *inputs = only_w(td), *loss = loss_of(td), *first, *second, *ones = new_dict(TD_NO_DIMS);
  td_backward_options options = TD_BACKWARD_OPTIONS_INIT;
  options.create_graph = 1;
  must(td_dict_lock_(inputs, &err));
  must(td_dict_autograd_grad(loss, inputs, NULL, &options, &first, &err));
  check(td_dict_is_locked(first) && td_dict_requires_grad(first));
  expect_entry(first, TD_KEY("w"), VALUES(12, 12));
  put(ones, TD_KEY("w"), full_f32(1, TD_SHAPE(2)));
  must(td_dict_autograd_grad(first, inputs, ones, NULL, &second, &err));
  expect_entry(second, TD_KEY("w"), VALUES(12, 12));
  check(!td_dict_requires_grad(second));
  td_dict *none;
  must(td_dict_grad(td, &none, &err)); /* nothing was added anywhere */
  check(none == NULL);
  td_dict_release(first), td_dict_release(second), td_dict_release(ones);
  td_dict_release(loss), td_dict_release(inputs), td_dict_release(td);
}

LeaklessTest(dict_grad, inputs_that_were_not_used_are_refused_before_the_graph_is_touched) {
  td_dict *td = weights(2), *loss = loss_of(td), *out = NULL;
  td_backward_options options = TD_BACKWARD_OPTIONS_INIT;
  expect_error(td_dict_autograd_grad(loss, td, NULL, NULL, &out, &err), TD_ERR_ARGUMENT, "(\"n\", \"v\")",
               "allow_unused");
  td_dict *plain = new_dict(TD_NO_DIMS);
  put(plain, TD_KEY("p"), full_f32(1, TD_NO_DIMS));
  expect_error(td_dict_autograd_grad(loss, plain, NULL, NULL, &out, &err), TD_ERR_ARGUMENT, "\"p\"", "require grad");
  expect_error(td_dict_autograd_grad(plain, td, NULL, NULL, &out, &err), TD_ERR_ARGUMENT, NULL, "requires grad");
  expect_error(td_dict_autograd_grad(loss, td, plain, NULL, &out, &err), TD_ERR_KEY, "\"l\"", NULL);
  expect_error(td_dict_autograd_grad(NULL, td, NULL, NULL, &out, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_dict_autograd_grad(loss, NULL, NULL, NULL, &out, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_dict_autograd_grad(loss, td, NULL, NULL, NULL, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  check(out == NULL);
  options.allow_unused = 1;
  must(td_dict_autograd_grad(loss, td, NULL, &options, &out, &err));
  check(td_dict_count(out) == 1);
  expect_entry(out, TD_KEY("w"), VALUES(12, 12));
  td_dict_release(out), td_dict_release(plain), td_dict_release(loss), td_dict_release(td);
}

LeaklessTest(dict_grad, members_of_lazy_stacks_have_gradients_of_their_own) {
  td_dict *one = weights(2), *two = weights(3), *stack, *squares, *grads, *ones;
  must(td_dict_lazy_stack((td_dict *const[]){one, two}, 2, 0, &stack, &err));
  td_op *mul = operator_named("mul", NULL), *like = operator_named("ones_like", NULL);
  must(td_dict_pointwise(mul, ARGS(td_value_dict(stack), td_value_dict(stack)), NULL, 0, NULL, &squares, &err));
  must(td_dict_pointwise(like, ARGS(td_value_dict(squares)), NULL, 0, NULL, &ones, &err));
  must(td_dict_autograd_grad(squares, stack, ones, NULL, &grads, &err));
  check(td_dict_kind_of(grads) == TD_DICT_KIND_LAZY_STACK);
  expect_entry(grads, TD_KEY("w"), VALUES(4, 4, 6, 6));
  td_dict_release(squares), td_dict_release(grads);
  must(td_dict_pointwise(mul, ARGS(td_value_dict(stack), td_value_dict(stack)), NULL, 0, NULL, &squares, &err));
  must(td_dict_backward(squares, ones, one, NULL, &err)); /* into the first member only */
  must(td_dict_grad(one, &grads, &err));
  expect_entry(grads, TD_KEY("n", "v"), VALUES(4, 4));
  td_dict_release(grads);
  must(td_dict_grad(two, &grads, &err));
  check(grads == NULL);
  must(td_dict_detach_(stack, &err));
  check(!td_dict_requires_grad(one) && !td_dict_requires_grad(two));
  td_op_release(mul), td_op_release(like);
  td_dict_release(squares), td_dict_release(ones), td_dict_release(stack), td_dict_release(one), td_dict_release(two);
}

LeaklessTest(dict_grad, tensors_forget_their_history_where_they_are) {
  td_dict *td = weights(2), *results = new_dict(TD_SHAPE(2));
  put(results, TD_KEY("a"), power(td, TD_KEY("w"), 2));
  put(results, TD_KEY("n", "plain"), full_f32(1, TD_SHAPE(2)));
  td_tensor *a = get(results, TD_KEY("a")), *flat;
  flat = call("view", "", ARGS(td_value_tensor(a), td_value_ints((const int64_t[]){2, 1}, 2)));
  put(results, TD_KEY("n", "view"), flat);
  expect_error(td_dict_detach_(results, &err), TD_ERR_TORCH, "(\"n\", \"view\")", NULL);
  check(td_tensor_requires_grad(a));
  must(td_dict_remove(results, TD_KEY("n", "view"), &err));
  must(td_dict_lock_(results, &err));
  must(td_dict_detach_(results, &err));
  check(!td_tensor_requires_grad(a) && !td_dict_requires_grad(results));
  expect_values(a, VALUES(4, 4));
  must(td_dict_detach_(td, &err)); /* leaves of the graph too */
  check(!td_dict_requires_grad(td));
  expect_error(td_dict_detach_(NULL, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  td_tensor_release(a);
  td_dict_release(results), td_dict_release(td);
}

LeaklessTest(dict_grad, memory_is_pinned_where_there_is_cuda) {
  td_dict *td = weights(2), *out = NULL;
  must(td_dict_lock_(td, &err));
  if (td_has_feature(TD_STR("cuda"))) {
    must(td_dict_pin_memory(td, &out, &err));
    check(td_dict_is_locked(out) && !same_memory(td, TD_KEY("w"), out, TD_KEY("w")));
    expect_entry(out, TD_KEY("n", "v"), VALUES(2, 2));
    td_dict_release(out);
  } else {
    expect_error(td_dict_pin_memory(td, &out, &err), TD_ERR_UNSUPPORTED, NULL, "CUDA");
    check(out == NULL);
  }
  expect_error(td_dict_pin_memory(NULL, &out, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  td_dict_release(td);
}
