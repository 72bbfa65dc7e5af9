/* All tensors of a dict in one allocation. */
#include "support/td.h"

static td_dict *mixed(void) {
  td_dict *d = new_dict(TD_SHAPE(2));
  put(d, TD_KEY("a"), vector_of(TD_DTYPE_FLOAT32, (const int64_t[]){1, 2}, 2));
  put(d, TD_KEY("n", "b"), vector_of(TD_DTYPE_INT8, (const int64_t[]){3, 4}, 2));
  put(d, TD_KEY("n", "z"), vector_of(TD_DTYPE_COMPLEX128, (const int64_t[]){5, 6}, 2));
  must(td_dict_set_data(d, TD_KEY("s"), TD_DATA(td_data_int(7)), &err));
  return d;
}

LeaklessTest(dict_consolidate, tensors_are_copied_into_one_block) {
  td_dict *d = mixed(), *c;
  must(td_dict_consolidate(d, &c, &err));
  check(td_dict_is_locked(c) && !td_dict_is_locked(d));
  expect_batch(c, TD_SHAPE(2));
  const td_key *keys[] = {TD_KEY("a"), TD_KEY("n", "b")};
  for (size_t i = 0; i < 2; ++i) {
    td_tensor *copy = get(c, keys[i]), *original = get(d, keys[i]);
    check(same_values(copy, original));
    check(address(copy) != address(original));
    td_tensor_release(copy), td_tensor_release(original);
  }
  td_tensor *a = get(c, TD_KEY("a")), *b = get(c, TD_KEY("n", "b")), *z = get(c, TD_KEY("n", "z"));
  check((const char *)address(b) - (const char *)address(a) == 64);
  check((const char *)address(z) - (const char *)address(b) == 64);
  check(((const double *)address(z))[2] == 6);
  check(kind_at(c, TD_KEY("s")) == TD_ENTRY_DATA);
  td_tensor_release(a), td_tensor_release(b), td_tensor_release(z);
  td_dict_release(c), td_dict_release(d);
}

LeaklessTest(dict_consolidate, layouts_stacks_and_gradients) {
  td_dict *d = new_dict(TD_NO_DIMS), *other = new_dict(TD_NO_DIMS), *lazy, *c;
  td_tensor *t;
  must(td_tensor_randn(TD_SHAPE(3, 5), TD_DTYPE_FLOAT32, TD_NO_STR, NULL, &t, &err));
  put(d, TD_KEY("t"), transposed(t));
  put(other, TD_KEY("t"), requiring_grad(vector_of(TD_DTYPE_FLOAT32, (const int64_t[]){1, 2, 3}, 3)));
  must(td_dict_lazy_stack((td_dict *[]){d, other}, 2, 0, &lazy, &err));
  must(td_dict_consolidate(lazy, &c, &err));
  check(td_dict_kind_of(c) == TD_DICT_KIND_LAZY_STACK);
  td_dict_list *members;
  td_dict *first, *second;
  must(td_dict_members(c, &members, &err));
  must(td_dict_list_get(members, 0, &first, &err));
  must(td_dict_list_get(members, 1, &second, &err));
  td_tensor *was = get(d, TD_KEY("t")), *is = get(first, TD_KEY("t")), *grad = get(second, TD_KEY("t"));
  check(same_values(was, is) && td_tensor_is_contiguous(is));
  check(!td_tensor_requires_grad(grad));
  td_tensor_release(was), td_tensor_release(is), td_tensor_release(grad);
  td_dict_release(first), td_dict_release(second), td_dict_list_release(members);
  td_dict_release(c), td_dict_release(lazy), td_dict_release(d), td_dict_release(other);

  td_dict *empty = new_dict(TD_NO_DIMS);
  must(td_dict_consolidate(empty, &c, &err));
  check(td_dict_is_locked(c));
  td_dict_release(c), td_dict_release(empty);
}

LeaklessTest(dict_consolidate, what_has_no_bytes_is_named) {
  td_dict *d = mixed(), *c = NULL;
  td_tensor *dense = get(d, TD_KEY("a"));
  put(d, TD_KEY("n", "sparse"), call("to_sparse", "", ARGS(td_value_tensor(dense))));
  expect_error(td_dict_consolidate(d, &c, &err), TD_ERR_UNSUPPORTED, "(\"n\", \"sparse\")", "dense");
  expect_error(td_dict_consolidate(NULL, &c, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_consolidate(d, NULL, &err), TD_ERR_ARGUMENT, NULL, NULL);
  check(c == NULL);
  td_tensor_release(dense), td_dict_release(d);
}
