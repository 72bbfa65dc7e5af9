/* Rows by position, by mask and by value; masks over whole entries. */
#include "support/td.h"
#include "support/trees.h"

/* Batch size [3, 2]: "a" counts, ("n", "b") has a feature dim, "k" in a dict of its own (see letters). */
static td_dict *grid(void) {
  td_dict *td = new_dict(TD_SHAPE(3, 2));
  put(td, TD_KEY("a"), range_f32(TD_SHAPE(3, 2)));
  put(td, TD_KEY("n", "b"), counted(TD_DTYPE_INT64, TD_SHAPE(3, 2, 2)));
  return td;
}

/* Saved by stock Python: batch size [3], "k" holds the texts a, b and c. */
static td_dict *letters(void) {
  td_dict *td;
  must(td_open(TD_STR(TD_TEST_DATA "/fixtures/memmap/nontensorstack"), NULL, &td, &err));
  return td;
}

static td_tensor *shaped(td_dtype dtype, const int64_t *numbers, size_t n, const int64_t *dims, size_t ndim) {
  td_tensor *flat = vector_of(dtype, numbers, n),
            *t = call("reshape", "", ARGS(td_value_tensor(flat), td_value_ints(dims, ndim)));
  td_tensor_release(flat);
  return t;
}

LeaklessTest(dict_gather, positions_along_a_batch_dim_are_taken_as_pytorch_does) {
  const struct {
    int64_t dim, index[6];
    size_t n;
    int64_t dims[2];
    size_t ndim;
    double a[6];
    size_t values;
    double last_b;
  } table[] = {
      {0, {2, 0}, 2, {2}, 1, {4, 5, 0, 1}, 4, 3}, /* a row number stands for the whole row */
      {-2, {1}, 1, {1}, 1, {2, 3}, 2, 7},
      {0, {2, 0, 1, 1}, 4, {2, 2}, 2, {4, 1, 2, 3}, 4, 7},
      {1, {1, 1, 0, 0, 1, 0}, 6, {3, 2}, 2, {1, 1, 2, 2, 5, 4}, 6, 9},
      {1, {1, 0, 0, 0}, 4, {1, 4}, 2, {1, 0, 0, 0}, 4, 1}, /* fewer rows, more columns */
      {-1, {0}, 0, {3, 0}, 2, {0}, 0, 0},
  };
  for (td_fast_level level = TD_FAST_NONE; level <= TD_FAST_ARENA; ++level)
    for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
      must(td_set_fast_level(level, &err));
      td_dict *td = grid(), *out;
      td_tensor *index = shaped(TD_DTYPE_INT64, table[i].index, table[i].n, table[i].dims, table[i].ndim);
      must(td_dict_gather(td, table[i].dim, index, &out, &err));
      check(has_batch(out, table[i].dims, table[i].ndim));
      expect_entry_at(__FILE__, __LINE__, out, TD_KEY("a"), table[i].a, table[i].values);
      td_tensor *b = get(out, TD_KEY("n", "b"));
      check(td_tensor_ndim(b) == 3 && td_tensor_numel(b) == 2 * (int64_t)table[i].values);
      if (table[i].values) check(((const int64_t *)address(b))[td_tensor_numel(b) - 1] == table[i].last_b);
      td_tensor_release(b), td_tensor_release(index);
      td_dict_release(td), td_dict_release(out);
    }
}

LeaklessTest(dict_gather, gather_refuses_what_does_not_fit_and_takes_data_along) {
  td_dict *td = grid(), *out = NULL, *texts = letters();
  td_tensor *far = vector_of(TD_DTYPE_INT64, TD_SHAPE(3)), *negative = vector_of(TD_DTYPE_INT64, TD_SHAPE(-1)),
            *row = vector_of(TD_DTYPE_INT32, TD_SHAPE(0, 2, 2)), *mask = vector_of(TD_DTYPE_BOOL, TD_SHAPE(1, 0, 1)),
            *wide = counted(TD_DTYPE_INT64, TD_SHAPE(2, 3)), *cube = counted(TD_DTYPE_INT64, TD_SHAPE(1, 1, 1));
  for (td_fast_level level = TD_FAST_NONE; level <= TD_FAST_ARENA; ++level) {
    must(td_set_fast_level(level, &err));
    expect_error(td_dict_gather(td, 0, far, &out, &err), TD_ERR_INDEX, NULL, "3");
    expect_error(td_dict_gather(td, 0, negative, &out, &err), TD_ERR_INDEX, NULL, "-1");
  }
  expect_error(td_dict_gather(td, 2, row, &out, &err), TD_ERR_INDEX, NULL, "2");
  expect_error(td_dict_gather(td, -3, row, &out, &err), TD_ERR_INDEX, NULL, "-3");
  expect_error(td_dict_gather(td, 1, row, &out, &err), TD_ERR_SHAPE, NULL, "[3]");
  expect_error(td_dict_gather(td, 0, wide, &out, &err), TD_ERR_SHAPE, NULL, "[2, 3]");
  expect_error(td_dict_gather(td, 0, cube, &out, &err), TD_ERR_SHAPE, NULL, "[1, 1, 1]");
  expect_error(td_dict_gather(td, 0, mask, &out, &err), TD_ERR_DTYPE, NULL, NULL);
  expect_error(td_dict_gather(td, 0, NULL, &out, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_dict_gather(NULL, 0, row, &out, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_dict_gather(td, 0, row, NULL, &err), TD_ERR_ARGUMENT, NULL, NULL);
  check(out == NULL);
  must(td_dict_gather(texts, 0, row, &out, &err));
  expect_in_repr(out, "['a', 'c', 'c']");
  td_dict_release(out);
  must(td_dict_masked_select(texts, mask, &out, &err));
  expect_in_repr(out, "['a', 'c']");
  td_dict_release(out), td_dict_release(td), td_dict_release(texts);
  td_tensor_release(far), td_tensor_release(negative), td_tensor_release(row), td_tensor_release(mask);
  td_tensor_release(wide), td_tensor_release(cube);
}

LeaklessTest(dict_gather, a_mask_selects_over_the_dims_it_covers) {
  td_tensor *rows = vector_of(TD_DTYPE_BOOL, TD_SHAPE(1, 0, 1)), *none = vector_of(TD_DTYPE_BOOL, TD_SHAPE(0, 0, 0)),
            *both = counted(TD_DTYPE_BOOL, TD_SHAPE(3, 2)), *deep = counted(TD_DTYPE_BOOL, TD_SHAPE(3, 2, 1)),
            *wrong = vector_of(TD_DTYPE_BOOL, TD_SHAPE(1, 0)), *numbers = counted(TD_DTYPE_INT64, TD_SHAPE(3)),
            *too_deep = counted(TD_DTYPE_BOOL, TD_SHAPE(3, 2, 2));
  for (td_fast_level level = TD_FAST_NONE; level <= TD_FAST_ARENA; ++level) {
    must(td_set_fast_level(level, &err));
    td_dict *td = grid(), *out;
    must(td_dict_masked_select(td, rows, &out, &err));
    expect_batch(out, TD_SHAPE(2, 2));
    expect_entry(out, TD_KEY("a"), VALUES(0, 1, 4, 5));
    expect_entry(out, TD_KEY("n", "b"), VALUES(0, 1, 2, 3, 8, 9, 10, 11));
    td_dict_release(out);
    must(td_dict_masked_select(td, none, &out, &err));
    expect_batch(out, TD_SHAPE(0, 2));
    td_dict_release(out);
    for (int k = 0; k < 2; ++k) {
      must(td_dict_masked_select(td, k ? deep : both, &out, &err));
      expect_batch(out, TD_SHAPE(3));
      expect_entry(out, TD_KEY("a"), VALUES(1, 3, 5));
      expect_entry(out, TD_KEY("n", "b"), VALUES(2, 3, 6, 7, 10, 11));
      td_dict_release(out);
    }
    out = NULL;
    expect_error(td_dict_masked_select(td, wrong, &out, &err), TD_ERR_INDEX, NULL, "[2]");
    expect_error(td_dict_masked_select(td, too_deep, &out, &err), TD_ERR_INDEX, NULL, NULL);
    expect_error(td_dict_masked_select(td, numbers, &out, &err), TD_ERR_DTYPE, NULL, NULL);
    expect_error(td_dict_masked_select(td, NULL, &out, &err), TD_ERR_ARGUMENT, NULL, "NULL");
    check(out == NULL);
    td_dict_release(td);
  }
  td_tensor_release(rows), td_tensor_release(none), td_tensor_release(both), td_tensor_release(deep);
  td_tensor_release(wrong), td_tensor_release(numbers), td_tensor_release(too_deep);
}

LeaklessTest(dict_gather, a_mask_without_dims_selects_all_or_nothing) {
  const uint8_t values[] = {0, 1};
  for (int k = 0; k < 2; ++k) {
    td_tensor *mask = NULL;
    must(td_tensor_copy_from(&values[k], TD_DTYPE_BOOL, TD_NO_DIMS, &mask, &err));
    for (td_fast_level level = TD_FAST_NONE; level <= TD_FAST_ARENA; ++level) {
      must(td_set_fast_level(level, &err));
      td_dict *td = grid(), *out;
      must(td_dict_masked_select(td, mask, &out, &err));
      expect_batch(out, TD_SHAPE(k, 3, 2));
      if (k) expect_entry(out, TD_KEY("a"), VALUES(0, 1, 2, 3, 4, 5));
      check(k || kind_at(out, TD_KEY("a")) == TD_ENTRY_TENSOR);
      td_dict_release(out), td_dict_release(td);
    }
    td_tensor_release(mask);
  }
}

LeaklessTest(dict_gather, where_chooses_between_dicts_and_pads_what_one_lacks) {
  td_dict *td = grid(), *other = grid(), *out = NULL, *texts = letters(), *clear;
  td_tensor *rows = vector_of(TD_DTYPE_BOOL, TD_SHAPE(1, 0, 0)), *wrong = vector_of(TD_DTYPE_BOOL, TD_SHAPE(1, 0)),
            *numbers = counted(TD_DTYPE_INT64, TD_SHAPE(3));
  const td_value pad = td_value_int(-1), huge = td_value_double(1e300);
  must(td_dict_set_at_value(other, NULL, 0, TD_VALUE(td_value_double(50)), &err));
  must(td_dict_where(td, rows, other, NULL, &out, &err));
  expect_batch(out, TD_SHAPE(3, 2));
  expect_entry(out, TD_KEY("a"), VALUES(0, 1, 50, 50, 50, 50));
  expect_entry(out, TD_KEY("n", "b"), VALUES(0, 1, 2, 3, 50, 50, 50, 50, 50, 50, 50, 50));
  td_dict_release(out);
  out = NULL;

  put(other, TD_KEY("n", "c"), full_f32(3, TD_SHAPE(3, 2)));
  must(td_dict_remove(other, TD_KEY("a"), &err));
  expect_error(td_dict_where(td, rows, other, NULL, &out, &err), TD_ERR_KEY, "\"a\"", NULL);
  expect_error(td_dict_where(other, rows, td, NULL, &out, &err), TD_ERR_KEY, "(\"n\", \"c\")", NULL);
  expect_error(td_dict_where(td, rows, texts, &pad, &out, &err), TD_ERR_SHAPE, NULL, "[3]");
  expect_error(td_dict_where(td, wrong, other, &pad, &out, &err), TD_ERR_SHAPE, NULL, "[2]");
  expect_error(td_dict_where(td, numbers, other, &pad, &out, &err), TD_ERR_DTYPE, NULL, NULL);
  expect_error(td_dict_where(td, NULL, other, &pad, &out, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_dict_where(td, rows, NULL, &pad, &out, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  must(td_dict_where(td, rows, other, &pad, &out, &err));
  expect_entry(out, TD_KEY("a"), VALUES(0, 1, -1, -1, -1, -1));
  expect_entry(out, TD_KEY("n", "c"), VALUES(-1, -1, 3, 3, 3, 3));
  td_dict_release(out);
  out = NULL;
  put(other, TD_KEY("whole"), counted(TD_DTYPE_INT64, TD_SHAPE(3, 2)));
  expect_error(td_dict_where(td, rows, other, &huge, &out, &err), TD_ERR_ARGUMENT, NULL, "hold");
  put(other, TD_KEY("n"), full_f32(0, TD_SHAPE(3, 2)));
  expect_error(td_dict_where(td, rows, other, &pad, &out, &err), TD_ERR_KEY, "\"n\"", "kind");
  check(out == NULL);

  clear = new_dict(TD_SHAPE(3)); /* nothing: data has no value where it is padded */
  must(td_dict_where(texts, rows, clear, &pad, &out, &err));
  expect_in_repr(out, "['a', None, None]");
  td_dict_release(out), td_dict_release(td), td_dict_release(other), td_dict_release(texts), td_dict_release(clear);
  td_tensor_release(rows), td_tensor_release(wrong), td_tensor_release(numbers);
}

LeaklessTest(dict_gather, where_takes_nodes_of_fewer_batch_dims) {
  td_dict *td = new_dict(TD_SHAPE(2)), *inner = new_dict(TD_SHAPE(2, 3)), *other, *out;
  put(inner, TD_KEY("a"), range_f32(TD_SHAPE(2, 3)));
  put_dict(td, TD_KEY("n"), inner);
  must(td_dict_clone(td, &other, &err));
  must(td_dict_zero_(other, &err));
  td_dict *n = get_dict(other, TD_KEY("n"));
  must(td_dict_set_batch_size(n, TD_SHAPE(2), &err));
  td_tensor *rows = vector_of(TD_DTYPE_BOOL, TD_SHAPE(0, 1));
  must(td_dict_where(td, rows, other, NULL, &out, &err));
  expect_entry(out, TD_KEY("n", "a"), VALUES(0, 0, 0, 3, 4, 5));
  td_dict *made = get_dict(out, TD_KEY("n"));
  expect_batch(made, TD_SHAPE(2, 3)); /* of the first dict */
  td_tensor_release(rows);
  td_dict_release(made), td_dict_release(n), td_dict_release(out), td_dict_release(other), td_dict_release(td);
}

LeaklessTest(dict_gather, masks_fill_in_new_tensors_or_in_place) {
  td_dict *td = grid(), *out = NULL;
  td_tensor *rows = vector_of(TD_DTYPE_BOOL, TD_SHAPE(0, 1, 0)),
            *columns = shaped(TD_DTYPE_BOOL, TD_SHAPE(0, 1), TD_SHAPE(1, 2)),
            *wrong = vector_of(TD_DTYPE_BOOL, TD_SHAPE(0, 1));
  must(td_dict_lock_(td, &err));
  must(td_dict_masked_fill(td, rows, TD_VALUE(td_value_double(9.5)), &out, &err));
  expect_entry(out, TD_KEY("a"), VALUES(0, 1, 9.5, 9.5, 4, 5));
  expect_entry(out, TD_KEY("n", "b"), VALUES(0, 1, 2, 3, 9, 9, 9, 9, 8, 9, 10, 11));
  check(!td_dict_is_locked(out));
  td_dict_release(out);
  out = NULL;
  expect_entry(td, TD_KEY("a"), VALUES(0, 1, 2, 3, 4, 5));
  must(td_dict_masked_fill_(td, columns, TD_VALUE(td_value_double(-1)), &err));
  expect_entry(td, TD_KEY("a"), VALUES(0, -1, 2, -1, 4, -1));
  expect_error(td_dict_masked_fill(td, wrong, TD_VALUE(td_value_double(1)), &out, &err), TD_ERR_SHAPE, NULL, "[2]");
  expect_error(td_dict_masked_fill(td, NULL, TD_VALUE(td_value_double(1)), &out, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_dict_masked_fill(td, rows, TD_VALUE(td_value_double(1)), NULL, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_masked_fill_(td, wrong, TD_VALUE(td_value_double(1)), &err), TD_ERR_SHAPE, NULL, "[2]");
  expect_error(td_dict_masked_fill_(NULL, rows, TD_VALUE(td_value_double(1)), &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_dict_masked_fill_(td, rows, TD_VALUE(td_value_double(1e300)), &err), TD_ERR_ARGUMENT, NULL,
               "hold"); /* "a" would come first */
  must(td_dict_unlock_(td, &err));
  put(td, TD_KEY("w"), requiring_grad(full_f32(0, TD_SHAPE(3, 2))));
  expect_error(td_dict_masked_fill_(td, rows, TD_VALUE(td_value_double(1)), &err), TD_ERR_TORCH, "\"w\"", NULL);
  expect_entry(td, TD_KEY("a"), VALUES(0, -1, 2, -1, 4, -1));
  check(out == NULL);
  td_dict_release(td);
  must(td_open(TD_STR(TD_TEST_DATA "/fixtures/memmap/nontensor_batch"), NULL, &td, &err));
  expect_error(td_dict_masked_fill_(td, wrong, TD_VALUE(td_value_double(1)), &err), TD_ERR_LOCKED, "\"x\"",
               "read-only");
  td_dict_release(td);
  td_tensor_release(rows), td_tensor_release(columns), td_tensor_release(wrong);
}

LeaklessTest(dict_gather, slices_are_found_in_another_dict_and_kept_once) {
  td_dict *td = new_dict(TD_SHAPE(4)), *known = new_dict(TD_SHAPE(2)), *flat = new_dict(TD_NO_DIMS), *out = NULL;
  td_tensor *mask, *inverse;
  put(td, TD_KEY("a"), vector_of(TD_DTYPE_INT64, TD_SHAPE(3, 1, 3, 2)));
  put(td, TD_KEY("n", "row"), range_f32(TD_SHAPE(4)));
  put(known, TD_KEY("a"), vector_of(TD_DTYPE_INT64, TD_SHAPE(2, 3)));
  must(td_dict_isin(td, known, TD_KEY("a"), 0, &mask, &err));
  check(td_tensor_dtype(mask) == TD_DTYPE_BOOL);
  expect_values(mask, VALUES(1, 0, 1, 1));
  td_tensor_release(mask);
  must(td_dict_remove_duplicates(td, TD_KEY("a"), -1, &out, &inverse, &err));
  expect_batch(out, TD_SHAPE(3));
  expect_entry(out, TD_KEY("a"), VALUES(1, 2, 3));
  expect_entry(out, TD_KEY("n", "row"), VALUES(1, 3, 0));
  expect_values(inverse, VALUES(2, 0, 2, 1));
  td_tensor_release(inverse);
  td_dict_release(out);
  out = NULL;

  put(flat, TD_KEY("a"), vector_of(TD_DTYPE_INT64, TD_SHAPE(2, 3)));
  mask = NULL;
  expect_error(td_dict_isin(td, known, TD_KEY("q"), 0, &mask, &err), TD_ERR_KEY, "\"q\"", NULL);
  expect_error(td_dict_isin(td, known, TD_KEY("n"), 0, &mask, &err), TD_ERR_KEY, "\"n\"", NULL);
  expect_error(td_dict_isin(td, known, TD_KEY("a"), 1, &mask, &err), TD_ERR_INDEX, NULL, "1");
  expect_error(td_dict_isin(td, flat, TD_KEY("a"), 0, &mask, &err), TD_ERR_SHAPE, NULL, NULL);
  expect_error(td_dict_isin(td, NULL, TD_KEY("a"), 0, &mask, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_dict_remove_duplicates(td, TD_KEY("n"), 0, &out, NULL, &err), TD_ERR_KEY, "\"n\"", NULL);
  expect_error(td_dict_remove_duplicates(flat, TD_KEY("a"), 0, &out, NULL, &err), TD_ERR_INDEX, NULL, "0");
  expect_error(td_dict_remove_duplicates(NULL, TD_KEY("a"), 0, &out, NULL, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  check(mask == NULL && out == NULL);
  td_dict_release(td), td_dict_release(known), td_dict_release(flat);

  td = new_dict(TD_SHAPE(1, 4)); /* slices of more than one element, along the second dim */
  put(td, TD_KEY("a"), shaped(TD_DTYPE_INT64, TD_SHAPE(1, 2, 1, 1, 1, 2, 0, 5), TD_SHAPE(1, 4, 2)));
  must(td_dict_remove_duplicates(td, TD_KEY("a"), 1, &out, NULL, &err));
  expect_batch(out, TD_SHAPE(1, 3));
  expect_entry(out, TD_KEY("a"), VALUES(0, 5, 1, 1, 1, 2));
  td_dict_release(td), td_dict_release(out);
}

LeaklessTest(dict_gather, a_tensor_expands_on_the_right) {
  td_tensor *t = counted(TD_DTYPE_INT64, TD_SHAPE(2)), *like = range_f32(TD_SHAPE(2, 3)), *out = NULL;
  must(td_tensor_expand_right(t, TD_SHAPE(2, 2, 2), &out, &err));
  expect_values(out, VALUES(0, 0, 0, 0, 1, 1, 1, 1));
  check(address(out) == address(t));
  td_tensor_release(out);
  must(td_tensor_expand_as_right(t, like, &out, &err));
  expect_shape(out, TD_SHAPE(2, 3));
  td_tensor_release(out);
  out = NULL;
  expect_error(td_tensor_expand_right(t, TD_SHAPE(3, 2), &out, &err), TD_ERR_SHAPE, NULL, "[3, 2]");
  expect_error(td_tensor_expand_right(t, TD_SHAPE(2, -1), &out, &err), TD_ERR_SHAPE, NULL, "-1");
  expect_error(td_tensor_expand_right(t, TD_NO_DIMS, &out, &err), TD_ERR_SHAPE, NULL, "[2]");
  expect_error(td_tensor_expand_right(NULL, TD_SHAPE(3), &out, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_tensor_expand_as_right(like, t, &out, &err), TD_ERR_SHAPE, NULL, "[2, 3]");
  expect_error(td_tensor_expand_as_right(t, NULL, &out, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  check(out == NULL);
  td_tensor_release(t), td_tensor_release(like);
}
