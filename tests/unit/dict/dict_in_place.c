/* Operators that write lazy stacks, and dicts with lazy stacks in them. */
#include "support/files.h"
#include "support/h5_files.h"

/* {a: [3] of `value`, own: [3] of ones} */
static td_dict *member(double value, const char *own) {
  td_dict *td = new_dict(TD_SHAPE(3));
  put(td, TD_KEY("a"), full_f32(value, TD_SHAPE(3)));
  if (own) put(td, TD_KEY(own), full_f32(1, TD_SHAPE(3)));
  return td;
}

static td_dict *stack_of(td_dict *a, td_dict *b, int64_t dim) {
  td_dict *stack;
  must(td_dict_lazy_stack((td_dict *const[]){a, b}, 2, dim, &stack, &err));
  return stack;
}

static td_status add_with(const td_dict *self, td_value other, td_missing missing) {
  const td_value ten = td_value_int(10), both[] = {td_value_dict(self), other};
  td_pointwise_options options = TD_POINTWISE_OPTIONS_INIT;
  options.missing = missing;
  options.fill = missing == TD_MISSING_FILL ? &ten : NULL;
  td_op *add = operator_named("add_", NULL);
  const td_status status = td_dict_pointwise(add, both, 2, NULL, 0, &options, NULL, &err);
  td_op_release(add);
  return status;
}

LeaklessTest(dict_in_place, a_lazy_stack_takes_stacks_dicts_and_tensors_of_its_batch_size) {
  td_dict *a = member(1, NULL), *b = member(2, NULL), *stack = stack_of(a, b, 0), *other, *dense, *out;
  must(td_dict_clone(stack, &other, &err));
  must(td_dict_contiguous(stack, &dense, &err));
  td_tensor *t = range_f32(TD_SHAPE(2, 3)), *row = range_f32(TD_SHAPE(3)), *column = range_f32(TD_SHAPE(2, 1));
  must(add_with(stack, td_value_dict(other), TD_MISSING_ERROR));
  expect_entry(a, TD_KEY("a"), VALUES(2, 2, 2));
  expect_entry(b, TD_KEY("a"), VALUES(4, 4, 4));
  must(add_with(stack, td_value_dict(dense), TD_MISSING_ERROR));
  expect_entry(stack, TD_KEY("a"), VALUES(3, 3, 3, 6, 6, 6));
  must(add_with(stack, td_value_tensor(t), TD_MISSING_ERROR));
  expect_entry(stack, TD_KEY("a"), VALUES(3, 4, 5, 9, 10, 11));
  must(add_with(stack, td_value_tensor(row), TD_MISSING_ERROR)); /* fewer dims are broadcast */
  expect_entry(stack, TD_KEY("a"), VALUES(3, 5, 7, 9, 11, 13));
  must(add_with(stack, td_value_tensor(column), TD_MISSING_ERROR));
  expect_entry(stack, TD_KEY("a"), VALUES(3, 5, 7, 10, 12, 14));
  must(add_with(stack, td_value_dict(stack), TD_MISSING_ERROR));
  expect_entry(stack, TD_KEY("a"), VALUES(6, 10, 14, 20, 24, 28));
  td_dict *one = member(1, NULL);
  must(add_with(stack, td_value_dict(one), TD_MISSING_ERROR)); /* a dict of one member's batch size */
  expect_entry(stack, TD_KEY("a"), VALUES(7, 11, 15, 21, 25, 29));
  td_dict_release(one);

  must(td_dict_lock_(stack, &err));
  const td_value both[] = {td_value_dict(stack), td_value_dict(other)};
  td_op *sub = operator_named("sub_", NULL);
  must(td_dict_pointwise(sub, both, 2, NULL, 0, NULL, &out, &err));
  check(td_dict_kind_of(out) == TD_DICT_KIND_LAZY_STACK && td_dict_is_locked(out));
  expect_entry(out, TD_KEY("a"), VALUES(6, 10, 14, 19, 23, 27));
  expect_entry(a, TD_KEY("a"), VALUES(6, 10, 14));
  td_op_release(sub);
  td_dict_release(out);
  td_tensor_release(t), td_tensor_release(row), td_tensor_release(column);
  td_dict_release(dense), td_dict_release(other), td_dict_release(stack), td_dict_release(a), td_dict_release(b);
}

LeaklessTest(dict_in_place, a_dict_takes_lazy_stacks_and_writes_those_that_it_has) {
  td_dict *a = member(1, NULL), *b = member(2, NULL), *root = new_dict(TD_SHAPE(3)), *copy, *dense;
  put(root, TD_KEY("x"), full_f32(5, TD_SHAPE(3, 2)));
  put_dict(root, TD_KEY("n"), stack_of(a, b, 1)); /* the stack's dim is not one of the root's */
  must(td_dict_clone(root, &copy, &err));
  must(td_dict_contiguous(root, &dense, &err));
  td_tensor *t = range_f32(TD_SHAPE(3));
  must(add_with(root, td_value_dict(copy), TD_MISSING_ERROR));
  expect_entry(a, TD_KEY("a"), VALUES(2, 2, 2));
  must(add_with(root, td_value_tensor(t), TD_MISSING_ERROR));
  expect_entry(root, TD_KEY("n", "a"), VALUES(2, 4, 3, 5, 4, 6));
  expect_entry(root, TD_KEY("x"), VALUES(10, 10, 11, 11, 12, 12));
  must(add_with(dense, td_value_dict(root), TD_MISSING_ERROR));
  expect_entry(dense, TD_KEY("n", "a"), VALUES(3, 6, 4, 7, 5, 8));
  must(add_with(root, td_value_dict(dense), TD_MISSING_ERROR));
  expect_entry(b, TD_KEY("a"), VALUES(10, 12, 14));
  td_tensor_release(t);
  td_dict_release(dense), td_dict_release(copy), td_dict_release(root), td_dict_release(a), td_dict_release(b);
}

LeaklessTest(dict_in_place, members_of_other_shapes_and_keys_are_written_each_with_its_own) {
  td_dict *a = member(1, "only"), *b = new_dict(TD_SHAPE(4)), *stack, *other, *column;
  put(b, TD_KEY("a"), full_f32(2, TD_SHAPE(4)));
  stack = stack_of(a, b, 0);
  must(td_dict_clone(stack, &other, &err));
  must(add_with(stack, td_value_dict(other), TD_MISSING_ERROR));
  expect_entry(a, TD_KEY("only"), VALUES(2, 2, 2));
  expect_entry(b, TD_KEY("a"), VALUES(4, 4, 4, 4));
  td_tensor *two = range_f32(TD_SHAPE(2, 1)), *wide = range_f32(TD_SHAPE(2, 3));
  must(add_with(stack, td_value_tensor(two), TD_MISSING_ERROR)); /* size 1 where the members differ */
  expect_entry(a, TD_KEY("a"), VALUES(2, 2, 2));
  expect_entry(b, TD_KEY("a"), VALUES(5, 5, 5, 5));
  expect_error(add_with(stack, td_value_tensor(wide), TD_MISSING_ERROR), TD_ERR_SHAPE, NULL, "-1");
  column = new_dict(TD_SHAPE(2, 1));
  put(column, TD_KEY("a"), range_f32(TD_SHAPE(2, 1)));
  expect_error(add_with(stack, td_value_dict(column), TD_MISSING_ERROR), TD_ERR_KEY, NULL, "not in all");
  must(add_with(stack, td_value_dict(column), TD_MISSING_SKIP));
  expect_entry(a, TD_KEY("a"), VALUES(2, 2, 2));
  expect_entry(b, TD_KEY("a"), VALUES(6, 6, 6, 6));
  expect_entry(a, TD_KEY("only"), VALUES(2, 2, 2));
  must(add_with(stack, td_value_dict(column), TD_MISSING_FILL));
  expect_entry(a, TD_KEY("only"), VALUES(12, 12, 12));
  td_tensor_release(two), td_tensor_release(wide);
  td_dict_release(column), td_dict_release(other), td_dict_release(stack), td_dict_release(a), td_dict_release(b);
}

LeaklessTest(dict_in_place, nothing_is_written_if_one_member_cannot_be) {
  td_dict *a = member(1, NULL), *b = member(2, NULL), *stack = stack_of(a, b, 0), *other;
  must(td_dict_clone(stack, &other, &err));
  put(b, TD_KEY("a"), counted(TD_DTYPE_INT64, TD_SHAPE(3)));
  td_op *div = operator_named("div_", "Tensor");
  expect_error(td_dict_pointwise(div, ARGS(td_value_dict(stack), td_value_dict(other)), NULL, 0, NULL, NULL, &err),
               TD_ERR_TORCH, "\"a\"", NULL);
  td_op_release(div);
  expect_entry(a, TD_KEY("a"), VALUES(1, 1, 1));
  td_dict *three;
  must(td_dict_expand(a, TD_SHAPE(3, 3), &three, &err));
  expect_error(add_with(stack, td_value_dict(three), TD_MISSING_ERROR), TD_ERR_SHAPE, NULL, "[3, 3]");
  td_dict_release(three), td_dict_release(other), td_dict_release(stack), td_dict_release(a), td_dict_release(b);
}

Test(dict_in_place, a_file_is_written_by_operators_of_two_dicts, .init = make_test_dir, .fini = remove_test_dir) {
  td_dict *file = create_h5(path_of("%s/dict.h5", test_dir), TD_SHAPE(3)), *other = member(2, NULL);
  put(file, TD_KEY("a"), full_f32(5, TD_SHAPE(3)));
  must(add_with(file, td_value_dict(other), TD_MISSING_ERROR));
  expect_entry(file, TD_KEY("a"), VALUES(7, 7, 7));
  td_dict_release(other);
  close_h5(file);
}

static void expect_in_place_fails(td_dict *td, const char *name, const td_value *other, td_status code,
                                  const char *key) {
  const td_value args[] = {td_value_dict(td), other ? *other : td_value_none()};
  td_op *op = operator_named(name, NULL);
  td_dict *out = NULL;
  expect_error(td_dict_apply_op(op, args, other ? 2 : 1, NULL, 0, &out, 1, &err), code, key, NULL);
  td_op_release(op);
}

/* What only autograd or a kernel knows of the last leaf is asked before the first is written. */
LeaklessTest(dict_in_place, a_last_leaf_that_refuses_leaves_the_first_as_it_was) {
  td_dict *td = new_dict(TD_SHAPE(2));
  put(td, TD_KEY("a"), full_f32(4, TD_SHAPE(2)));
  td_tensor *leaf = requiring_grad(full_f32(4, TD_SHAPE(2)));
  put(td, TD_KEY("view"), call("unsqueeze", "", ARGS(td_value_tensor(leaf), td_value_int(1))));
  expect_in_place_fails(td, "sqrt_", NULL, TD_ERR_TORCH, "\"view\"");
  expect_entry(td, TD_KEY("a"), VALUES(4, 4));

  td_dict *values = new_dict(TD_SHAPE(2));
  put(values, TD_KEY("a"), full_f32(1, TD_SHAPE(2)));
  put(values, TD_KEY("view"), full_f32(1, TD_SHAPE(2, 1)));
  expect_error(td_dict_update_(td, values, &err), TD_ERR_TORCH, "\"view\"", "in place");
  expect_entry(td, TD_KEY("a"), VALUES(4, 4));
  must(td_dict_remove(td, TD_KEY("view"), &err));

  put(td, TD_KEY("flag"), counted(TD_DTYPE_BOOL, TD_SHAPE(2)));
  td_dict *other;
  must(td_dict_clone(td, &other, &err));
  const td_value exponent = td_value_dict(other);
  expect_in_place_fails(td, "pow_", &exponent, TD_ERR_DTYPE, "\"flag\"");
  expect_entry(td, TD_KEY("a"), VALUES(4, 4));
  td_tensor_release(leaf);
  td_dict_release(td), td_dict_release(values), td_dict_release(other);
}

/* {a, b: views of one tensor, [2] each} */
static td_dict *two_views(void) {
  td_dict *td = new_dict(TD_SHAPE(2));
  td_tensor *whole = full_f32(0, TD_SHAPE(2, 2));
  for (int64_t i = 0; i < 2; ++i)
    put(td, i ? TD_KEY("b") : TD_KEY("a"),
        call("select", "int", ARGS(td_value_tensor(whole), td_value_int(0), td_value_int(i))));
  td_tensor_release(whole);
  return td;
}

/* Writing the first makes the memory of the second a part of what is recorded. */
LeaklessTest(dict_in_place, views_of_one_tensor_are_written_one_after_another_while_autograd_records) {
  td_dict *values = new_dict(TD_SHAPE(2));
  put(values, TD_KEY("a"), requiring_grad(full_f32(3, TD_SHAPE(2))));
  put(values, TD_KEY("b"), requiring_grad(full_f32(4, TD_SHAPE(2))));
  td_dict *updated = two_views(), *added = two_views(), *out = NULL;
  must(td_dict_update_(updated, values, &err));
  const td_value both[] = {td_value_dict(added), td_value_dict(values)};
  td_op *add = operator_named("add_", NULL);
  must(td_dict_apply_op(add, both, 2, NULL, 0, &out, 1, &err));
  expect_entry(updated, TD_KEY("a"), VALUES(3, 3)), expect_entry(updated, TD_KEY("b"), VALUES(4, 4));
  expect_entry(added, TD_KEY("a"), VALUES(3, 3)), expect_entry(added, TD_KEY("b"), VALUES(4, 4));
  td_op_release(add);
  td_dict_release(updated), td_dict_release(added), td_dict_release(out), td_dict_release(values);
}

/* As under autograd a recorded write to one view makes those that were made without grad unusable. */
LeaklessTest(dict_in_place, views_made_without_grad_are_refused_before_the_first_is_written) {
  td_dict *values = new_dict(TD_SHAPE(2));
  td_no_grad *no_grad;
  must(td_no_grad_begin(&no_grad, &err));
  td_dict *td = two_views();
  must(td_no_grad_end(no_grad, &err));
  td_no_grad_release(no_grad);
  put(values, TD_KEY("a"), requiring_grad(full_f32(3, TD_SHAPE(2))));
  put(values, TD_KEY("b"), full_f32(4, TD_SHAPE(2)));
  td_op *add = operator_named("add_", NULL);
  const td_value both[] = {td_value_dict(td), td_value_dict(values)};
  td_dict *out;
  expect_error(td_dict_update_(td, values, &err), TD_ERR_TORCH, NULL, NULL);
  expect_entry(td, TD_KEY("a"), VALUES(0, 0)), expect_entry(td, TD_KEY("b"), VALUES(0, 0));
  expect_error(td_dict_apply_op(add, both, 2, NULL, 0, &out, 1, &err), TD_ERR_TORCH, NULL, NULL);
  expect_entry(td, TD_KEY("a"), VALUES(0, 0)), expect_entry(td, TD_KEY("b"), VALUES(0, 0));
  expect_error(td_dict_set_at(td, (const td_index[]){TD_SLICE(0, 2)}, 1, values, &err), TD_ERR_TORCH, NULL, NULL);
  expect_entry(td, TD_KEY("a"), VALUES(0, 0)), expect_entry(td, TD_KEY("b"), VALUES(0, 0));

  /* Where nothing records, they are written. */
  must(td_no_grad_begin(&no_grad, &err));
  must(td_dict_update_(td, values, &err));
  must(td_dict_zero_(td, &err));
  must(td_no_grad_end(no_grad, &err));
  td_no_grad_release(no_grad), td_op_release(add);
  td_dict_release(td), td_dict_release(values);
}

/* A view of what has been written under autograd is written by every function. */
LeaklessTest(dict_in_place, a_view_whose_base_was_recorded_is_filled_by_mask_and_by_index) {
  td_dict *values = new_dict(TD_SHAPE(2));
  put(values, TD_KEY("a"), requiring_grad(full_f32(3, TD_SHAPE(2))));
  put(values, TD_KEY("b"), requiring_grad(full_f32(4, TD_SHAPE(2))));
  td_tensor *mask = counted(TD_DTYPE_BOOL, TD_SHAPE(2)), *rows = counted(TD_DTYPE_INT64, TD_SHAPE(2));
  td_dict *td = two_views();
  must(td_dict_set_at(td, (const td_index[]){TD_TENSOR(rows)}, 1, values, &err));
  expect_entry(td, TD_KEY("a"), VALUES(3, 3)), expect_entry(td, TD_KEY("b"), VALUES(4, 4));
  must(td_dict_masked_fill_(td, mask, TD_VALUE(td_value_int(7)), &err));
  expect_entry(td, TD_KEY("a"), VALUES(3, 7)), expect_entry(td, TD_KEY("b"), VALUES(4, 7));
  td_tensor_release(mask), td_tensor_release(rows);
  td_dict_release(td), td_dict_release(values);
}

LeaklessTest(dict_in_place, a_part_that_requires_no_grad_is_joined_into_one_that_does) {
  td_dict *parts[2], *target = new_dict(TD_SHAPE(4));
  for (int i = 0; i < 2; ++i) parts[i] = new_dict(TD_SHAPE(2));
  put(target, TD_KEY("a"), full_f32(0, TD_SHAPE(4)));
  put(parts[0], TD_KEY("a"), requiring_grad(full_f32(1, TD_SHAPE(2))));
  put(parts[1], TD_KEY("a"), counted(TD_DTYPE_INT64, TD_SHAPE(2)));
  must(td_dict_cat_into((const td_dict *const *)parts, 2, 0, target, &err));
  expect_entry(target, TD_KEY("a"), VALUES(1, 1, 0, 1));
  td_dict_release(parts[0]), td_dict_release(parts[1]), td_dict_release(target);
}
