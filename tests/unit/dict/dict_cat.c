/* Joining dicts along a batch dim, into new memory and into what exists. */
#include "support/td.h"
#include "support/trees.h"

static td_dict *part(double start, int64_t rows) {
  td_dict *td = new_dict(TD_SHAPE(rows, 2)), *n = new_dict(TD_SHAPE(rows, 2, 3));
  put(td, TD_KEY("a"), full_f32(start, TD_SHAPE(rows, 2)));
  put(n, TD_KEY("b"), full_f32(start + 0.5, TD_SHAPE(rows, 2, 3)));
  put_dict(td, TD_KEY("n"), n);
  return td;
}

LeaklessTest(dict_cat, sizes_add_up_along_the_dim_and_memory_is_new) {
  const struct {
    int64_t dim, rows, batch[2];
    double a[6];
    size_t n;
  } table[] = {{0, 2, {3, 2}, {1, 1, 1, 1, 2, 2}, 6},
               {-2, 0, {1, 2}, {2, 2}, 2},
               {1, 1, {1, 4}, {1, 1, 2, 2}, 4},
               {-1, 1, {1, 4}, {1, 1, 2, 2}, 4}};
  for (td_fast_level level = TD_FAST_NONE; level <= TD_FAST_ARENA; ++level)
    for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
      must(td_set_fast_level(level, &err));
      td_dict *x = part(1, table[i].rows), *y = part(2, 1), *out, *n;
      const td_dict *both[] = {x, y};
      must(td_dict_lock_(x, &err));
      must(td_dict_cat(both, 2, table[i].dim, &out, &err));
      check(has_batch(out, table[i].batch, 2) && !td_dict_is_locked(out));
      expect_entry_at(__FILE__, __LINE__, out, TD_KEY("a"), table[i].a, table[i].n);
      n = get_dict(out, TD_KEY("n"));
      expect_batch(n, TD_SHAPE(table[i].batch[0], table[i].batch[1], 3)); /* the node keeps its own dim */
      td_tensor *b = get(n, TD_KEY("b"));
      check(td_tensor_numel(b) == 3 * (int64_t)table[i].n);
      td_tensor_release(b);
      td_dict_release(n), td_dict_release(out);
      must(td_dict_cat(both + 1, 1, 0, &out, &err)); /* one alone is copied too */
      check(!same_memory(out, TD_KEY("a"), y, TD_KEY("a")));
      td_dict_release(out), td_dict_release(x), td_dict_release(y);
    }
}

LeaklessTest(dict_cat, dtypes_are_promoted_and_gradients_flow) {
  td_dict *x = new_dict(TD_SHAPE(2)), *y = new_dict(TD_SHAPE(1)), *out;
  put(x, TD_KEY("a"), vector_of(TD_DTYPE_INT64, TD_SHAPE(1, 2)));
  put(y, TD_KEY("a"), full_f32(2.5, TD_SHAPE(1)));
  put(x, TD_KEY("w"), requiring_grad(full_f32(1, TD_SHAPE(2))));
  put(y, TD_KEY("w"), full_f32(2, TD_SHAPE(1)));
  const td_dict *both[] = {x, y};
  must(td_dict_cat(both, 2, 0, &out, &err));
  expect_entry(out, TD_KEY("a"), VALUES(1, 2, 2.5));
  td_tensor *w = get(out, TD_KEY("w")), *seed = range_f32(TD_SHAPE(3)), *leaf = get(x, TD_KEY("w")), *grad;
  must(td_tensor_backward(w, seed, 0, &err));
  must(td_tensor_grad(leaf, &grad, &err));
  expect_values(grad, VALUES(0, 1));
  td_tensor_release(w), td_tensor_release(seed), td_tensor_release(leaf), td_tensor_release(grad);
  td_dict_release(out), td_dict_release(x), td_dict_release(y);
}

/* Stock Python keeps the first dict's data only. */
LeaklessTest(dict_cat, data_is_joined_as_tensors_are) {
  td_dict *stack, *one, *out;
  must(td_open(TD_STR(TD_TEST_DATA "/fixtures/memmap/nontensorstack"), NULL, &stack, &err));
  must(td_open(TD_STR(TD_TEST_DATA "/fixtures/memmap/nontensor_batch"), NULL, &one, &err));
  const td_dict *stacks[] = {stack, stack}, *ones[] = {one, one};
  must(td_dict_cat(stacks, 2, 0, &out, &err));
  expect_batch(out, TD_SHAPE(6));
  expect_in_repr(out, "['a', 'b', 'c', 'a', 'b', 'c']");
  must(td_dict_cat_into(stacks, 2, 0, out, &err));
  expect_in_repr(out, "['a', 'b', 'c', 'a', 'b', 'c']");
  td_dict_release(out);
  must(td_dict_cat(ones, 2, 1, &out, &err));
  expect_batch(out, TD_SHAPE(2, 6));
  expect_in_repr(out, "k: NonTensorData(data=v, batch_size=torch.Size([2, 6])");
  td_dict_release(out), td_dict_release(stack), td_dict_release(one);
}

LeaklessTest(dict_cat, dicts_that_differ_are_refused_by_name) {
  td_dict *x = part(1, 2), *y, *out = NULL;
  const struct {
    const td_key *key;
    const int64_t *dims;
    size_t ndim;
    td_status code;
    const char *named;
  } table[] = {{TD_KEY("extra"), TD_SHAPE(2, 2), TD_ERR_KEY, "\"extra\""},
               {TD_KEY("a"), TD_SHAPE(2, 2, 5), TD_ERR_SHAPE, "\"a\""},
               {TD_KEY("n", "b"), TD_SHAPE(2, 2, 3, 1), TD_ERR_SHAPE, "(\"n\", \"b\")"},
               {TD_KEY("n"), TD_SHAPE(2, 2), TD_ERR_KEY, "\"n\""}};
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i)
    for (int order = 0; order < 2; ++order) {
      y = part(2, 2);
      put(y, table[i].key, range_f32(table[i].dims, table[i].ndim));
      const td_dict *both[] = {order ? x : y, order ? y : x};
      expect_error(td_dict_cat(both, 2, 0, &out, &err), table[i].code, table[i].named, NULL);
      td_dict_release(y);
    }
  y = new_dict(TD_SHAPE(2, 3)); /* sizes are compared also without leaves */
  td_dict *empty = new_dict(TD_SHAPE(2, 4)), *flat = new_dict(TD_NO_DIMS);
  const td_dict *both[] = {y, empty}, *lost[] = {x, NULL};
  const td_dict *none = flat;
  expect_error(td_dict_cat(both, 2, 0, &out, &err), TD_ERR_SHAPE, NULL, "[2, 4]");
  expect_error(td_dict_cat(both, 1, 2, &out, &err), TD_ERR_INDEX, NULL, "2");
  expect_error(td_dict_cat(&none, 1, 0, &out, &err), TD_ERR_INDEX, NULL, "0");
  expect_error(td_dict_cat(both, 0, 0, &out, &err), TD_ERR_ARGUMENT, NULL, "join");
  expect_error(td_dict_cat(NULL, 2, 0, &out, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_dict_cat(lost, 2, 0, &out, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_dict_cat(both, 1, 0, NULL, &err), TD_ERR_ARGUMENT, NULL, NULL);
  check(out == NULL);
  td_dict_release(x), td_dict_release(y), td_dict_release(empty), td_dict_release(flat);
}

LeaklessTest(dict_cat, cat_into_writes_what_exists_in_place) {
  for (td_fast_level level = TD_FAST_NONE; level <= TD_FAST_ARENA; ++level) {
    must(td_set_fast_level(level, &err));
    td_dict *x = part(1, 1), *y = part(2, 1), *joined = part(0, 2), *more;
    const td_dict *both[] = {x, y};
    must(td_dict_lock_(joined, &err));
    td_tensor *before = get(joined, TD_KEY("a"));
    must(td_dict_cat_into(both, 2, 0, joined, &err));
    expect_values(before, VALUES(1, 1, 2, 2));
    expect_entry(joined, TD_KEY("n", "b"), VALUES(1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 2.5, 2.5, 2.5, 2.5, 2.5, 2.5));
    must(td_dict_clone(joined, &more, &err));
    put(more, TD_KEY("rest"), full_f32(8, TD_SHAPE(2, 2))); /* that the others lack stays as it is */
    must(td_dict_cat_into(both, 2, 0, more, &err));
    expect_entry(more, TD_KEY("rest"), VALUES(8, 8, 8, 8));
    td_tensor_release(before);
    td_dict_release(x), td_dict_release(y), td_dict_release(joined), td_dict_release(more);
  }
}

LeaklessTest(dict_cat, stack_into_writes_what_exists_in_place) {
  for (td_fast_level level = TD_FAST_NONE; level <= TD_FAST_ARENA; ++level) {
    must(td_set_fast_level(level, &err));
    td_dict *x = part(1, 1), *y = part(2, 1), *stacked;
    const td_dict *both[] = {x, y};
    must(td_dict_stack(both, 2, 1, &stacked, &err));
    must(td_dict_set_at_value(stacked, NULL, 0, TD_VALUE(td_value_double(0)), &err));
    put(stacked, TD_KEY("rest"), full_f32(8, TD_SHAPE(1, 2, 2))); /* that the others lack stays as it is */
    must(td_dict_stack_into(both, 2, -2, stacked, &err));
    expect_entry(stacked, TD_KEY("a"), VALUES(1, 1, 2, 2));
    expect_entry(stacked, TD_KEY("rest"), VALUES(8, 8, 8, 8));
    td_dict_release(x), td_dict_release(y), td_dict_release(stacked);
  }
}

LeaklessTest(dict_cat, nothing_is_written_unless_all_can_be) {
  for (td_fast_level level = TD_FAST_NONE; level <= TD_FAST_ARENA; ++level) {
    must(td_set_fast_level(level, &err));
    td_dict *x = part(1, 1), *y = part(2, 1), *joined, *stacked, *wrong = part(0, 3);
    const td_dict *both[] = {x, y};
    must(td_dict_cat(both, 2, 0, &joined, &err));
    must(td_dict_stack(both, 2, 1, &stacked, &err));
    td_tensor *before = get(joined, TD_KEY("a"));
    expect_error(td_dict_cat_into(both, 2, 0, wrong, &err), TD_ERR_SHAPE, NULL, "[3, 2]");
    expect_error(td_dict_cat_into(both, 2, 0, NULL, &err), TD_ERR_ARGUMENT, NULL, "NULL");
    expect_error(td_dict_cat_into(both, 0, 0, joined, &err), TD_ERR_ARGUMENT, NULL, NULL);
    expect_error(td_dict_stack_into(both, 2, 0, joined, &err), TD_ERR_SHAPE, NULL, NULL);
    expect_error(td_dict_stack_into(both, 2, 3, stacked, &err), TD_ERR_INDEX, NULL, "3");
    expect_error(td_dict_stack_into(both, 0, 0, stacked, &err), TD_ERR_ARGUMENT, NULL, NULL);
    must(td_dict_set_at_value(y, NULL, 0, TD_VALUE(td_value_double(9)), &err));
    put(y, TD_KEY("extra"), full_f32(0, TD_SHAPE(1, 2)));
    put(x, TD_KEY("extra"), full_f32(0, TD_SHAPE(1, 2)));
    expect_error(td_dict_cat_into(both, 2, 0, joined, &err), TD_ERR_KEY, "\"extra\"", NULL);
    expect_error(td_dict_stack_into(both, 2, 1, stacked, &err), TD_ERR_KEY, "\"extra\"", NULL);
    must(td_dict_remove(x, TD_KEY("extra"), &err));
    must(td_dict_remove(y, TD_KEY("extra"), &err));
    put(joined, TD_KEY("n", "b"), requiring_grad(full_f32(0, TD_SHAPE(2, 2, 3))));
    expect_error(td_dict_cat_into(both, 2, 0, joined, &err), TD_ERR_TORCH, "(\"n\", \"b\")", NULL);
    expect_values(before, VALUES(1, 1, 2, 2));
    expect_entry(stacked, TD_KEY("a"), VALUES(1, 1, 2, 2));
    td_tensor_release(before);
    td_dict_release(x), td_dict_release(y), td_dict_release(joined), td_dict_release(stacked), td_dict_release(wrong);
  }
}
