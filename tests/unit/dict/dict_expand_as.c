/* The shapes of another dict, and copies of values in the place of each tensor. */
#include "support/data.h"
#include "support/trees.h"

/* {"a": f32 [3, 1, 2], "n": {"b": i64 [3, 2, 1]} of batch size [3, 2], "s": "hi"} of batch size [3]. */
static td_dict *thin(void) {
  td_dict *td = new_dict(TD_SHAPE(3)), *n = new_dict(TD_SHAPE(3, 2));
  put(n, TD_KEY("b"), counted(TD_DTYPE_INT64, TD_SHAPE(3, 2, 1)));
  put(td, TD_KEY("a"), range_f32(TD_SHAPE(3, 1, 2)));
  put_dict(td, TD_KEY("n"), n);
  must(td_dict_set_data(td, TD_KEY("s"), TD_DATA(TEXT("hi")), &err));
  return td;
}

/* The same with more of everything, and an entry that `thin` lacks. */
static td_dict *wide(void) {
  td_dict *td = new_dict(TD_SHAPE(2, 3)), *n = new_dict(TD_SHAPE(2, 3, 2));
  put(n, TD_KEY("b"), counted(TD_DTYPE_FLOAT64, TD_SHAPE(2, 3, 2, 4)));
  put(td, TD_KEY("z"), range_f32(TD_SHAPE(2, 3)));
  put_dict(td, TD_KEY("n"), n);
  put(td, TD_KEY("a"), range_f32(TD_SHAPE(2, 3, 2, 2)));
  must(td_dict_set_data(td, TD_KEY("s"), TD_DATA(TEXT("no")), &err));
  return td;
}

LeaklessTest(dict_expand_as, features_and_nodes_take_the_shapes_of_the_other_dict) {
  td_dict *td = thin(), *other = wide(), *out = NULL;
  must(td_dict_set_names(td, (const td_str[]){TD_STR("x")}, 1, &err));
  must(td_dict_lock_(td, &err));
  must(td_dict_expand_as(td, other, &out, &err));
  expect_batch(out, TD_SHAPE(2, 3));
  expect_names(out, "--");
  check(!td_dict_is_locked(out) && kind_at(out, TD_KEY("z")) == TD_ENTRY_NONE);
  td_tensor *a = get(out, TD_KEY("a")), *b = get(out, TD_KEY("n", "b"));
  expect_shape(a, TD_SHAPE(2, 3, 2, 2));
  expect_shape(b, TD_SHAPE(2, 3, 2, 4));
  check(td_tensor_dtype(b) == TD_DTYPE_INT64 && same_memory(td, TD_KEY("a"), out, TD_KEY("a")));
  expect_values(a, VALUES(0, 1, 0, 1, 2, 3, 2, 3, 4, 5, 4, 5, 0, 1, 0, 1, 2, 3, 2, 3, 4, 5, 4, 5));
  td_dict *n = get_dict(out, TD_KEY("n"));
  expect_batch(n, TD_SHAPE(2, 3));
  expect_data(out, TD_KEY("s"), 0, TEXT("hi"));
  td_tensor_release(a), td_tensor_release(b), td_dict_release(n), td_dict_release(out);

  out = NULL;
  must(td_dict_remove(other, TD_KEY("s"), &err));
  expect_error(td_dict_expand_as(td, other, &out, &err), TD_ERR_KEY, "\"s\"", NULL);
  must(td_dict_set_data(other, TD_KEY("s"), TD_DATA(TEXT("no")), &err));
  put(other, TD_KEY("a"), range_f32(TD_SHAPE(2, 3)));
  expect_error(td_dict_expand_as(td, other, &out, &err), TD_ERR_SHAPE, "\"a\"", "[2, 3]");
  put_dict(other, TD_KEY("a"), new_dict(TD_SHAPE(2, 3)));
  expect_error(td_dict_expand_as(td, other, &out, &err), TD_ERR_KEY, "\"a\"", "a dict");
  expect_error(td_dict_expand_as(NULL, other, &out, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_dict_expand_as(td, NULL, &out, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_dict_expand_as(td, td, NULL, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  check(out == NULL);
  td_dict_release(td), td_dict_release(other);
}

LeaklessTest(dict_expand_as, stacked_data_is_repeated_and_lazy_stacks_are_made_dense) {
  td_dict *one = new_dict(TD_SHAPE(1)), *two = new_dict(TD_SHAPE(1)), *stack, *other = new_dict(TD_SHAPE(3, 2, 1)),
          *out;
  put(one, TD_KEY("a"), full_f32(1, TD_SHAPE(1, 1)));
  put(two, TD_KEY("a"), full_f32(2, TD_SHAPE(1, 1)));
  put(two, TD_KEY("only"), full_f32(2, TD_SHAPE(1, 1)));
  put(other, TD_KEY("a"), full_f32(0, TD_SHAPE(3, 2, 1, 2)));
  must(td_dict_lazy_stack((td_dict *const[]){one, two}, 2, 0, &stack, &err));
  must(td_dict_expand_as(stack, other, &out, &err));
  check(td_dict_kind_of(out) == TD_DICT_KIND_TENSORDICT && td_dict_count(out) == 1);
  expect_entry(out, TD_KEY("a"), VALUES(1, 1, 2, 2, 1, 1, 2, 2, 1, 1, 2, 2));
  td_dict_release(out), td_dict_release(stack);
  must(td_dict_remove(two, TD_KEY("only"), &err));
  put(two, TD_KEY("a"), full_f32(2, TD_SHAPE(1, 3)));
  must(td_dict_lazy_stack((td_dict *const[]){one, two}, 2, 0, &stack, &err));
  out = NULL;
  expect_error(td_dict_expand_as(stack, other, &out, &err), TD_ERR_SHAPE, NULL, NULL);
  check(out == NULL);
  td_dict_release(stack), td_dict_release(other);

  const td_data texts[] = {TEXT("p"), TEXT("q")};
  td_dict *few = new_dict(TD_SHAPE(2)), *many = new_dict(TD_SHAPE(2, 2));
  must(td_dict_set_data_stack(few, TD_KEY("s"), texts, 2, &err));
  must(td_dict_set_data(many, TD_KEY("s"), &texts[0], &err));
  must(td_dict_expand_as(few, many, &out, &err));
  for (size_t i = 0; i < 4; ++i) expect_data(out, TD_KEY("s"), i, texts[i % 2]);
  td_dict_release(out), td_dict_release(few), td_dict_release(many), td_dict_release(one), td_dict_release(two);
}

LeaklessTest(dict_expand_as, gradients_reach_the_tensors_that_were_expanded) {
  td_dict *td = new_dict(TD_NO_DIMS), *other = new_dict(TD_NO_DIMS), *out;
  td_tensor *x = requiring_grad(full_f32(1, TD_SHAPE(1))), *grad;
  must(td_dict_set(td, TD_KEY("x"), x, &err));
  put(other, TD_KEY("x"), full_f32(0, TD_SHAPE(4)));
  must(td_dict_expand_as(td, other, &out, &err));
  td_tensor *y = get(out, TD_KEY("x")), *ones = full_f32(1, TD_SHAPE(4));
  must(td_tensor_backward(y, ones, 0, &err));
  must(td_tensor_grad(x, &grad, &err));
  expect_values(grad, VALUES(4));
  td_tensor_release(x), td_tensor_release(y), td_tensor_release(ones), td_tensor_release(grad);
  td_dict_release(td), td_dict_release(other), td_dict_release(out);
}

/* ---- td_dict_new_tensor -------------------------------------------------------------------------------------------- */

static td_status new_tensor(const td_dict *td, td_value data, const td_new_tensor_options *options, td_dict **out) {
  return td_dict_new_tensor(td, &data, options, out, &err);
}

LeaklessTest(dict_expand_as, new_tensors_hold_the_numbers_of_a_list) {
  td_dict *td = thin(), *out = NULL;
  const double reals[] = {1.5, 2};
  const td_bool truths[] = {1, 0, 7};
  must(td_dict_lock_(td, &err));
  td_value list = {TD_VALUE_DOUBLES, 0, 2, {.doubles = reals}};
  must(new_tensor(td, list, NULL, &out));
  expect_batch(out, TD_SHAPE(2));
  td_dict *n = get_dict(out, TD_KEY("n"));
  expect_batch(n, TD_SHAPE(2));
  check(!td_dict_is_locked(out));
  check(says(td_dict_device(out), "cpu"));
  expect_entry(out, TD_KEY("a"), VALUES(1.5, 2));
  expect_entry(out, TD_KEY("n", "b"), VALUES(1, 2));
  td_tensor *b = get(n, TD_KEY("b"));
  check(td_tensor_dtype(b) == TD_DTYPE_INT64);
  expect_data(out, TD_KEY("s"), 0, TEXT("hi"));
  td_tensor_release(b), td_dict_release(n), td_dict_release(out);

  const td_value others[] = {{TD_VALUE_BOOLS, 0, 3, {.bools = truths}}, td_value_ints((const int64_t[]){1, 0, 1}, 3)};
  for (int i = 0; i < 2; ++i) {
    must(new_tensor(td, others[i], NULL, &out));
    expect_entry(out, TD_KEY("a"), VALUES(1, 0, 1));
    td_dict_release(out);
  }
  td_dict_release(td);
}

LeaklessTest(dict_expand_as, a_new_tensor_of_one_integer_is_exact) {
  td_dict *td = thin(), *out = NULL;
  must(td_dict_lock_(td, &err));
  must(new_tensor(td, td_value_int(INT64_MAX), NULL, &out));
  td_tensor *b = get(out, TD_KEY("n", "b"));
  check(*(const int64_t *)address(b) == INT64_MAX && td_dict_batch_size(out, NULL, 0) == 0);
  td_tensor_release(b), td_dict_release(out), td_dict_release(td);
}

LeaklessTest(dict_expand_as, new_tensors_are_cast_copies_of_a_tensor) {
  td_dict *td = thin(), *out = NULL;
  must(td_dict_lock_(td, &err));
  td_tensor *data = requiring_grad(full_f32(2.5, TD_SHAPE(2, 2)));
  td_new_tensor_options o = TD_NEW_TENSOR_OPTIONS_INIT;
  must(new_tensor(td, td_value_tensor(data), NULL, &out));
  expect_entry(out, TD_KEY("n", "b"), VALUES(2, 2, 2, 2));
  td_tensor *a = get(out, TD_KEY("a"));
  check(!td_tensor_requires_grad(a) && address(a) != address(data));
  td_tensor_release(a), td_dict_release(out);
  o.dtype = TD_DTYPE_FLOAT64, o.requires_grad = 1, o.device = TD_STR("cpu");
  must(new_tensor(td, td_value_tensor(data), &o, &out));
  a = get(out, TD_KEY("n", "b"));
  check(td_tensor_requires_grad(a) && td_tensor_dtype(a) == TD_DTYPE_FLOAT64);
  td_tensor_release(a), td_tensor_release(data), td_dict_release(out);
  td_dict_release(td);
}

LeaklessTest(dict_expand_as, new_tensors_of_a_dict_are_found_by_key) {
  td_dict *td = thin(), *other = wide(), *out = NULL;
  const td_data texts[] = {TEXT("p"), TEXT("q"), td_data_none()};
  must(td_dict_set_data_stack(td, TD_KEY("s"), texts, 3, &err));
  must(new_tensor(td, td_value_dict(other), NULL, &out));
  expect_batch(out, TD_SHAPE(2, 3));
  td_dict *n = get_dict(out, TD_KEY("n"));
  expect_batch(n, TD_SHAPE(2, 3, 2));
  td_tensor *b = get(n, TD_KEY("b"));
  check(td_tensor_dtype(b) == TD_DTYPE_INT64 && kind_at(out, TD_KEY("z")) == TD_ENTRY_NONE);
  expect_shape(b, TD_SHAPE(2, 3, 2, 4));
  check(!td_dict_device(out).data);
  expect_data(out, TD_KEY("s"), 0, td_data_none());
  td_tensor_release(b), td_dict_release(n), td_dict_release(out);
  out = NULL;
  must(td_dict_remove(other, TD_KEY("n", "b"), &err));
  expect_error(new_tensor(td, td_value_dict(other), NULL, &out), TD_ERR_KEY, "(\"n\", \"b\")", NULL);
  check(out == NULL);
  td_dict_release(td), td_dict_release(other);
}

LeaklessTest(dict_expand_as, new_tensors_refuse_what_cannot_be) {
  td_dict *td = thin(), *out = NULL;
  const double nan[] = {1, 0.0 / 0.0};
  td_new_tensor_options o = TD_NEW_TENSOR_OPTIONS_INIT;
  const td_value list = {TD_VALUE_DOUBLES, 0, 2, {.doubles = nan}};
  expect_error(new_tensor(td, list, NULL, &out), TD_ERR_ARGUMENT, "(\"n\", \"b\")", "hold");
  expect_error(new_tensor(td, td_value_double(1e300), NULL, &out), TD_ERR_ARGUMENT, "\"a\"", "hold");
  expect_error(new_tensor(td, td_value_str(TD_STR("x")), NULL, &out), TD_ERR_ARGUMENT, NULL, "kind");
  expect_error(new_tensor(td, td_value_none(), NULL, &out), TD_ERR_ARGUMENT, NULL, "kind");
  expect_error(new_tensor(td, td_value_tensor(NULL), NULL, &out), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(new_tensor(td, td_value_ints(NULL, 2), NULL, &out), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_dict_new_tensor(td, NULL, NULL, &out, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(new_tensor(td, td_value_int(1), NULL, NULL), TD_ERR_ARGUMENT, NULL, "NULL");
  o.requires_grad = 1;
  expect_error(new_tensor(td, td_value_int(1), &o, &out), TD_ERR_DTYPE, "(\"n\", \"b\")", "int64");
  o.requires_grad = 0, o.dtype = 99;
  expect_error(new_tensor(td, td_value_int(1), &o, &out), TD_ERR_DTYPE, NULL, NULL);
  o.dtype = TD_DTYPE_NONE, o.device = TD_STR("nowhere");
  expect_error(new_tensor(td, td_value_int(1), &o, &out), TD_ERR_DEVICE, NULL, NULL);
  check(out == NULL);
  td_dict_release(td);
}
