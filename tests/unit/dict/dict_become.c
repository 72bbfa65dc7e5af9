/* A dict takes over what another is: the form in place of every operation. */
#include "support/trees.h"

static td_dict *grid(void) {
  td_dict *td = new_dict(TD_SHAPE(2, 3)), *n = new_dict(TD_SHAPE(2, 3, 2));
  put(n, TD_KEY("b"), range_f32(TD_SHAPE(2, 3, 2)));
  put(td, TD_KEY("a"), range_f32(TD_SHAPE(2, 3)));
  put_dict(td, TD_KEY("n"), n);
  must(td_dict_set_data(td, TD_KEY("s"), TD_DATA(td_data_str(TD_STR("hi"))), &err));
  put_dict(td, TD_KEY("e"), new_dict(TD_SHAPE(2, 3)));
  return td;
}

#define OP(name, call)                                      \
  static td_status name(const td_dict *td, td_dict **out) { \
    return call;                                            \
  }
OP(reshaped, td_dict_reshape(td, TD_SHAPE(3, 2), out, &err))
OP(flattened, td_dict_flatten(td, 0, -1, out, &err))
OP(unflattened, td_dict_unflatten(td, 1, TD_SHAPE(3, 1), out, &err))
OP(repeated, td_dict_repeat(td, TD_SHAPE(1, 2), out, &err))
OP(interleaved, td_dict_repeat_interleave(td, TD_SHAPE(2), 0, out, &err))
OP(rolled, td_dict_roll(td, TD_SHAPE(1), TD_SHAPE(1), out, &err))
OP(padded, td_dict_pad(td, TD_SHAPE(0, 1), TD_VALUE(td_value_double(9)), out, &err))
OP(compact, td_dict_contiguous(td, out, &err))

static td_status gathered(const td_dict *td, td_dict **out) {
  td_tensor *index = counted(TD_DTYPE_INT64, TD_SHAPE(2, 1));
  const td_status status = td_dict_gather(td, 1, index, out, &err);
  td_tensor_release(index);
  return status;
}

LeaklessTest(dict_become, every_operation_has_its_form_in_place) {
  static td_status (*const operations[])(const td_dict *, td_dict **) = {
      reshaped, flattened, unflattened, repeated, interleaved, rolled, padded, compact, gathered};
  for (size_t i = 0; i < sizeof operations / sizeof *operations; ++i) {
    td_dict *td = grid(), *n = get_dict(td, TD_KEY("n")), *e = get_dict(td, TD_KEY("e")), *out = NULL;
    must(td_dict_set_names(td, (const td_str[]){TD_STR("x"), TD_STR("y")}, 2, &err));
    must(operations[i](td, &out));
    td_string *expected = text_of(out), *inner;
    must(td_dict_become(td, out, &err));
    expect_repr(td, td_string_view(expected).data);
    td_string_release(expected);
    for (int64_t d = 0; d < (int64_t)td_dict_batch_size(td, NULL, 0); ++d) { /* names went along */
      td_string *ours, *theirs;
      must(td_dict_name(td, d, &ours, &err));
      must(td_dict_name(out, d, &theirs, &err));
      check(!ours == !theirs && (!ours || says(td_string_view(ours), td_string_view(theirs).data)));
      td_string_release(ours), td_string_release(theirs);
    }
    td_dict *same = get_dict(td, TD_KEY("n")), *same_e = get_dict(td, TD_KEY("e")), *other = get_dict(out, TD_KEY("n"));
    check(same == n && same_e == e && other != n); /* nodes keep their identity, tensors are bound */
    check(same_memory(td, TD_KEY("n", "b"), out, TD_KEY("n", "b")));
    inner = text_of(other);
    expect_repr(n, td_string_view(inner).data);
    td_string_release(inner);
    td_dict_release(same), td_dict_release(same_e), td_dict_release(other);
    td_dict_release(td), td_dict_release(n), td_dict_release(e), td_dict_release(out);
  }
}

LeaklessTest(dict_become, keys_kinds_and_order_are_those_of_the_other) {
  td_dict *td = tree(), *other = new_dict(TD_SHAPE(4)), *n;
  put(other, TD_KEY("z"), range_f32(TD_SHAPE(4)));
  put(other, TD_KEY("a", "inner"), range_f32(TD_SHAPE(4))); /* a node where there is a tensor */
  put(other, TD_KEY("n", "m"), range_f32(TD_SHAPE(4)));     /* and the other way round */
  for (int i = 0; i < 12; ++i) {                            /* enough keys for an index */
    char name[] = {(char)('f' + i), '1', 0};
    put(td, TD_KEY(name), range_f32(TD_SHAPE(2)));
  }
  n = get_dict(td, TD_KEY("n"));
  must(td_dict_become(td, other, &err));
  expect_batch(td, TD_SHAPE(4));
  expect_batch(n, TD_SHAPE(4));
  expect_keys(td, "z a a/inner n n/m");
  expect_keys(n, "m");
  check(same_node(td, TD_KEY("a"), other, TD_KEY("a")) && !same_node(td, TD_KEY("n"), other, TD_KEY("n")));
  put(td, TD_KEY("late"), range_f32(TD_SHAPE(4)));
  check(kind_at(other, TD_KEY("late")) == TD_ENTRY_NONE);
  must(td_dict_become(td, td, &err)); /* nothing to do */
  check(td_dict_count(td) == 4);

  td_dict *empty = new_dict(TD_NO_DIMS);
  must(td_dict_become(td, empty, &err));
  check(td_dict_count(td) == 0 && td_dict_batch_size(td, NULL, 0) == 0);
  td_dict_release(empty), td_dict_release(n), td_dict_release(td), td_dict_release(other);
}

LeaklessTest(dict_become, no_dict_comes_to_contain_itself) {
  td_dict *td = tree(), *around = new_dict(TD_NO_DIMS), *n = get_dict(td, TD_KEY("n"));
  must(td_dict_set_dict(around, TD_KEY("td"), td, &err));
  td_dict *before;
  must(td_dict_copy(td, &before, &err));
  expect_error(td_dict_become(td, around, &err), TD_ERR_ARGUMENT, NULL, "itself");
  expect_untouched(td, before);
  must(td_dict_become(td, n, &err)); /* a node of its own: its entries move up */
  expect_keys(td, "b m m/c");
  check(same_node(td, TD_KEY("m"), n, TD_KEY("m")));
  td_dict_release(n), td_dict_release(around), td_dict_release(td);

  /* Two nodes that would come to hold each other. */
  td_dict *x = new_dict(TD_NO_DIMS), *y = new_dict(TD_NO_DIMS), *cross = new_dict(TD_NO_DIMS);
  td = new_dict(TD_NO_DIMS);
  must(td_dict_set_dict(td, TD_KEY("x"), x, &err));
  must(td_dict_set_dict(td, TD_KEY("y"), y, &err));
  must(td_dict_set_dict(cross, TD_KEY("x", "in"), y, &err));
  must(td_dict_set_dict(cross, TD_KEY("y", "in"), x, &err));
  must(td_dict_become(td, cross, &err));
  expect_keys(td, "x x/in y y/in");
  td_dict_release(x), td_dict_release(y), td_dict_release(td), td_dict_release(cross);

  /* One node under two keys takes over one thing only. */
  td = new_dict(TD_SHAPE(2)), x = new_dict(TD_SHAPE(2)), cross = new_dict(TD_SHAPE(2));
  must(td_dict_set_dict(td, TD_KEY("p"), x, &err));
  must(td_dict_set_dict(td, TD_KEY("q"), x, &err));
  put(cross, TD_KEY("p", "one"), range_f32(TD_SHAPE(2)));
  put(cross, TD_KEY("q", "two"), range_f32(TD_SHAPE(2)));
  must(td_dict_become(td, cross, &err));
  expect_keys(td, "p p/one q q/two");
  td_dict_release(x), td_dict_release(td), td_dict_release(cross);
  td_dict_release(before);
}

LeaklessTest(dict_become, locked_dicts_and_nodes_stay_what_they_are) {
  td_dict *td = tree(), *other = new_dict(TD_SHAPE(3)), *n = get_dict(td, TD_KEY("n"));
  put(other, TD_KEY("n", "b"), range_f32(TD_SHAPE(3)));
  td_dict *before;
  must(td_dict_copy(td, &before, &err));
  must(td_dict_lock_(n, &err)); /* only a node below */
  expect_error(td_dict_become(td, other, &err), TD_ERR_LOCKED, "\"n\"", NULL);
  expect_untouched(td, before);
  must(td_dict_lock_(td, &err));
  expect_error(td_dict_become(td, other, &err), TD_ERR_LOCKED, NULL, NULL);
  expect_untouched(td, before);
  must(td_dict_unlock_(td, &err));
  must(td_dict_lock_(other, &err)); /* the other's lock is its own */
  must(td_dict_become(td, other, &err));
  check(!td_dict_is_locked(td) && !td_dict_is_locked(n));
  expect_error(td_dict_become(NULL, other, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_dict_become(td, NULL, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  td_dict_release(before);
  td_dict_release(n), td_dict_release(td), td_dict_release(other);
}

LeaklessTest(dict_become, a_plain_dict_becomes_what_a_lazy_stack_shows) {
  td_dict *td = tree(), *before, *one = tree(), *two = new_dict(TD_SHAPE(3)), *stack, *ragged;
  must(td_dict_copy(td, &before, &err));
  put(two, TD_KEY("a"), range_f32(TD_SHAPE(3, 3)));
  must(td_dict_lazy_stack((td_dict *const[]){one, one}, 2, 0, &stack, &err));
  must(td_dict_lazy_stack((td_dict *const[]){one, two}, 2, 0, &ragged, &err));
  expect_error(td_dict_become(td, ragged, &err), TD_ERR_SHAPE, NULL, NULL);
  expect_untouched(td, before);
  expect_error(td_dict_become(one, stack, &err), TD_ERR_ARGUMENT, NULL, "itself"); /* it is a member */
  td_dict *n = get_dict(td, TD_KEY("n")), *inner;
  must(td_dict_become(td, stack, &err)); /* stacked, in new tensors; nodes keep their identity */
  check(td_dict_kind_of(td) == TD_DICT_KIND_TENSORDICT && has_batch(td, TD_SHAPE(2, 2)));
  inner = get_dict(td, TD_KEY("n"));
  check(inner == n && has_batch(n, TD_SHAPE(2, 2)));
  expect_entry(td, TD_KEY("n", "b"), VALUES(0, 1, 0, 1));
  td_dict_release(inner);
  must(td_dict_set_dict(td, TD_KEY("n"), stack, &err)); /* a stack below is replaced as a whole */
  must(td_dict_become(td, before, &err));
  inner = get_dict(td, TD_KEY("n"));
  check(td_dict_kind_of(inner) == TD_DICT_KIND_TENSORDICT);
  expect_entry(stack, TD_KEY("n", "b"), VALUES(0, 1, 0, 1));
  td_dict_release(inner), td_dict_release(n), td_dict_release(before), td_dict_release(td);
  td_dict_release(ragged), td_dict_release(stack), td_dict_release(one), td_dict_release(two);
}
