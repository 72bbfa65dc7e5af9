/* Pointwise operators over dicts: matched by key, broadcast over batch dims. */
#include <math.h>

#include "support/data.h"
#include "support/td.h"

static td_status pointwise_with(const char *name, const td_value *operands, size_t n,
                                const td_pointwise_options *options, td_dict **out) {
  td_op *op = operator_named(name, NULL);
  const td_status status = td_dict_pointwise(op, operands, n, NULL, 0, options, out, &err);
  td_op_release(op);
  return status;
}

static td_dict *computed(const char *name, const td_value *operands, size_t n) {
  td_dict *out = NULL;
  must(pointwise_with(name, operands, n, NULL, &out));
  return out;
}

/* {a: [2] of `value`, n: {b: [2, 2] of `value` + 1}} */
static td_dict *tree(double value) {
  td_dict *td = new_dict(TD_SHAPE(2));
  put(td, TD_KEY("a"), full_f32(value, TD_SHAPE(2)));
  put(td, TD_KEY("n", "b"), full_f32(value + 1, TD_SHAPE(2, 2)));
  return td;
}

static td_dict *single(td_tensor *a, const int64_t *batch, size_t ndim) {
  td_dict *td = new_dict(batch, ndim);
  put(td, TD_KEY("a"), a);
  return td;
}

LeaklessTest(dict_math, operands_are_dicts_numbers_and_tensors_in_the_operators_order) {
  td_dict *x = tree(4), *y = tree(2), *low = tree(0);
  td_tensor *half = full_f32(0.5, TD_NO_DIMS);
  const struct {
    const char *name;
    td_value operands[3];
    size_t n;
    double a, b;
  } table[] = {
      {"add", {td_value_dict(x), td_value_double(0.5)}, 2, 4.5, 5.5},
      {"sub", {td_value_int(1), td_value_dict(x)}, 2, -3, -4},
      {"div", {td_value_dict(x), td_value_dict(y)}, 2, 2, 5. / 3},
      {"div", {td_value_dict(x), td_value_int(8)}, 2, 0.5, 0.625},
      {"pow", {td_value_int(2), td_value_dict(y)}, 2, 4, 8},
      {"mul", {td_value_dict(x), td_value_tensor(half)}, 2, 2, 2.5},
      {"mul", {td_value_tensor(half), td_value_dict(x)}, 2, 2, 2.5},
      {"neg", {td_value_dict(x)}, 1, -4, -5},
      {"lerp", {td_value_dict(x), td_value_dict(y), td_value_double(0.5)}, 3, 3, 4},
      {"lerp", {td_value_dict(x), td_value_dict(y), td_value_dict(low)}, 3, 4, 3},
      {"addcmul", {td_value_dict(x), td_value_dict(y), td_value_dict(y)}, 3, 8, 14},
      {"clamp", {td_value_dict(x), td_value_none(), td_value_dict(y)}, 3, 2, 3},
      {"clamp", {td_value_dict(x), td_value_double(4.5)}, 2, 4.5, 5},
      {"maximum", {td_value_dict(x), td_value_dict(y)}, 2, 4, 5},
  };
  for (td_fast_level level = TD_FAST_NONE; level <= TD_FAST_ARENA; ++level)
    for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
      must(td_set_fast_level(level, &err));
      td_dict *out = computed(table[i].name, table[i].operands, table[i].n);
      const double a = (float)table[i].a, b = (float)table[i].b;
      expect_batch(out, TD_SHAPE(2));
      expect_entry(out, TD_KEY("a"), VALUES(a, a));
      expect_entry(out, TD_KEY("n", "b"), VALUES(b, b, b, b));
      td_dict_release(out);
    }
  expect_entry(x, TD_KEY("a"), VALUES(4, 4));
  td_tensor_release(half);
  td_dict_release(x);
  td_dict_release(y);
  td_dict_release(low);
}

LeaklessTest(dict_math, operands_may_be_given_by_name) {
  td_dict *x = tree(4), *y = tree(2), *out;
  td_op *add = operator_named("add", NULL);
  const td_named_value kwargs[] = {{TD_STR("alpha"), td_value_int(10)}, {TD_STR("other"), td_value_dict(y)}};
  must(td_dict_pointwise(add, ARGS(td_value_dict(x)), kwargs, 2, NULL, &out, &err));
  expect_entry(out, TD_KEY("a"), VALUES(24, 24));
  expect_entry(x, TD_KEY("a"), VALUES(4, 4));
  td_dict_release(out);
  td_op_release(add);
  td_dict_release(x);
  td_dict_release(y);
}

LeaklessTest(dict_math, a_tensor_has_one_element_for_each_batch_element) {
  td_dict *x = new_dict(TD_SHAPE(2, 3)), *out = NULL;
  put(x, TD_KEY("a"), full_f32(1, TD_SHAPE(2, 3, 2)));
  put(x, TD_KEY("n", "b"), full_f32(2, TD_SHAPE(2, 3)));
  td_tensor *row = range_f32(TD_SHAPE(3)), *column = range_f32(TD_SHAPE(2, 1)), *two = range_f32(TD_SHAPE(2));
  out = computed("mul", ARGS(td_value_dict(x), td_value_tensor(row)));
  expect_entry(out, TD_KEY("a"), VALUES(0, 0, 1, 1, 2, 2, 0, 0, 1, 1, 2, 2)); /* the same over features */
  expect_entry(out, TD_KEY("n", "b"), VALUES(0, 2, 4, 0, 2, 4));
  td_dict_release(out);
  out = computed("sub", ARGS(td_value_tensor(column), td_value_dict(x)));
  expect_entry(out, TD_KEY("n", "b"), VALUES(-2, -2, -2, -1, -1, -1));
  td_dict_release(out);
  out = NULL;
  expect_error(pointwise_with("mul", ARGS(td_value_dict(x), td_value_tensor(two)), NULL, &out), TD_ERR_SHAPE, NULL,
               "batch size");
  check(out == NULL);

  td_dict *plain = single(range_f32(TD_SHAPE(3)), TD_NO_DIMS); /* the tensor makes the batch larger */
  out = computed("add", ARGS(td_value_dict(plain), td_value_tensor(two)));
  expect_batch(out, TD_SHAPE(2));
  expect_entry(out, TD_KEY("a"), VALUES(0, 1, 2, 1, 2, 3));
  td_dict_release(out);
  td_tensor_release(row);
  td_tensor_release(column);
  td_tensor_release(two);
  td_dict_release(plain);
  td_dict_release(x);
}

LeaklessTest(dict_math, batch_sizes_of_dicts_broadcast_jointly) {
  td_dict *x = single(range_f32(TD_SHAPE(1, 2, 2)), TD_SHAPE(1, 2)),
          *y = single(range_f32(TD_SHAPE(3, 1)), TD_SHAPE(3, 1));
  td_dict *none = single(range_f32(TD_SHAPE(2)), TD_NO_DIMS), *four = single(range_f32(TD_SHAPE(4)), TD_SHAPE(4));
  td_dict *out = computed("add", ARGS(td_value_dict(x), td_value_dict(none)));
  expect_batch(out, TD_SHAPE(1, 2));
  expect_entry(out, TD_KEY("a"), VALUES(0, 2, 2, 4));
  td_dict_release(out);
  put(y, TD_KEY("a"), range_f32(TD_SHAPE(3, 1, 1)));
  out = computed("add", ARGS(td_value_dict(x), td_value_dict(y)));
  expect_batch(out, TD_SHAPE(3, 2));
  expect_entry(out, TD_KEY("a"), VALUES(0, 1, 2, 3, 1, 2, 3, 4, 2, 3, 4, 5));
  td_dict_release(out);
  out = NULL;
  expect_error(pointwise_with("add", ARGS(td_value_dict(x), td_value_dict(four)), NULL, &out), TD_ERR_SHAPE, NULL,
               "[1, 2]");
  check(out == NULL);
  td_dict_release(x);
  td_dict_release(y);
  td_dict_release(none);
  td_dict_release(four);
}

LeaklessTest(dict_math, batch_dims_of_a_nodes_own_stay_and_have_to_fit) {
  td_dict *n = new_dict(TD_SHAPE(1, 2)), *other = new_dict(TD_NO_DIMS), *out = NULL;
  put(n, TD_KEY("b"), full_f32(1, TD_SHAPE(1, 2)));
  put(other, TD_KEY("n", "b"), full_f32(1, TD_SHAPE(3, 1)));
  td_dict *root = new_dict(TD_NO_DIMS);
  put_dict(root, TD_KEY("n"), n);
  expect_error(pointwise_with("add", ARGS(td_value_dict(root), td_value_dict(other)), NULL, &out), TD_ERR_SHAPE,
               "(\"n\", \"b\")", "[1, 2]");
  check(out == NULL);
  out = computed("add", ARGS(td_value_dict(other), td_value_dict(root)));
  td_dict_release(out);
  td_tensor *pair = range_f32(TD_SHAPE(4));
  out = computed("mul", ARGS(td_value_dict(root), td_value_tensor(pair)));
  td_dict *grown = get_dict(out, TD_KEY("n"));
  expect_batch(grown, TD_SHAPE(4, 1, 2));
  td_dict_release(grown);
  td_dict_release(out);
  td_tensor_release(pair);
  td_dict_release(root);
  td_dict_release(other);
}

/* {a: [2] of 1, n: {b: [2, 1] of 2}, empty: {}} */
static td_dict *with_b(void) {
  td_dict *x = new_dict(TD_SHAPE(2));
  put(x, TD_KEY("a"), full_f32(1, TD_SHAPE(2)));
  put(x, TD_KEY("n", "b"), full_f32(2, TD_SHAPE(2, 1)));
  put_dict(x, TD_KEY("empty"), new_dict(TD_SHAPE(2)));
  return x;
}

/* {m: {c: [2], counted}, a: [2] of 10} */
static td_dict *with_c(void) {
  td_dict *y = new_dict(TD_SHAPE(2));
  put(y, TD_KEY("m", "c"), counted(TD_DTYPE_INT64, TD_SHAPE(2)));
  put(y, TD_KEY("a"), full_f32(10, TD_SHAPE(2)));
  return y;
}

LeaklessTest(dict_math, leaves_that_not_all_have_are_refused_skipped_or_filled) {
  td_dict *x = with_b(), *y = with_c(), *out = NULL;
  const td_value both[] = {td_value_dict(x), td_value_dict(y)};
  expect_error(pointwise_with("add", both, 2, NULL, &out), TD_ERR_KEY, "(\"n\", \"b\")", NULL);
  check(out == NULL);

  td_pointwise_options options = TD_POINTWISE_OPTIONS_INIT;
  options.missing = TD_MISSING_SKIP;
  must(pointwise_with("add", both, 2, &options, &out));
  check(td_dict_count(out) == 2 && kind_at(out, TD_KEY("empty")) == TD_ENTRY_DICT);
  expect_entry(out, TD_KEY("a"), VALUES(11, 11));
  td_dict_release(out);

  const td_value five = td_value_int(5);
  options.missing = TD_MISSING_FILL;
  options.fill = &five;
  must(pointwise_with("sub", both, 2, &options, &out));
  check(td_dict_count(out) == 4);
  expect_entry(out, TD_KEY("a"), VALUES(-9, -9));
  expect_entry(out, TD_KEY("n", "b"), VALUES(-3, -3));
  expect_entry(out, TD_KEY("m", "c"), VALUES(5, 4));
  td_tensor *c = get(out, TD_KEY("m", "c"));
  check(td_tensor_dtype(c) == TD_DTYPE_INT64); /* a number promotes as a number */
  td_tensor_release(c);
  td_dict_release(out);
  expect_error(pointwise_with("add", both, 1, &options, NULL), TD_ERR_ARGUMENT, NULL, "output");
  td_dict_release(x);
  td_dict_release(y);
}

LeaklessTest(dict_math, in_place_no_leaves_are_added) {
  td_dict *x = with_b(), *y = with_c();
  const td_value both[] = {td_value_dict(x), td_value_dict(y)}, five = td_value_int(5);
  td_pointwise_options options = TD_POINTWISE_OPTIONS_INIT;
  options.missing = TD_MISSING_FILL;
  options.fill = &five;
  must(pointwise_with("mul_", both, 2, &options, NULL));
  expect_entry(x, TD_KEY("a"), VALUES(10, 10));
  expect_entry(x, TD_KEY("n", "b"), VALUES(10, 10));
  check(kind_at(x, TD_KEY("m")) == TD_ENTRY_NONE);
  options.missing = TD_MISSING_SKIP;
  must(pointwise_with("add_", both, 2, &options, NULL));
  expect_entry(x, TD_KEY("a"), VALUES(20, 20));
  expect_entry(x, TD_KEY("n", "b"), VALUES(10, 10));
  expect_error(pointwise_with("add_", both, 2, NULL, NULL), TD_ERR_KEY, "(\"n\", \"b\")", NULL);
  must(td_dict_remove(x, TD_KEY("n"), &err));
  must(pointwise_with("add_", both, 2, NULL, NULL)); /* what only the other has is ignored */
  expect_entry(x, TD_KEY("a"), VALUES(30, 30));
  td_dict_release(x);
  td_dict_release(y);
}

LeaklessTest(dict_math, only_a_number_fills_in_for_missing_leaves) {
  td_dict *x = with_b(), *y = with_c(), *out = NULL;
  const td_value both[] = {td_value_dict(x), td_value_dict(y)};
  td_pointwise_options options = TD_POINTWISE_OPTIONS_INIT;
  options.missing = 7;
  expect_error(pointwise_with("add", both, 2, &options, &out), TD_ERR_ARGUMENT, NULL, "td_missing");
  options.missing = TD_MISSING_FILL;
  options.fill = NULL;
  expect_error(pointwise_with("add", both, 2, &options, &out), TD_ERR_ARGUMENT, NULL, "fill");
  const td_value text = td_value_str(TD_STR("no"));
  options.fill = &text;
  expect_error(pointwise_with("add", both, 2, &options, &out), TD_ERR_ARGUMENT, NULL, "number");
  check(out == NULL);
  td_dict_release(x);
  td_dict_release(y);
}

LeaklessTest(dict_math, comparisons_are_bool_and_unlocked_arithmetic_is_locked_as_the_first) {
  td_dict *x = tree(1), *y = tree(1), *out;
  must(td_dict_lock_(x, &err));
  out = computed("add", ARGS(td_value_dict(x), td_value_dict(y)));
  check(td_dict_is_locked(out));
  expect_error(td_dict_remove(out, TD_KEY("a"), &err), TD_ERR_LOCKED, NULL, NULL);
  td_dict_release(out);
  out = computed("add", ARGS(td_value_dict(y), td_value_dict(x)));
  check(!td_dict_is_locked(out));
  td_dict_release(out);
  const char *names[] = {"eq", "ge", "less_equal"}, *not_names[] = {"ne", "gt", "less"};
  for (int i = 0; i < 3; ++i) {
    td_bool all, any;
    out = computed(names[i], ARGS(td_value_dict(x), td_value_dict(y)));
    check(!td_dict_is_locked(out));
    td_tensor *a = get(out, TD_KEY("a"));
    check(td_tensor_dtype(a) == TD_DTYPE_BOOL);
    td_tensor_release(a);
    must(td_dict_all(out, &all, &err));
    check(all == 1);
    td_dict_release(out);
    out = computed(not_names[i], ARGS(td_value_dict(x), td_value_dict(y)));
    must(td_dict_any(out, &any, &err));
    check(any == 0);
    td_dict_release(out);
  }
  td_dict_release(x);
  td_dict_release(y);
}

LeaklessTest(dict_math, operators_in_place_write_all_leaves_or_none) {
  td_dict *x = tree(1), *y = tree(10), *out;
  td_tensor *column = range_f32(TD_SHAPE(2)), *wide = range_f32(TD_SHAPE(3, 2));
  must(td_dict_lock_(x, &err));
  must(pointwise_with("add_", ARGS(td_value_dict(x), td_value_tensor(column)), NULL, &out));
  expect_entry(x, TD_KEY("n", "b"), VALUES(2, 2, 3, 3));
  check(same_memory(x, TD_KEY("a"), out, TD_KEY("a")));
  td_dict_release(out);
  out = NULL;
  expect_error(pointwise_with("add_", ARGS(td_value_dict(x), td_value_tensor(wide)), NULL, &out), TD_ERR_SHAPE, NULL,
               "[3, 2]");
  expect_error(pointwise_with("add_", ARGS(td_value_tensor(column), td_value_dict(x)), NULL, &out), TD_ERR_ARGUMENT,
               NULL, "first operand");
  put(y, TD_KEY("n", "b"), full_f32(0, TD_SHAPE(2, 5)));
  expect_error(pointwise_with("add_", ARGS(td_value_dict(x), td_value_dict(y)), NULL, &out), TD_ERR_SHAPE,
               "(\"n\", \"b\")", NULL);
  td_dict *ints = single(counted(TD_DTYPE_INT64, TD_SHAPE(2)), TD_SHAPE(2));
  expect_error(pointwise_with("add_", ARGS(td_value_dict(ints), td_value_double(0.5)), NULL, &out), TD_ERR_TORCH,
               "\"a\"", NULL);
  expect_entry(ints, TD_KEY("a"), VALUES(0, 1));
  expect_entry(x, TD_KEY("a"), VALUES(1, 2));
  check(out == NULL);
  td_dict_release(ints);
  td_tensor_release(column);
  td_tensor_release(wide);
  td_dict_release(x);
  td_dict_release(y);
}

LeaklessTest(dict_math, copying_writes_nothing_if_the_last_leaf_does_not_fit) {
  td_dict *x = new_dict(TD_SHAPE(2)), *from = new_dict(TD_SHAPE(2)), *out = NULL;
  put(x, TD_KEY("a"), full_f32(1, TD_SHAPE(2))), put(x, TD_KEY("b"), full_f32(1, TD_SHAPE(2, 1)));
  put(from, TD_KEY("a"), full_f32(2, TD_SHAPE(2))), put(from, TD_KEY("b"), full_f32(2, TD_SHAPE(2, 3)));
  td_op *copy = operator_named("copy_", NULL);
  expect_error(td_dict_pointwise(copy, ARGS(td_value_dict(x), td_value_dict(from)), NULL, 0, NULL, &out, &err),
               TD_ERR_SHAPE, "\"b\"", "broadcast");
  expect_entry(x, TD_KEY("a"), VALUES(1, 1));
  td_op_release(copy), td_dict_release(x), td_dict_release(from);
}

LeaklessTest(dict_math, dicts_without_leaves_and_arguments_that_do_not_fit) {
  td_dict *x = new_dict(TD_SHAPE(2)), *out = NULL;
  put_dict(x, TD_KEY("empty"), new_dict(TD_SHAPE(2)));
  td_tensor *t = range_f32(TD_SHAPE(3, 1));
  const td_value second[] = {td_value_int(1), td_value_dict(x), td_value_tensor(t)};
  const int64_t batches[][2] = {{2, 0}, {2, 0}, {3, 2}};
  for (int i = 0; i < 3; ++i) {
    out = computed("add", ARGS(td_value_dict(x), second[i]));
    check(has_batch(out, batches[i], i == 2 ? 2 : 1));
    check(kind_at(out, TD_KEY("empty")) == TD_ENTRY_DICT && td_dict_count(out) == 1);
    td_dict_release(out);
  }
  out = NULL;
  td_op *add = operator_named("add", NULL);
  const td_value args[] = {td_value_dict(x), td_value_int(1)};
  const td_named_value result[] = {{TD_STR("out"), td_value_tensor(t)}};
  expect_error(td_dict_pointwise(NULL, args, 2, NULL, 0, NULL, &out, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_dict_pointwise(add, NULL, 2, NULL, 0, NULL, &out, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_dict_pointwise(add, args, 2, NULL, 1, NULL, &out, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_dict_pointwise(add, args, 2, NULL, 0, NULL, NULL, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_dict_pointwise(add, args, 2, result, 1, NULL, &out, &err), TD_ERR_ARGUMENT, NULL, "out");
  expect_error(td_dict_pointwise(add, args + 1, 1, NULL, 0, NULL, &out, &err), TD_ERR_ARGUMENT, NULL, "dict");
  check(out == NULL);
  td_op_release(add);
  td_tensor_release(t);
  td_dict_release(x);
}

LeaklessTest(dict_math, operators_keep_the_data_of_the_first_dict) {
  static const char *const names[] = {"add", "bitwise_and", "bitwise_or", "bitwise_xor"};
  td_dict *x = new_dict(TD_NO_DIMS), *y = new_dict(TD_NO_DIMS);
  put(x, TD_KEY("n"), counted(TD_DTYPE_INT64, TD_SHAPE(2)));
  put(y, TD_KEY("n"), counted(TD_DTYPE_INT64, TD_SHAPE(2)));
  must(td_dict_set_data(x, TD_KEY("text"), TD_DATA(TEXT("first")), &err));
  must(td_dict_set_data(y, TD_KEY("text"), TD_DATA(TEXT("second")), &err));
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    td_dict *out = computed(names[i], ARGS(td_value_dict(x), td_value_dict(y)));
    expect_data(out, TD_KEY("text"), 0, TEXT("first"));
    td_dict_release(out);
  }
  td_dict_release(x), td_dict_release(y);
}
