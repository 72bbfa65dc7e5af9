/* Indexing: every kind of component, by itself and together, against batch sizes and values written down by hand. */
#include "support/td.h"

static const td_index NONE = {TD_INDEX_KIND_NONE, 0, 0, 0, 0, NULL, NULL, 0},
                      ELLIPSIS = {TD_INDEX_KIND_ELLIPSIS, 0, 0, 0, 0, NULL, NULL, 0};

/* Batch size [3, 4]: "a" has no feature dims, "n" is a node with a batch dim of its own. */
static td_dict *grid(void) {
  td_dict *td = new_dict(TD_SHAPE(3, 4)), *n = new_dict(TD_SHAPE(3, 4, 2));
  put(td, TD_KEY("a"), range_f32(TD_SHAPE(3, 4)));
  put(n, TD_KEY("b"), range_f32(TD_SHAPE(3, 4, 2)));
  put_dict(td, TD_KEY("n"), n);
  return td;
}

static td_status index_of(const td_dict *td, const td_index *indices, size_t n, td_dict **out) {
  return td_dict_index(td, indices, n, out, &err);
}
#define INDEX(...) ((const td_index[]){__VA_ARGS__}), (sizeof((const td_index[]){__VA_ARGS__}) / sizeof(td_index))

struct expected {
  const char *what;
  td_index index[4];
  size_t n;
  int64_t batch[5];
  size_t ndim;
  int view;
  double first, last; /* of "a" */
};

LeaklessTest(dict_index, every_index_gives_the_batch_size_and_values_of_pytorch) {
  td_tensor *rows = vector_of(TD_DTYPE_INT64, TD_SHAPE(2, 0)), *rows32 = vector_of(TD_DTYPE_INT32, TD_SHAPE(2, 0)),
            *back = vector_of(TD_DTYPE_INT16, TD_SHAPE(-1, -3, 0, 1)), *none = vector_of(TD_DTYPE_INT64, NULL, 0),
            *mask = vector_of(TD_DTYPE_BOOL, TD_SHAPE(1, 0, 1)),
            *columns = vector_of(TD_DTYPE_BOOL, TD_SHAPE(0, 1, 1, 1)),
            *nothing = vector_of(TD_DTYPE_BOOL, TD_SHAPE(0, 0, 0)), *checker = counted(TD_DTYPE_BOOL, TD_SHAPE(3, 4)),
            *one = vector_of(TD_DTYPE_INT64, TD_SHAPE(1)), *number, *square = counted(TD_DTYPE_INT64, TD_SHAPE(2, 2)),
            *yes, *no;
  must(td_tensor_full(TD_NO_DIMS, TD_VALUE(td_value_double(1)), TD_DTYPE_BOOL, TD_NO_STR, &yes, &err));
  must(td_tensor_full(TD_NO_DIMS, TD_VALUE(td_value_double(0)), TD_DTYPE_BOOL, TD_NO_STR, &no, &err));
  must(td_tensor_full(TD_NO_DIMS, TD_VALUE(td_value_double(2)), TD_DTYPE_INT64, TD_NO_STR, &number, &err));
  const struct expected table[] = {
      {"no components", {{0}}, 0, {3, 4}, 2, 1, 0, 11},
      {"1", {TD_INT(1)}, 1, {4}, 1, 1, 4, 7},
      {"-1", {TD_INT(-1)}, 1, {4}, 1, 1, 8, 11},
      {"2, 3", {TD_INT(2), TD_INT(3)}, 2, {0}, 0, 1, 11, 11},
      {"-3, -4", {TD_INT(-3), TD_INT(-4)}, 2, {0}, 0, 1, 0, 0},
      {"1:3", {TD_SLICE(1, 3)}, 1, {2, 4}, 2, 1, 4, 11},
      {"1:", {TD_SLICE(1, TD_END)}, 1, {2, 4}, 2, 1, 4, 11},
      {":-1", {TD_SLICE(0, -1)}, 1, {2, 4}, 2, 1, 0, 7},
      {"-2:", {TD_SLICE(-2, TD_END)}, 1, {2, 4}, 2, 1, 4, 11},
      {"-9:9", {TD_SLICE(-9, 9)}, 1, {3, 4}, 2, 1, 0, 11},
      {"2:1", {TD_SLICE(2, 1)}, 1, {0, 4}, 2, 1, 0, 0},
      {"5:9", {TD_SLICE(5, 9)}, 1, {0, 4}, 2, 1, 0, 0},
      {"::2", {TD_STEP_SLICE(0, TD_END, 2)}, 1, {2, 4}, 2, 1, 0, 11},
      {"1::2", {TD_STEP_SLICE(1, TD_END, 2)}, 1, {1, 4}, 2, 1, 4, 7},
      {"::max", {TD_STEP_SLICE(0, TD_END, INT64_MAX)}, 1, {1, 4}, 2, 1, 0, 3},
      {":, 1", {TD_SLICE(0, TD_END), TD_INT(1)}, 2, {3}, 1, 1, 1, 9},
      {":, 1:4:2", {TD_SLICE(0, TD_END), TD_STEP_SLICE(1, 4, 2)}, 2, {3, 2}, 2, 1, 1, 11},
      {"None", {NONE}, 1, {1, 3, 4}, 3, 1, 0, 11},
      {":, None", {TD_SLICE(0, TD_END), NONE}, 2, {3, 1, 4}, 3, 1, 0, 11},
      {"..., None", {ELLIPSIS, NONE}, 2, {3, 4, 1}, 3, 1, 0, 11},
      {"None, 1, None", {NONE, TD_INT(1), NONE}, 3, {1, 1, 4}, 3, 1, 4, 7},
      {"...", {ELLIPSIS}, 1, {3, 4}, 2, 1, 0, 11},
      {"..., 1", {ELLIPSIS, TD_INT(1)}, 2, {3}, 1, 1, 1, 9},
      {"1, ...", {TD_INT(1), ELLIPSIS}, 2, {4}, 1, 1, 4, 7},
      {"1, ..., 2", {TD_INT(1), ELLIPSIS, TD_INT(2)}, 3, {0}, 0, 1, 6, 6},
      {"[2, 0]", {TD_TENSOR(rows)}, 1, {2, 4}, 2, 0, 8, 3},
      {"[2, 0] of int32", {TD_TENSOR(rows32)}, 1, {2, 4}, 2, 0, 8, 3},
      {"[-1, -3, 0, 1] of int16", {TD_TENSOR(back)}, 1, {4, 4}, 2, 0, 8, 7},
      {"[]", {TD_TENSOR(none)}, 1, {0, 4}, 2, 0, 0, 0},
      {"tensor 2", {TD_TENSOR(number)}, 1, {4}, 1, 0, 8, 11},
      {":, [2, 0]", {TD_SLICE(0, TD_END), TD_TENSOR(rows)}, 2, {3, 2}, 2, 0, 2, 8},
      {"..., [2, 0]", {ELLIPSIS, TD_TENSOR(rows)}, 2, {3, 2}, 2, 0, 2, 8},
      {"1, [2, 0]", {TD_INT(1), TD_TENSOR(rows)}, 2, {2}, 1, 0, 6, 4},
      {"1:, [2, 0]", {TD_SLICE(1, TD_END), TD_TENSOR(rows)}, 2, {2, 2}, 2, 0, 6, 8},
      {"[2, 0], [2, 0]", {TD_TENSOR(rows), TD_TENSOR(rows)}, 2, {2}, 1, 0, 10, 0},
      {"[2, 0], [1]", {TD_TENSOR(rows), TD_TENSOR(one)}, 2, {2}, 1, 0, 9, 1},
      {"[2, 0], None, [1]", {TD_TENSOR(rows), NONE, TD_TENSOR(one)}, 3, {2, 1}, 2, 0, 9, 1},
      {"[[0, 1], [2, 3]] of columns", {ELLIPSIS, TD_TENSOR(square)}, 2, {3, 2, 2}, 3, 0, 0, 11},
      {"mask", {TD_TENSOR(mask)}, 1, {2, 4}, 2, 0, 0, 11},
      {"true", {TD_TENSOR(yes)}, 1, {1, 3, 4}, 3, 0, 0, 11},
      {"false", {TD_TENSOR(no)}, 1, {0, 3, 4}, 3, 0, 0, 0},
      {"true, 1", {TD_TENSOR(yes), TD_INT(1)}, 2, {1, 4}, 2, 0, 4, 7},
      {":, true", {TD_SLICE(0, TD_END), TD_TENSOR(yes)}, 2, {3, 1, 4}, 3, 0, 0, 11},
      {"mask of nothing", {TD_TENSOR(nothing)}, 1, {0, 4}, 2, 0, 0, 0},
      {":, mask", {TD_SLICE(0, TD_END), TD_TENSOR(columns)}, 2, {3, 3}, 2, 0, 1, 11},
      {"mask over both dims", {TD_TENSOR(checker)}, 1, {6}, 1, 0, 1, 11},
      {"None, mask over both dims", {NONE, TD_TENSOR(checker)}, 2, {1, 6}, 2, 0, 1, 11},
  };
  for (td_fast_level level = TD_FAST_NONE; level <= TD_FAST_ARENA; ++level)
    for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
      const struct expected *e = &table[i];
      td_dict *td = grid(), *got, *n;
      must(td_set_fast_level(level, &err));
      must(td_dict_lock_(td, &err));
      const td_status status = index_of(td, e->index, e->n, &got);
      if (status != TD_OK || !has_batch(got, e->batch, e->ndim))
        fprintf(stderr, "index %s at level %d\n", e->what, level);
      must(status);
      check(has_batch(got, e->batch, e->ndim));
      check(!td_dict_is_locked(got)); /* also of a locked dict */
      n = get_dict(got, TD_KEY("n"));
      int64_t inner[6];
      memcpy(inner, e->batch, sizeof e->batch);
      inner[e->ndim] = 2;
      check(has_batch(n, inner, e->ndim + 1)); /* a node keeps the dims that it has beyond its parent's */

      td_tensor *a = get(got, TD_KEY("a")), *b = get(got, TD_KEY("n", "b")), *whole = get(td, TD_KEY("a")), *flat;
      check(has_shape(a, e->batch, e->ndim) && has_shape(b, inner, e->ndim + 1));
      must(td_tensor_contiguous(a, &flat, &err));
      if (td_tensor_numel(flat) > 0) {
        const float *values = address(flat);
        const int64_t last = td_tensor_numel(flat) - 1;
        if (values[0] != e->first || values[last] != e->last)
          fprintf(stderr, "index %s at level %d: %g ... %g\n", e->what, level, values[0], values[last]);
        check(values[0] == e->first && values[last] == e->last);
        /* A view is changed by the original, a copy is not. */
        const float before = *(const float *)address(a);
        poke(whole, 100);
        ((float *)(uintptr_t)address(whole))[(int)e->first] = 100;
        check((*(const float *)address(a) != before) == e->view);
      }
      td_tensor_release(flat);
      td_tensor_release(a);
      td_tensor_release(b);
      td_tensor_release(whole);
      td_dict_release(n);
      td_dict_release(got);
      td_dict_release(td);
    }
  td_tensor *made[] = {rows, rows32, back, none, mask, columns, nothing, checker, one, number, square, yes, no};
  for (size_t i = 0; i < sizeof made / sizeof *made; ++i) td_tensor_release(made[i]);
}

LeaklessTest(dict_index, an_index_reaches_no_further_than_the_batch) {
  td_tensor *far = vector_of(TD_DTYPE_INT64, TD_SHAPE(0, 3)), *low = vector_of(TD_DTYPE_INT64, TD_SHAPE(0, -4)),
            *bytes = vector_of(TD_DTYPE_UINT8, TD_SHAPE(0, 1, 0)), *floats = range_f32(TD_SHAPE(2)),
            *long_mask = vector_of(TD_DTYPE_BOOL, TD_SHAPE(1, 0, 1, 0)),
            *deep = counted(TD_DTYPE_BOOL, TD_SHAPE(3, 4, 2));
  const struct {
    td_index index[4];
    size_t n;
    td_status code;
    const char *says;
  } table[] = {{{TD_INT(3)}, 1, TD_ERR_INDEX, "3"},
               {{TD_INT(-4)}, 1, TD_ERR_INDEX, "-4"},
               {{TD_INT(INT64_MIN)}, 1, TD_ERR_INDEX, NULL},
               {{TD_INT(0), TD_INT(4)}, 2, TD_ERR_INDEX, "dim 1"},
               {{TD_INT(0), TD_INT(0), TD_INT(0)}, 3, TD_ERR_INDEX, "[3, 4]"},
               {{ELLIPSIS, TD_INT(0), ELLIPSIS}, 3, TD_ERR_INDEX, "ellipsis"},
               {{TD_STEP_SLICE(0, 3, 0)}, 1, TD_ERR_INDEX, "step"},
               {{TD_STEP_SLICE(2, 0, -1)}, 1, TD_ERR_INDEX, "step"},
               {{TD_TENSOR(far)}, 1, TD_ERR_INDEX, "out of"},
               {{TD_TENSOR(low)}, 1, TD_ERR_INDEX, "out of"},
               {{TD_SLICE(0, TD_END), TD_TENSOR(long_mask), TD_INT(0)}, 3, TD_ERR_INDEX, NULL},
               {{TD_TENSOR(long_mask)}, 1, TD_ERR_INDEX, "mask"},
               {{TD_TENSOR(deep)}, 1, TD_ERR_INDEX, "3 dims"},
               {{TD_TENSOR(bytes)}, 1, TD_ERR_DTYPE, "integers or bool"},
               {{TD_TENSOR(floats)}, 1, TD_ERR_DTYPE, "integers or bool"},
               {{TD_TENSOR(NULL)}, 1, TD_ERR_ARGUMENT, "NULL"},
               {{{6, 0, 0, 0, 0, NULL, NULL, 0}}, 1, TD_ERR_ARGUMENT, "6"},
               {{{-1, 0, 0, 0, 0, NULL, NULL, 0}}, 1, TD_ERR_ARGUMENT, "-1"}};
  td_dict *td = grid(), *got = NULL;
  for (td_fast_level level = TD_FAST_NONE; level <= TD_FAST_ARENA; ++level)
    for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
      must(td_set_fast_level(level, &err));
      expect_error(index_of(td, table[i].index, table[i].n, &got), table[i].code, NULL, table[i].says);
    }
  check(got == NULL);
  td_tensor *made[] = {far, low, bytes, floats, long_mask, deep};
  for (size_t i = 0; i < sizeof made / sizeof *made; ++i) td_tensor_release(made[i]);
  td_dict_release(td);
}

LeaklessTest(dict_index, a_dict_without_batch_dims_takes_only_new_dims) {
  td_dict *td = new_dict(TD_NO_DIMS), *got = NULL;
  put(td, TD_KEY("a"), range_f32(TD_SHAPE(3)));
  put(td, TD_KEY("n", "b"), full_f32(5, TD_NO_DIMS));
  for (td_fast_level level = TD_FAST_NONE; level <= TD_FAST_ARENA; ++level) {
    must(td_set_fast_level(level, &err));
    expect_error(index_of(td, INDEX(TD_INT(0)), &got), TD_ERR_INDEX, NULL, "[]");
    expect_error(index_of(td, INDEX(TD_SLICE(0, 1)), &got), TD_ERR_INDEX, NULL, "[]");
    check(got == NULL);
    must(index_of(td, INDEX(NONE, ELLIPSIS, NONE), &got));
    expect_batch(got, TD_SHAPE(1, 1));
    td_tensor *a = get(got, TD_KEY("a")), *b = get(got, TD_KEY("n", "b"));
    expect_shape(a, TD_SHAPE(1, 1, 3));
    expect_shape(b, TD_SHAPE(1, 1));
    td_tensor_release(a);
    td_tensor_release(b);
    td_dict_release(got);
    got = NULL;
  }
  must(index_of(td, NULL, 0, &got));
  expect_batch(got, TD_NO_DIMS);
  td_dict_release(got);
  td_dict_release(td);
}

LeaklessTest(dict_index, an_indexed_dict_shares_tensors_not_entries) {
  td_dict *td = grid(), *row;
  must(index_of(td, INDEX(TD_INT(0)), &row));
  put(row, TD_KEY("a"), full_f32(-1, TD_SHAPE(4))); /* rebinds in the new dict only */
  put(row, TD_KEY("n", "new"), full_f32(-1, TD_SHAPE(4, 2)));
  check(kind_at(td, TD_KEY("n", "new")) == TD_ENTRY_NONE);
  td_tensor *value = full_f32(9, TD_SHAPE(4, 2)), *b = get(td, TD_KEY("n", "b"));
  must(td_dict_copy_into(row, TD_KEY("n", "b"), value, &err)); /* writes through the view */
  check(*(const float *)address(b) == 9);
  expect_entry(td, TD_KEY("a"), VALUES(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
  td_tensor_release(value);
  td_tensor_release(b);
  td_dict_release(row);
  td_dict_release(td);
}
