/* Operators over the leaves of dicts. */
#include "support/td.h"

static td_dict *tree(double value) {
  td_dict *td = new_dict(TD_SHAPE(2));
  put(td, TD_KEY("a"), full_f32(value, TD_SHAPE(2)));
  put(td, TD_KEY("n", "b"), full_f32(value + 1, TD_SHAPE(2, 2)));
  return td;
}

static td_status apply(const char *name, const char *overload, const td_value *args, size_t n, td_dict **outs,
                       size_t n_outs) {
  td_op *op = operator_named(name, overload);
  const td_status status = td_dict_apply_op(op, args, n, NULL, 0, outs, n_outs, &err);
  td_op_release(op);
  return status;
}

LeaklessTest(dict_apply, an_operator_runs_over_every_leaf) {
  td_dict *x = tree(1), *y = tree(10), *out;
  for (td_fast_level level = TD_FAST_NONE; level <= TD_FAST_ARENA; ++level) {
    must(td_set_fast_level(level, &err));
    must(apply("add", NULL, ARGS(td_value_dict(x), td_value_double(0.5)), &out, 1));
    expect_batch(out, TD_SHAPE(2));
    expect_entry(out, TD_KEY("a"), VALUES(1.5, 1.5));
    expect_entry(out, TD_KEY("n", "b"), VALUES(2.5, 2.5, 2.5, 2.5));
    check(!td_dict_is_locked(out));
    td_dict_release(out);
    must(apply("mul", "Tensor", ARGS(td_value_dict(x), td_value_dict(y)), &out, 1));
    expect_entry(out, TD_KEY("a"), VALUES(10, 10));
    expect_entry(out, TD_KEY("n", "b"), VALUES(22, 22, 22, 22));
    td_dict_release(out);
    must(apply("sub", NULL, ARGS(td_value_dict(x), td_value_dict(x)), &out, 1)); /* the same dict twice */
    expect_entry(out, TD_KEY("a"), VALUES(0, 0));
    td_dict_release(out);
    must(apply("neg", "", ARGS(td_value_dict(x)), &out, 1));
    expect_entry(out, TD_KEY("a"), VALUES(-1, -1));
    td_dict_release(out);
  }
  expect_entry(x, TD_KEY("a"), VALUES(1, 1)); /* arguments are as they were */
  td_dict_release(x);
  td_dict_release(y);
}

LeaklessTest(dict_apply, a_dict_need_not_come_first_nor_by_position) {
  td_dict *x = tree(1), *y = tree(10), *out;
  td_tensor *scale = full_f32(3, TD_NO_DIMS);
  must(apply("mul", NULL, ARGS(td_value_tensor(scale), td_value_dict(x)), &out, 1));
  expect_entry(out, TD_KEY("n", "b"), VALUES(6, 6, 6, 6));
  td_dict_release(out);
  td_op *add = operator_named("add", "Tensor");
  const td_named_value kwargs[] = {{TD_STR("other"), td_value_dict(y)}, {TD_STR("alpha"), td_value_int(2)}};
  must(td_dict_apply_op(add, ARGS(td_value_dict(x)), kwargs, 2, &out, 1, &err));
  expect_entry(out, TD_KEY("a"), VALUES(21, 21));
  td_dict_release(out);
  td_op_release(add);
  td_tensor_release(scale);
  td_dict_release(x);
  td_dict_release(y);
}

LeaklessTest(dict_apply, a_dict_without_leaves_gives_one_without_leaves) {
  td_dict *leafless = new_dict(TD_SHAPE(2)), *out;
  must(apply("neg", "", ARGS(td_value_dict(leafless)), &out, 1));
  expect_batch(out, TD_SHAPE(2));
  check(td_dict_count(out) == 0);
  td_dict_release(out);
  td_dict_release(leafless);
}

LeaklessTest(dict_apply, dicts_are_matched_by_key_and_must_agree) {
  td_dict *x = tree(1), *y = new_dict(TD_SHAPE(2)), *out = NULL;
  put(y, TD_KEY("n", "b"), full_f32(20, TD_SHAPE(2, 2))); /* another order */
  expect_error(apply("add", NULL, ARGS(td_value_dict(x), td_value_dict(y)), &out, 1), TD_ERR_KEY, "\"a\"", NULL);
  put(y, TD_KEY("a"), full_f32(10, TD_SHAPE(2)));
  must(apply("add", NULL, ARGS(td_value_dict(x), td_value_dict(y)), &out, 1));
  expect_entry(out, TD_KEY("a"), VALUES(11, 11));
  expect_entry(out, TD_KEY("n", "b"), VALUES(22, 22, 22, 22));
  td_dict_release(out);
  out = NULL;
  put(y, TD_KEY("n", "c"), full_f32(0, TD_SHAPE(2)));
  expect_error(apply("add", NULL, ARGS(td_value_dict(x), td_value_dict(y)), &out, 1), TD_ERR_KEY, "(\"n\", \"c\")",
               NULL);
  must(td_dict_remove(y, TD_KEY("n"), &err));
  put(y, TD_KEY("n"), full_f32(0, TD_SHAPE(2)));
  expect_error(apply("add", NULL, ARGS(td_value_dict(x), td_value_dict(y)), &out, 1), TD_ERR_KEY, "(\"n\", \"b\")",
               NULL);
  expect_error(apply("add", NULL, ARGS(td_value_int(1), td_value_int(2)), &out, 1), TD_ERR_ARGUMENT, NULL, "dict");
  check(out == NULL);
  td_dict_release(x);
  td_dict_release(y);
}

LeaklessTest(dict_apply, an_error_of_one_leaf_names_its_key) {
  td_dict *x = tree(1), *y = tree(2), *out = NULL;
  put(y, TD_KEY("n", "b"), full_f32(0, TD_SHAPE(2, 3)));
  for (td_fast_level level = TD_FAST_NONE; level <= TD_FAST_ARENA; ++level) {
    must(td_set_fast_level(level, &err));
    expect_error(apply("add", NULL, ARGS(td_value_dict(x), td_value_dict(y)), &out, 1), TD_ERR_SHAPE, "(\"n\", \"b\")",
                 "must match");
    expect_error(apply("add", "out", ARGS(td_value_dict(x), td_value_int(1)), &out, 1), TD_ERR_ARGUMENT, NULL,
                 "schema");
  }
  expect_error(apply("sum", "", ARGS(td_value_dict(x)), &out, 1), TD_ERR_SHAPE, "\"a\"", "batch");
  expect_error(apply("unsqueeze", "", ARGS(td_value_dict(x), td_value_int(0)), &out, 1), TD_ERR_SHAPE, "\"a\"",
               "batch");
  expect_error(apply("equal", "", ARGS(td_value_dict(x), td_value_dict(x)), &out, 1), TD_ERR_UNSUPPORTED, NULL, NULL);
  check(out == NULL);
  td_dict_release(x);
  td_dict_release(y);
}

LeaklessTest(dict_apply, several_results_are_several_dicts) {
  td_dict *x = new_dict(TD_SHAPE(2)), *outs[2] = {NULL, NULL};
  put(x, TD_KEY("a"), range_f32(TD_SHAPE(2, 3)));
  put(x, TD_KEY("n", "b"), range_f32(TD_SHAPE(2, 2)));
  must(apply("max", "dim", ARGS(td_value_dict(x), td_value_int(1)), outs, 2));
  expect_entry(outs[0], TD_KEY("a"), VALUES(2, 5));
  expect_entry(outs[1], TD_KEY("a"), VALUES(2, 2));
  expect_entry(outs[0], TD_KEY("n", "b"), VALUES(1, 3));
  expect_entry(outs[1], TD_KEY("n", "b"), VALUES(1, 1));
  td_dict_release(outs[0]);
  td_dict_release(outs[1]);
  outs[0] = outs[1] = NULL;
  expect_error(apply("max", "dim", ARGS(td_value_dict(x), td_value_int(1)), outs, 1), TD_ERR_ARGUMENT, NULL,
               "2 results");
  check(!outs[0] && !outs[1]);
  td_dict_release(x);
}

LeaklessTest(dict_apply, an_operator_in_place_writes_the_leaves_also_of_a_locked_dict) {
  td_dict *x = tree(1), *y = tree(10), *out;
  must(td_dict_lock_(x, &err));
  must(apply("add_", NULL, ARGS(td_value_dict(x), td_value_dict(y)), &out, 1));
  expect_entry(x, TD_KEY("a"), VALUES(11, 11));
  expect_entry(x, TD_KEY("n", "b"), VALUES(13, 13, 13, 13));
  check(same_memory(out, TD_KEY("n", "b"), x, TD_KEY("n", "b")));
  td_dict_release(out);
  must(apply("zero_", NULL, ARGS(td_value_dict(x)), &out, 1));
  expect_entry(x, TD_KEY("a"), VALUES(0, 0));
  td_dict_release(out);
  td_dict_release(x);
  td_dict_release(y);
}

LeaklessTest(dict_apply, nothing_is_written_unless_every_leaf_can_be) {
  const float fixed[2] = {1, 2};
  for (int obstacle = 0; obstacle < 7; ++obstacle) {
    td_dict *x = tree(1), *y = tree(10), *out = NULL;
    td_value args[] = {td_value_dict(x), td_value_dict(y)};
    const char *name = "add_", *key = "\"z\"";
    td_tensor *z = range_f32(TD_SHAPE(2)), *expanded;
    td_status code = TD_ERR_SHAPE;
    switch (obstacle) {
      case 0: /* a shape that does not fit */
        put(x, TD_KEY("z"), z);
        put(y, TD_KEY("z"), range_f32(TD_SHAPE(2, 5)));
        break;
      case 1: /* a key that is missing */
        put(x, TD_KEY("z"), z);
        code = TD_ERR_KEY;
        break;
      case 2: /* a key too many */
        put(y, TD_KEY("z"), z);
        code = TD_ERR_KEY;
        break;
      case 3: /* a result that the dtype cannot hold */
        put(x, TD_KEY("z"), counted(TD_DTYPE_INT64, TD_SHAPE(2)));
        put(y, TD_KEY("z"), z);
        code = TD_ERR_TORCH;
        break;
      case 4: /* a leaf that autograd watches */
        put(x, TD_KEY("z"), requiring_grad(z));
        put(y, TD_KEY("z"), range_f32(TD_SHAPE(2)));
        code = TD_ERR_TORCH;
        break;
      case 5: /* elements that share their place */
        must(td_tensor_from_memory((void *)(uintptr_t)fixed, TD_DTYPE_FLOAT32, TD_SHAPE(2), (const int64_t[]){0}, NULL,
                                   NULL, &expanded, &err));
        put(x, TD_KEY("z"), expanded);
        put(y, TD_KEY("z"), z);
        code = TD_ERR_TORCH;
        break;
      default: /* a shape that loses the batch */
        put(x, TD_KEY("z"), z);
        name = "unsqueeze_";
        args[1] = td_value_int(0);
        key = "\"a\"";
    }
    const td_status status = apply(name, NULL, args, 2, &out, 1);
    if (status != code) fprintf(stderr, "obstacle %d\n", obstacle);
    expect_error(status, code, key, NULL);
    check(out == NULL);
    expect_entry(x, TD_KEY("a"), VALUES(1, 1));
    expect_entry(x, TD_KEY("n", "b"), VALUES(2, 2, 2, 2));
    td_tensor *a = get(x, TD_KEY("a"));
    expect_shape(a, TD_SHAPE(2));
    td_tensor_release(a);
    td_dict_release(x);
    td_dict_release(y);
  }
}

/* The result of an entry begins with the batch size of the dict that holds it, not only with that of the root. */
LeaklessTest(dict_apply, a_dict_inside_keeps_its_own_batch_size) {
  td_dict *outs[1], *td = new_dict(TD_NO_DIMS), *inside = new_dict(TD_SHAPE(3));
  put(td, TD_KEY("a"), full_f32(1, TD_SHAPE(3)));
  put(inside, TD_KEY("x"), full_f32(2, TD_SHAPE(3)));
  must(td_dict_set_dict(td, TD_KEY("n"), inside, &err));
  td_tensor *row = full_f32(1, TD_SHAPE(1, 3));
  const td_value args[] = {td_value_dict(td), td_value_tensor(row)};
  expect_error(apply("add", "Tensor", args, 2, outs, 1), TD_ERR_SHAPE, "(\"n\", \"x\")", "must keep the batch dims");
  must(td_dict_remove(td, TD_KEY("n"), &err));
  must(apply("add", "Tensor", args, 2, outs, 1));
  expect_entry(outs[0], TD_KEY("a"), VALUES(2, 2, 2));
  td_tensor_release(row);
  td_dict_release(outs[0]), td_dict_release(td), td_dict_release(inside);
}
