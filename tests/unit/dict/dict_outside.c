/* What is done to a dict from outside while it is a member, the inside of parameters or a node: errors later, never reads
 * past the end, and no dict that contains itself. */
#include "support/td.h"

static td_dict *simple(int64_t n) {
  td_dict *td = new_dict(TD_SHAPE(n));
  put(td, TD_KEY("a"), range_f32(TD_SHAPE(n)));
  put(td, TD_KEY("n", "x"), range_f32(TD_SHAPE(n)));
  return td;
}

/* Another batch size, behind the back of whoever holds it. */
static void shrink(td_dict *td, int64_t n) {
  must(td_dict_clear(td, &err));
  must(td_dict_set_batch_size(td, &n, 1, &err));
  put(td, TD_KEY("a"), range_f32(&n, 1));
}

LeaklessTest(dict_outside, members_of_another_batch_size_are_found_out) {
  td_dict *a = simple(3), *b = simple(3), *c = simple(3), *stack, *holder = new_dict(TD_SHAPE(2, 3)), *out;
  must(td_dict_lazy_stack((td_dict *const[]){a, b}, 2, 0, &stack, &err));
  must(td_dict_set_dict(holder, TD_KEY("l"), stack, &err));
  shrink(a, 2);
  shrink(b, 2);
  td_dict_list *list;
  td_tensor *t, *index = counted(TD_DTYPE_INT64, TD_SHAPE(1, 1));
  td_dict *const both[] = {stack, holder};
  for (size_t i = 0; i < 2; ++i) {
    expect_error(td_dict_unbind(both[i], 1, &list, &err), TD_ERR_SHAPE, NULL, "batch size");
    expect_error(td_dict_reshape(both[i], TD_SHAPE(6), &out, &err), TD_ERR_SHAPE, NULL, NULL);
    expect_error(td_dict_flatten(both[i], 0, -1, &out, &err), TD_ERR_SHAPE, NULL, NULL);
    expect_error(td_dict_repeat(both[i], TD_SHAPE(2, 2), &out, &err), TD_ERR_SHAPE, NULL, NULL);
    expect_error(td_dict_pad(both[i], TD_SHAPE(1, 1), TD_VALUE(td_value_double(0)), &out, &err), TD_ERR_SHAPE, NULL,
                 NULL);
    expect_error(td_dict_gather(both[i], 0, index, &out, &err), TD_ERR_SHAPE, NULL, NULL);
  }
  td_tensor_release(index);
  expect_error(td_dict_get_padded(stack, TD_KEY("a"), NULL, &t, NULL, &err), TD_ERR_SHAPE, NULL, NULL);
  expect_error(td_dict_densify(stack, NULL, &out, &err), TD_ERR_SHAPE, NULL, NULL);
  expect_error(td_dict_append(stack, c, &err), TD_ERR_SHAPE, NULL, NULL);
  t = range_f32(TD_SHAPE(2, 3));
  expect_error(td_dict_set(stack, TD_KEY("b"), t, &err), TD_ERR_SHAPE, NULL, NULL);
  td_tensor_release(t);
  td_dict_release(holder);
  td_dict_release(stack);
  td_dict_release(c);
  td_dict_release(b);
  td_dict_release(a);
}

LeaklessTest(dict_outside, a_node_of_another_batch_size_is_found_out) {
  td_dict *node = new_dict(TD_SHAPE(2, 3)), *plain = new_dict(TD_SHAPE(2, 3)), *out;
  must(td_dict_set_dict(plain, TD_KEY("n"), node, &err));
  must(td_dict_set_batch_size(node, TD_NO_DIMS, &err));
  put(node, TD_KEY("a"), full_f32(1, TD_NO_DIMS));
  expect_error(td_dict_repeat(plain, TD_SHAPE(2, 2), &out, &err), TD_ERR_SHAPE, NULL, "changed after");
  expect_error(td_dict_reshape(plain, TD_SHAPE(6), &out, &err), TD_ERR_SHAPE, NULL, NULL);
  td_dict_release(plain);
  td_dict_release(node);
}

LeaklessTest(dict_outside, an_inside_of_parameters_of_another_batch_size_is_found_out) {
  td_dict *inner = simple(3), *params, *out;
  must(td_dict_params(inner, NULL, &params, &err));
  shrink(inner, 2);
  td_tensor *t = range_f32(TD_SHAPE(3));
  expect_error(td_dict_set(params, TD_KEY("b"), t, &err), TD_ERR_SHAPE, NULL, "inside the parameters");
  td_tensor_release(t);
  expect_error(td_dict_flatten(params, 0, -1, &out, &err), TD_ERR_SHAPE, NULL, NULL);
  td_dict_release(params);
  td_dict_release(inner);
}

LeaklessTest(dict_outside, a_stack_that_grows_inside_a_dict_that_does_not_is_found_out) {
  td_dict *d = simple(3), *e = simple(3), *pair, *full = new_dict(TD_SHAPE(1, 3)), *out;
  must(td_dict_lazy_stack(&d, 1, 0, &pair, &err));
  must(td_dict_set_dict(full, TD_KEY("l"), pair, &err));
  must(td_dict_append(pair, e, &err));
  expect_error(td_dict_clone(full, &out, &err), TD_ERR_SHAPE, NULL, NULL);
  expect_error(td_dict_reshape(full, TD_SHAPE(3), &out, &err), TD_ERR_SHAPE, NULL, NULL);
  td_dict_release(full);
  td_dict_release(pair);
  td_dict_release(e);
  td_dict_release(d);
}

LeaklessTest(dict_outside, no_dict_gets_into_itself_through_its_members) {
  td_dict *a = simple(3), *b = simple(3), *one, *two, *params, *wrap = new_dict(TD_SHAPE(3));
  must(td_dict_lazy_stack((td_dict *const[]){a, b}, 2, 0, &one, &err));
  must(td_dict_lazy_stack((td_dict *const[]){b, a}, 2, 0, &two, &err));
  expect_error(td_dict_set_dict(one, TD_KEY("k"), two, &err), TD_ERR_ARGUMENT, NULL, "itself");
  must(td_dict_params(a, NULL, &params, &err));
  expect_error(td_dict_set_dict(a, TD_KEY("outer"), params, &err), TD_ERR_ARGUMENT, NULL, "itself");
  must(td_dict_set_dict(wrap, TD_KEY("k"), params, &err));
  expect_error(td_dict_set_dict(params, TD_KEY("p", "q"), wrap, &err), TD_ERR_ARGUMENT, NULL, "itself");
  check(td_dict_nbytes(a) == td_dict_nbytes(b));
  td_dict_release(wrap);
  td_dict_release(params);
  td_dict_release(two);
  td_dict_release(one);
  td_dict_release(b);
  td_dict_release(a);
}

LeaklessTest(dict_outside, stacks_with_nodes_join_dense_dicts) {
  td_dict *a = simple(3), *stack, *dense, *out, *target;
  must(td_dict_lazy_stack((td_dict *const[]){a, a}, 2, 0, &stack, &err));
  must(td_dict_contiguous(stack, &dense, &err));
  const td_dict *mixed[] = {dense, stack};
  must(td_dict_stack(mixed, 2, 0, &out, &err));
  expect_entry(out, TD_KEY("n", "x"), VALUES(0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2));
  must(td_dict_clone(out, &target, &err));
  must(td_dict_zero_(target, &err));
  must(td_dict_stack_into(mixed, 2, 0, target, &err));
  expect_entry(target, TD_KEY("n", "x"), VALUES(0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2));
  td_dict_release(target);
  td_dict_release(out);
  td_dict_release(dense);
  td_dict_release(stack);
  td_dict_release(a);
}

LeaklessTest(dict_outside, ragged_stacks_change_member_by_member) {
  td_dict *a = simple(3), *longer = simple(4), *ragged, *both;
  must(td_dict_lazy_stack((td_dict *const[]){a, longer}, 2, 0, &ragged, &err));
  must(td_dict_maybe_dense_stack((td_dict *const[]){ragged, ragged}, 2, 0, &both, &err));
  check(td_dict_kind_of(both) == TD_DICT_KIND_LAZY_STACK);
  must(td_dict_rename_key_(ragged, TD_KEY("a"), TD_KEY("z"), 0, &err)); /* no value is needed */
  expect_error(td_dict_rename_key_(ragged, TD_KEY("none"), TD_KEY("y"), 0, &err), TD_ERR_KEY, NULL, NULL);
  check(kind_at(longer, TD_KEY("z")) == TD_ENTRY_TENSOR && kind_at(a, TD_KEY("a")) == TD_ENTRY_NONE);
  must(td_dict_set_data(ragged, TD_KEY("s"), TD_DATA(td_data_int(4)), &err));
  check(kind_at(longer, TD_KEY("s")) == TD_ENTRY_DATA && td_dict_numel(ragged) == -1);
  td_dict_release(both);
  td_dict_release(ragged);
  td_dict_release(longer);
  td_dict_release(a);
}

LeaklessTest(dict_outside, values_are_read_before_they_are_written) {
  td_dict *pair = new_dict(TD_SHAPE(2)), *swapped = new_dict(TD_SHAPE(2));
  put(pair, TD_KEY("a"), full_f32(1, TD_SHAPE(2)));
  put(pair, TD_KEY("b"), full_f32(2, TD_SHAPE(2)));
  td_tensor *x = get(pair, TD_KEY("a")), *y = get(pair, TD_KEY("b"));
  put(swapped, TD_KEY("a"), y);
  put(swapped, TD_KEY("b"), x);
  must(td_dict_update_(pair, swapped, &err));
  expect_entry(pair, TD_KEY("a"), VALUES(2, 2));
  expect_entry(pair, TD_KEY("b"), VALUES(1, 1));
  td_dict_release(swapped);
  td_dict_release(pair);
}
