/* Autograd, dtypes, devices and state of dicts. */
#include "support/td.h"

static td_dict *tree(double value) {
  td_dict *td = new_dict(TD_SHAPE(2));
  put(td, TD_KEY("a"), full_f32(value, TD_SHAPE(2)));
  put(td, TD_KEY("n", "b"), full_f32(value + 1, TD_SHAPE(2, 2)));
  return td;
}

static td_dict *product(const td_dict *x, const td_value other) {
  td_op *mul = operator_named("mul", NULL);
  td_dict *out;
  must(td_dict_pointwise(mul, ARGS(td_value_dict(x), other), NULL, 0, NULL, &out, &err));
  td_op_release(mul);
  return out;
}

LeaklessTest(dict_autograd, gradients_of_all_leaves_come_from_one_backward) {
  td_dict *x = tree(3), *ones = tree(1), *squares, *grads, *zeros;
  must(td_dict_requires_grad_(x, 1, &err));
  check(td_dict_requires_grad(x) && !td_dict_requires_grad(ones) && !td_dict_requires_grad(NULL));
  must(td_dict_grad(x, &grads, &err));
  check(grads == NULL);
  squares = product(x, td_value_dict(x));
  must(td_dict_backward(squares, ones, NULL, NULL, &err));
  must(td_dict_lock_(x, &err));
  must(td_dict_grad(x, &grads, &err));
  check(td_dict_is_locked(grads));
  expect_batch(grads, TD_SHAPE(2));
  expect_entry(grads, TD_KEY("a"), VALUES(6, 6));
  expect_entry(grads, TD_KEY("n", "b"), VALUES(16, 16, 16, 16));
  td_dict_release(grads);
  must(td_dict_zero_grad(x, 0, &err));
  must(td_dict_grad(x, &zeros, &err));
  expect_entry(zeros, TD_KEY("a"), VALUES(0, 0));
  td_dict_release(zeros);
  must(td_dict_zero_grad(x, 1, &err));
  must(td_dict_grad(x, &grads, &err));
  check(grads == NULL);
  td_dict_release(squares);
  td_dict_release(ones);
  td_dict_release(x);
}

LeaklessTest(dict_autograd, the_graph_is_kept_when_that_is_asked_for) {
  td_backward_options retain = TD_BACKWARD_OPTIONS_INIT;
  retain.retain_graph = 1;
  td_dict *x = tree(3), *ones = tree(1);
  must(td_dict_requires_grad_(x, 1, &err));
  td_dict *squares = product(x, td_value_dict(x));
  must(td_dict_backward(squares, ones, NULL, &retain, &err));
  must(td_dict_backward(squares, ones, NULL, NULL, &err));
  expect_error(td_dict_backward(squares, ones, NULL, NULL, &err), TD_ERR_TORCH, NULL, NULL);
  td_dict_release(squares);
  td_dict_release(ones);
  td_dict_release(x);
}

LeaklessTest(dict_autograd, backward_needs_a_gradient_for_each_leaf) {
  td_dict *x = tree(3), *ones = tree(1), *lacking = new_dict(TD_SHAPE(2));
  must(td_dict_requires_grad_(x, 1, &err));
  td_dict *squares = product(x, td_value_dict(x));
  expect_error(td_dict_backward(squares, NULL, NULL, NULL, &err), TD_ERR_SHAPE, "\"a\"", "gradient");
  expect_error(td_dict_backward(ones, ones, NULL, NULL, &err), TD_ERR_ARGUMENT, NULL, "requires grad");
  put(lacking, TD_KEY("a"), full_f32(1, TD_SHAPE(2)));
  expect_error(td_dict_backward(squares, lacking, NULL, NULL, &err), TD_ERR_KEY, "(\"n\", \"b\")", NULL);
  put(lacking, TD_KEY("n", "b"), full_f32(1, TD_SHAPE(2)));
  expect_error(td_dict_backward(squares, lacking, NULL, NULL, &err), TD_ERR_SHAPE, "(\"n\", \"b\")", "[2]");
  td_dict_release(lacking);
  td_dict_release(squares);
  td_dict_release(ones);
  td_dict_release(x);
}

LeaklessTest(dict_autograd, one_backward_serves_leaves_that_share_their_history) {
  td_dict *x = tree(3), *grads;
  must(td_dict_requires_grad_(x, 1, &err));
  td_op *sum = operator_named("sum", "");
  td_dict *totals, *twice = product(x, td_value_double(2));
  td_tensor *b = get(twice, TD_KEY("n", "b"));
  td_dict *shared = new_dict(TD_NO_DIMS);
  put(shared, TD_KEY("p"), call("mul", "Tensor", ARGS(td_value_tensor(b), td_value_tensor(b))));
  put(shared, TD_KEY("q"), call("exp", "", ARGS(td_value_tensor(b))));
  td_tensor_release(b);
  must(td_dict_reduce(shared, sum, NULL, 0, NULL, &totals, 1, &err));
  must(td_dict_backward(totals, NULL, NULL, NULL, &err));
  must(td_dict_grad(x, &grads, &err));
  check(td_dict_count(grads) == 1 && kind_at(grads, TD_KEY("n", "b")) == TD_ENTRY_TENSOR); /* "a" has none */
  td_dict_release(grads);
  td_dict_release(totals);
  td_dict_release(shared);
  td_dict_release(twice);
  td_op_release(sum);
  td_dict_release(x);
}

LeaklessTest(dict_autograd, recording_starts_on_all_leaves_or_none) {
  td_dict *x = tree(1), *out;
  put(x, TD_KEY("n", "int"), counted(TD_DTYPE_INT64, TD_SHAPE(2)));
  expect_error(td_dict_requires_grad_(x, 1, &err), TD_ERR_DTYPE, "(\"n\", \"int\")", NULL);
  check(!td_dict_requires_grad(x));
  must(td_dict_remove(x, TD_KEY("n", "int"), &err));
  must(td_dict_requires_grad_(x, 1, &err));
  td_dict *y = product(x, td_value_double(2));
  expect_error(td_dict_requires_grad_(y, 0, &err), TD_ERR_ARGUMENT, "\"a\"", NULL);
  must(td_dict_lock_(y, &err));
  must(td_dict_detach(y, &out, &err));
  check(!td_dict_requires_grad(out) && td_dict_is_locked(out) && td_dict_requires_grad(y));
  check(same_memory(y, TD_KEY("n", "b"), out, TD_KEY("n", "b")));
  td_dict_release(out);
  must(td_dict_requires_grad_(x, 0, &err));
  check(!td_dict_requires_grad(x));
  td_dict_release(y);
  td_dict_release(x);
  out = NULL;
  expect_error(td_dict_requires_grad_(NULL, 1, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_dict_detach(NULL, &out, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_dict_grad(NULL, &out, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_dict_zero_grad(NULL, 1, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_dict_backward(NULL, NULL, NULL, NULL, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_dict_to(NULL, TD_DTYPE_FLOAT32, TD_NO_STR, &out, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_dict_state_dict(NULL, &out, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  check(out == NULL);
}

LeaklessTest(dict_autograd, another_dtype_or_device_is_a_new_dict_and_else_it_is_the_same) {
  td_dict *x = tree(1), *out, *again;
  must(td_dict_lock_(x, &err));
  must(td_dict_to(x, TD_DTYPE_NONE, TD_NO_STR, &out, &err));
  check(out == x);
  td_dict_release(out);
  must(td_dict_to(x, TD_DTYPE_NONE, TD_STR("cpu"), &out, &err)); /* it had no device */
  check(out != x && td_dict_is_locked(out) && same_memory(x, TD_KEY("n", "b"), out, TD_KEY("n", "b")));
  td_dict *n = get_dict(out, TD_KEY("n"));
  const td_dict *nodes[] = {out, n};
  for (int i = 0; i < 2; ++i) {
    check(says(td_dict_device(nodes[i]), "cpu"));
  }
  td_dict_release(n);
  const char *cpus[] = {"cpu:0", "cpu:1"}; /* there is one */
  for (int i = 0; i < 2; ++i) {
    must(td_dict_to(out, TD_DTYPE_NONE, TD_STR(cpus[i]), &again, &err));
    check(again == out && says(td_dict_device(again), "cpu"));
    td_dict_release(again);
  }
  must(td_dict_to(out, TD_DTYPE_INT64, TD_NO_STR, &again, &err));
  td_tensor *b = get(again, TD_KEY("n", "b"));
  check(td_tensor_dtype(b) == TD_DTYPE_INT64);
  td_tensor_release(b);
  check(says(td_dict_device(again), "cpu"));
  td_dict_release(again);
  td_dict_release(out);
  must(td_dict_to(x, TD_DTYPE_FLOAT64, TD_STR("meta"), &out, &err));
  b = get(out, TD_KEY("n", "b"));
  check(td_tensor_dtype(b) == TD_DTYPE_FLOAT64);
  check(says(td_tensor_device(b), "meta"));
  td_tensor_release(b);
  td_dict_release(out);
  out = NULL;
  expect_error(td_dict_to(x, 99, TD_NO_STR, &out, &err), TD_ERR_DTYPE, NULL, NULL);
  expect_error(td_dict_to(x, TD_DTYPE_NONE, TD_STR("nowhere"), &out, &err), TD_ERR_DEVICE, NULL, "nowhere");
  expect_error(td_dict_to(x, TD_DTYPE_FLOAT64, TD_NO_STR, NULL, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  check(out == NULL);
  td_dict_release(x);
}

LeaklessTest(dict_autograd, a_state_is_copied_in_or_assigned) {
  td_dict *x = tree(1), *y = tree(10), *state;
  must(td_dict_requires_grad_(y, 1, &err));
  must(td_dict_lock_(y, &err));
  must(td_dict_state_dict(y, &state, &err));
  check(!td_dict_is_locked(state) && !td_dict_requires_grad(state));
  check(same_memory(state, TD_KEY("n", "b"), y, TD_KEY("n", "b")));
  must(td_dict_requires_grad_(x, 1, &err));
  must(td_dict_lock_(x, &err));
  td_tensor *before = get(x, TD_KEY("a"));
  must(td_dict_load_state_dict(x, state, NULL, &err)); /* locked, and recorded: values only */
  expect_values(before, VALUES(10, 10));
  expect_entry(x, TD_KEY("n", "b"), VALUES(11, 11, 11, 11));
  check(!same_memory(x, TD_KEY("a"), state, TD_KEY("a")));
  td_load_state_options options = TD_LOAD_STATE_OPTIONS_INIT;
  options.assign = 1;
  expect_error(td_dict_load_state_dict(x, state, &options, &err), TD_ERR_LOCKED, "\"a\"", NULL);
  must(td_dict_unlock_(x, &err));
  must(td_dict_load_state_dict(x, state, &options, &err));
  check(same_memory(x, TD_KEY("n", "b"), state, TD_KEY("n", "b")));
  td_tensor_release(before);
  td_dict_release(x);

  /* The batch sizes come along. */
  x = new_dict(TD_NO_DIMS);
  put(x, TD_KEY("a"), full_f32(0, TD_SHAPE(2)));
  put(x, TD_KEY("n", "b"), full_f32(0, TD_SHAPE(2, 2)));
  must(td_dict_load_state_dict(x, state, NULL, &err));
  td_dict *n = get_dict(x, TD_KEY("n"));
  expect_batch(x, TD_SHAPE(2));
  expect_batch(n, TD_SHAPE(2));
  td_dict_release(n);
  td_dict_release(x);
  td_dict_release(state);
  td_dict_release(y);
}

LeaklessTest(dict_autograd, a_state_that_does_not_fit_changes_nothing) {
  for (int obstacle = 0; obstacle < 5; ++obstacle) {
    td_dict *x = tree(1), *state = tree(10);
    td_status code = TD_ERR_KEY;
    put_dict(state, TD_KEY("hollow"), new_dict(TD_SHAPE(2))); /* not an entry */
    td_load_state_options options = TD_LOAD_STATE_OPTIONS_INIT;
    switch (obstacle) {
      case 0: /* only in the state */
        put(state, TD_KEY("n", "z"), full_f32(1, TD_SHAPE(2)));
        break;
      case 1: /* only in the dict */
        put(x, TD_KEY("n", "z"), full_f32(1, TD_SHAPE(2)));
        break;
      case 2: /* another kind */
        put(x, TD_KEY("n", "z"), full_f32(1, TD_SHAPE(2)));
        put(state, TD_KEY("n", "z", "y"), full_f32(1, TD_SHAPE(2)));
        break;
      case 3: /* another shape */
        put(x, TD_KEY("n", "z"), full_f32(1, TD_SHAPE(2)));
        put(state, TD_KEY("n", "z"), full_f32(1, TD_SHAPE(2, 1)));
        code = TD_ERR_SHAPE;
        break;
      case 4: /* an entry to add to a locked dict */
        put(state, TD_KEY("n", "z"), full_f32(1, TD_SHAPE(2)));
        must(td_dict_lock_(x, &err));
        options.lenient = 1;
        code = TD_ERR_LOCKED;
    }
    expect_error(td_dict_load_state_dict(x, state, &options, &err), code, "(\"n\", \"z\")", NULL);
    expect_entry(x, TD_KEY("a"), VALUES(1, 1));
    expect_entry(x, TD_KEY("n", "b"), VALUES(2, 2, 2, 2));
    check(kind_at(x, TD_KEY("hollow")) == TD_ENTRY_NONE);
    expect_error(td_dict_load_state_dict(NULL, state, NULL, &err), TD_ERR_ARGUMENT, NULL, "NULL");
    expect_error(td_dict_load_state_dict(x, NULL, NULL, &err), TD_ERR_ARGUMENT, NULL, "NULL");
    td_dict_release(x);
    td_dict_release(state);
  }
}

LeaklessTest(dict_autograd, a_state_brings_entries_along_when_it_may) {
  td_dict *x = tree(1), *state = tree(10);
  put_dict(state, TD_KEY("hollow"), new_dict(TD_SHAPE(2)));
  put(state, TD_KEY("n", "z"), full_f32(1, TD_SHAPE(2)));
  td_load_state_options options = TD_LOAD_STATE_OPTIONS_INIT;
  options.lenient = 1;
  must(td_dict_load_state_dict(x, state, &options, &err));
  check(kind_at(x, TD_KEY("n", "z")) == TD_ENTRY_TENSOR && kind_at(x, TD_KEY("hollow")) == TD_ENTRY_DICT);
  td_dict_release(x);
  td_dict_release(state);
}

/* A copy into the first member would have changed what the second part of the state is made of views of, which autograd
 * would then refuse to show. */
LeaklessTest(dict_autograd, a_state_is_read_before_anything_is_written) {
  td_dict *x = tree(3), *y, *other = tree(0), *views, *target, *state, *fives = tree(5);
  must(td_dict_requires_grad_(x, 1, &err));
  y = product(x, td_value_int(2));
  must(td_dict_to_lazy_stack(y, 0, &views, &err));
  must(td_dict_lazy_stack((td_dict *const[]){y, other}, 2, 0, &target, &err));
  must(td_dict_lazy_stack((td_dict *const[]){fives, views}, 2, 0, &state, &err));
  must(td_dict_load_state_dict(target, state, NULL, &err));
  expect_entry(y, TD_KEY("a"), VALUES(5, 5));
  expect_entry(other, TD_KEY("a"), VALUES(6, 6));
  expect_entry(other, TD_KEY("n", "b"), VALUES(8, 8, 8, 8));
  td_dict_release(state);
  td_dict_release(target);
  td_dict_release(views);
  td_dict_release(fives);
  td_dict_release(other);
  td_dict_release(y);
  td_dict_release(x);
}
