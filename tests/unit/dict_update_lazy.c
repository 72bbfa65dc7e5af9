/* Updates of dicts by lazy stacks, and of lazy stacks. */
#include "support/td.h"

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
  check(td_dict_get_kind(p) == TD_DICT_KIND_LAZY_STACK && td_dict_stack_dim(p) == 0);
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
  check(td_dict_get_kind(p) == TD_DICT_KIND_TENSORDICT);
  td_dict_release(p);
  must(td_dict_delete(dst, TD_KEY("p"), &err));
  must(td_dict_update(dst, src, NULL, &err));
  td_dict_release(dst), td_dict_release(src);
}
