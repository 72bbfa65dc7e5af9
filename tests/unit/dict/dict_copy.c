/* Copies: copy shares tensors, clone does not. */
#include "support/td.h"

static td_dict *original(void) {
  td_dict *td = new_dict(TD_SHAPE(2));
  put(td, TD_KEY("a"), range_f32(TD_SHAPE(2)));
  put(td, TD_KEY("n", "b"), transposed(counted(TD_DTYPE_INT64, TD_SHAPE(3, 2))));
  td_dict *empty = new_dict(TD_SHAPE(2, 5));
  put_dict(td, TD_KEY("n", "empty"), empty);
  return td;
}

LeaklessTest(dict_copy, a_copy_has_nodes_of_its_own_and_the_same_tensors) {
  td_dict *td = original(), *copy;
  must(td_dict_copy(td, &copy, &err));
  td_tensor *x = get(td, TD_KEY("n", "b")), *y = get(copy, TD_KEY("n", "b"));
  check(x == y);
  td_tensor_release(x);
  td_tensor_release(y);
  put(copy, TD_KEY("n", "c"), range_f32(TD_SHAPE(2)));
  put(copy, TD_KEY("a"), full_f32(9, TD_SHAPE(2)));
  must(td_dict_remove(copy, TD_KEY("n", "b"), &err));
  must(td_dict_set_batch_size(copy, TD_NO_DIMS, &err));
  check(kind_at(td, TD_KEY("n", "c")) == TD_ENTRY_NONE && kind_at(td, TD_KEY("n", "b")) == TD_ENTRY_TENSOR);
  expect_entry(td, TD_KEY("a"), VALUES(0, 1));
  expect_batch(td, TD_SHAPE(2));
  td_dict_release(copy);
  td_dict_release(td);
}

LeaklessTest(dict_copy, a_clone_shares_nothing) {
  for (td_fast_level level = TD_FAST_NONE; level <= TD_FAST_ARENA; ++level) {
    td_dict *td = original(), *clone, *node;
    must(td_set_fast_level(level, &err));
    must(td_dict_clone(td, &clone, &err));
    check(!same_memory(td, TD_KEY("a"), clone, TD_KEY("a")));
    check(!same_memory(td, TD_KEY("n", "b"), clone, TD_KEY("n", "b")));
    node = get_dict(clone, TD_KEY("n", "empty"));
    expect_batch(node, TD_SHAPE(2, 5)); /* structure and batch sizes are kept */
    td_dict_release(node);
    td_tensor *a = get(td, TD_KEY("a"));
    poke(a, 77);
    td_tensor_release(a);
    td_dict_release(td);
    expect_entry(clone, TD_KEY("a"), VALUES(0, 1));
    expect_entry(clone, TD_KEY("n", "b"), VALUES(0, 2, 4, 1, 3, 5));
    td_dict_release(clone);
  }
}

LeaklessTest(dict_copy, a_clone_keeps_the_history_of_autograd) {
  td_dict *td = new_dict(TD_NO_DIMS), *clone;
  td_tensor *x = requiring_grad(range_f32(TD_SHAPE(2))), *y, *s, *grad;
  must(td_dict_set(td, TD_KEY("x"), x, &err));
  must(td_dict_clone(td, &clone, &err));
  y = get(clone, TD_KEY("x"));
  check(td_tensor_requires_grad(y) && address(y) != address(x));
  s = call("sum", "", ARGS(td_value_tensor(y)));
  must(td_tensor_backward(s, NULL, 0, &err));
  must(td_tensor_grad(x, &grad, &err));
  expect_values(grad, VALUES(1, 1));
  td_tensor_release(grad);
  td_tensor_release(s);
  td_tensor_release(y);
  td_tensor_release(x);
  td_dict_release(clone);

  td_no_grad *scope;
  must(td_no_grad_begin(&scope, &err));
  must(td_dict_clone(td, &clone, &err)); /* without recording, a clone is a plain tensor */
  must(td_no_grad_end(scope, &err));
  td_no_grad_release(scope);
  y = get(clone, TD_KEY("x"));
  check(!td_tensor_requires_grad(y));
  td_tensor_release(y);
  td_dict_release(clone);
  td_dict_release(td);
}
