/* Updates of dicts by lazy stacks, and of lazy stacks. */
#include "support/data.h"
#include "support/td.h"
#include "support/trees.h"

/* Takes both over. */
static td_dict *stack_of(td_dict *a, td_dict *b, int64_t dim) {
  td_dict *stack;
  must(td_dict_lazy_stack((td_dict *const[]){a, b}, 2, dim, &stack, &err));
  td_dict_release(a), td_dict_release(b);
  return stack;
}

/* {n: {c: `value`}} of batch size [] */
static td_dict *small(double value) {
  td_dict *td = new_dict(TD_NO_DIMS);
  put(td, TD_KEY("n", "c"), full_f32(value, TD_NO_DIMS));
  return td;
}

LeaklessTest(dict_update_lazy, a_dict_keeps_what_the_stack_lacks) {
  td_dict *dst = new_dict(TD_SHAPE(2)), *src = new_dict(TD_SHAPE(2)), *p;
  put(dst, TD_KEY("p", "n", "c"), full_f32(0, TD_SHAPE(2)));
  put(dst, TD_KEY("p", "n", "e"), full_f32(5, TD_SHAPE(2)));
  put(dst, TD_KEY("p", "f"), full_f32(6, TD_SHAPE(2)));
  put_dict(src, TD_KEY("p"), stack_of(small(1), small(2), 0));
  must(td_dict_update(dst, src, NULL, &err));
  p = get_dict(dst, TD_KEY("p"));
  check(td_dict_kind_of(p) == TD_DICT_KIND_LAZY_STACK && td_dict_stack_dim(p) == 0);
  expect_entry(dst, TD_KEY("p", "n", "c"), VALUES(1, 2));
  expect_entry(dst, TD_KEY("p", "n", "e"), VALUES(5, 5));
  expect_entry(dst, TD_KEY("p", "f"), VALUES(6, 6));
  td_dict_release(p);
  td_dict_release(dst), td_dict_release(src);
}

LeaklessTest(dict_update_lazy, a_dict_takes_members_of_different_shapes) {
  td_dict *dst = new_dict(TD_SHAPE(2)), *src = new_dict(TD_SHAPE(2)), *a = small(1), *b = small(2), *p;
  put(a, TD_KEY("x"), full_f32(1, TD_SHAPE(3)));
  put(b, TD_KEY("x"), full_f32(1, TD_SHAPE(4)));
  put(dst, TD_KEY("p", "e"), range_f32(TD_SHAPE(2)));
  put_dict(src, TD_KEY("p"), stack_of(a, b, 0));
  must(td_dict_update(dst, src, NULL, &err));
  p = get_dict(dst, TD_KEY("p"));
  td_tensor_list *list;
  must(td_dict_get_list(p, TD_KEY("x"), &list, &err));
  check(td_tensor_list_size(list) == 2);
  expect_entry(p, TD_KEY("e"), VALUES(0, 1));
  td_tensor_list_release(list);
  td_dict_release(p);
  td_dict_release(dst), td_dict_release(src);
}

LeaklessTest(dict_update_lazy, a_dict_that_cannot_be_taken_apart_refuses_and_stays) {
  td_dict *dst = new_dict(TD_SHAPE(2)), *src = new_dict(TD_SHAPE(2)), *a = new_dict(TD_SHAPE(2)), *b, *p;
  put(a, TD_KEY("c"), full_f32(1, TD_SHAPE(2)));
  must(td_dict_clone(a, &b, &err));
  put(dst, TD_KEY("p", "e"), range_f32(TD_SHAPE(2)));
  put(dst, TD_KEY("first"), full_f32(1, TD_SHAPE(2)));
  put(src, TD_KEY("first"), full_f32(9, TD_SHAPE(2)));
  put_dict(src, TD_KEY("p"), stack_of(a, b, 1));
  expect_error(td_dict_update(dst, src, NULL, &err), TD_ERR_SHAPE, "\"p\"", "dim 1");
  expect_entry(dst, TD_KEY("first"), VALUES(1, 1));
  p = get_dict(dst, TD_KEY("p"));
  check(td_dict_kind_of(p) == TD_DICT_KIND_TENSORDICT);
  td_dict_release(p);
  must(td_dict_remove(dst, TD_KEY("p"), &err));
  must(td_dict_update(dst, src, NULL, &err));
  td_dict_release(dst), td_dict_release(src);
}

static td_status update_sizes(td_dict *dst, const td_dict *src) {
  td_dict_update_options options = TD_DICT_UPDATE_OPTIONS_INIT;
  options.update_batch_size = 1;
  return td_dict_update(dst, src, &options, &err);
}

/* {x: [size] of `value`} of batch size [size] */
static td_dict *flat(double value, int64_t size) {
  td_dict *td = new_dict(TD_SHAPE(size));
  put(td, TD_KEY("x"), full_f32(value, TD_SHAPE(size)));
  return td;
}

LeaklessTest(dict_update_lazy, a_stack_takes_the_number_of_members_of_its_source) {
  td_dict *a = flat(1, 3), *b = flat(2, 3), *c = flat(3, 3), *two, *three, *dense;
  must(td_dict_lazy_stack((td_dict *const[]){a, b}, 2, 0, &two, &err));
  must(td_dict_lazy_stack((td_dict *const[]){b, b, c}, 3, 0, &three, &err));
  must(update_sizes(three, two)); /* fewer: the members of the source */
  expect_batch(three, TD_SHAPE(2, 3));
  expect_entry(three, TD_KEY("x"), VALUES(1, 1, 1, 2, 2, 2));
  must(td_dict_lazy_stack((td_dict *const[]){c, c, c}, 3, 0, &dense, &err));
  must(update_sizes(three, dense)); /* more: updated in pairs, the last one is a copy */
  expect_batch(three, TD_SHAPE(3, 3));
  expect_entry(a, TD_KEY("x"), VALUES(3, 3, 3));
  must(td_dict_fill_(c, TD_KEY("x"), TD_VALUE(td_value_double(4)), &err));
  td_dict_release(dense);
  must(td_dict_contiguous(two, &dense, &err));
  must(update_sizes(three, dense)); /* a dense source is taken apart */
  expect_batch(three, TD_SHAPE(2, 3));
  td_dict *wide = new_dict(TD_SHAPE(2, 5));
  put(wide, TD_KEY("x"), full_f32(7, TD_SHAPE(2, 5)));
  must(update_sizes(three, wide)); /* members of another batch size */
  expect_batch(three, TD_SHAPE(2, 5));
  expect_entry(three, TD_KEY("x"), VALUES(7, 7, 7, 7, 7, 7, 7, 7, 7, 7));
  td_dict_release(wide);
  td_dict_release(dense), td_dict_release(two), td_dict_release(three);
  td_dict_release(a), td_dict_release(b), td_dict_release(c);
}

LeaklessTest(dict_update_lazy, a_stack_that_cannot_take_another_size_stays) {
  td_dict *dst = stack_of(flat(1, 3), flat(2, 3), 0), *src = new_dict(TD_SHAPE(3, 4)), *none = new_dict(TD_NO_DIMS);
  put(src, TD_KEY("y"), full_f32(1, TD_SHAPE(3, 4)));
  expect_error(update_sizes(dst, src), TD_ERR_KEY, "\"x\"", "the new batch size");
  expect_error(update_sizes(dst, none), TD_ERR_SHAPE, NULL, "dim 0");
  td_dict *half = stack_of(flat(9, 4), flat(9, 5), 0), *member;
  td_dict_list *members;
  must(td_dict_members(half, &members, &err));
  must(td_dict_list_get(members, 1, &member, &err));
  must(td_dict_remove(member, TD_KEY("x"), &err)); /* fails when the first member has changed already */
  expect_error(update_sizes(dst, half), TD_ERR_KEY, "\"x\"", NULL);
  expect_batch(dst, TD_SHAPE(2, 3));
  expect_entry(dst, TD_KEY("x"), VALUES(1, 1, 1, 2, 2, 2));
  must(td_dict_lock_(dst, &err));
  td_dict *one = stack_of(flat(1, 3), flat(1, 3), 0);
  must(td_dict_insert(one, 0, (td_dict *const[]){member}, 0, &err));
  expect_error(update_sizes(dst, one), TD_ERR_LOCKED, NULL, NULL);
  td_dict_release(one);
  td_dict_release(member), td_dict_list_release(members), td_dict_release(half);
  td_dict_release(dst), td_dict_release(src), td_dict_release(none);
}

LeaklessTest(dict_update_lazy, a_node_of_another_batch_size_is_taken_over) {
  td_dict *dst = new_dict(TD_SHAPE(2)), *src = new_dict(TD_SHAPE(2)), *n = new_dict(TD_SHAPE(2, 3)),
          *m = new_dict(TD_SHAPE(2, 4)), *there;
  put(n, TD_KEY("x"), full_f32(1, TD_SHAPE(2, 3)));
  put(m, TD_KEY("x"), full_f32(2, TD_SHAPE(2, 4)));
  put(dst, TD_KEY("r"), full_f32(1, TD_SHAPE(2)));
  put(src, TD_KEY("r"), full_f32(5, TD_SHAPE(2)));
  must(td_dict_set_dict(dst, TD_KEY("n"), n, &err));
  put_dict(src, TD_KEY("n"), m);
  must(update_sizes(dst, src));
  there = get_dict(dst, TD_KEY("n"));
  check(there == n); /* the same object */
  expect_batch(n, TD_SHAPE(2, 4));
  expect_entry(n, TD_KEY("x"), VALUES(2, 2, 2, 2, 2, 2, 2, 2));
  td_dict_release(there);
  put(n, TD_KEY("more"), full_f32(1, TD_SHAPE(2, 4)));
  must(td_dict_remove(src, TD_KEY("n"), &err));
  put(src, TD_KEY("r"), full_f32(6, TD_SHAPE(2)));
  m = new_dict(TD_SHAPE(2, 5));
  put(m, TD_KEY("x"), full_f32(2, TD_SHAPE(2, 5)));
  put_dict(src, TD_KEY("n"), m);
  expect_error(update_sizes(dst, src), TD_ERR_KEY, "(\"n\", \"more\")", NULL);
  expect_entry(dst, TD_KEY("r"), VALUES(5, 5)); /* nothing has changed */
  expect_batch(n, TD_SHAPE(2, 4));
  td_dict_release(n);
  td_dict_release(dst), td_dict_release(src);
}

/* What only some members have stays there, and is no place for other entries unless it is a dict. */
LeaklessTest(dict_update_lazy, a_path_through_a_key_of_some_members_keeps_what_they_hold) {
  for (int kind = 0; kind < 3; ++kind) {
    td_dict *a = new_dict(TD_SHAPE(3)), *b = new_dict(TD_SHAPE(3)), *stack;
    if (kind == 0) put(b, TD_KEY("x", "c"), full_f32(1, TD_SHAPE(3)));
    if (kind == 1) put(b, TD_KEY("x"), full_f32(1, TD_SHAPE(3)));
    if (kind == 2) must(td_dict_set_data(b, TD_KEY("x"), TD_DATA(TEXT("text")), &err));
    must(td_dict_lazy_stack((td_dict *const[]){a, b}, 2, 0, &stack, &err));
    td_tensor *t = range_f32(TD_SHAPE(2, 3));
    expect_error(td_dict_create_nested(stack, TD_KEY("x"), &err), TD_ERR_EXISTS, "\"x\"", NULL);
    if (kind == 0) {
      must(td_dict_set(stack, TD_KEY("x", "d"), t, &err));
      expect_entry(a, TD_KEY("x", "d"), VALUES(0, 1, 2));
      expect_entry(b, TD_KEY("x", "d"), VALUES(3, 4, 5));
      expect_entry(b, TD_KEY("x", "c"), VALUES(1, 1, 1));
      expect_error(td_dict_create_nested(stack, TD_KEY("x", "c"), &err), TD_ERR_EXISTS, "(\"x\", \"c\")", NULL);
      must(td_dict_create_nested(stack, TD_KEY("x", "e"), &err));
      expect_keys(b, "x x/c x/d x/e");
    } else {
      expect_error(td_dict_set(stack, TD_KEY("x", "d"), t, &err), TD_ERR_KEY, "(\"x\", \"d\")", "runs through");
      expect_keys(a, ""); /* nothing is half done */
      check(kind_at(b, TD_KEY("x")) == (kind == 1 ? TD_ENTRY_TENSOR : TD_ENTRY_DATA));
    }
    td_tensor_release(t);
    td_dict_release(stack), td_dict_release(a), td_dict_release(b);
  }
}
