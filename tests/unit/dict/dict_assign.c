/* Writing at an index: dicts, numbers and parts of one tensor, all or nothing. */
#include "support/td.h"

#define INDEX(...) ((const td_index[]){__VA_ARGS__}), (sizeof((const td_index[]){__VA_ARGS__}) / sizeof(td_index))

/* Batch size [3, 2]: "a" without feature dims, ("n", "b") int64 with one of 2. */
static td_dict *zeros(void) {
  td_dict *td = new_dict(TD_SHAPE(3, 2));
  put(td, TD_KEY("a"), full_f32(0, TD_SHAPE(3, 2)));
  td_tensor *b;
  must(td_tensor_zeros(TD_SHAPE(3, 2, 2), TD_DTYPE_INT64, TD_NO_STR, &b, &err));
  put(td, TD_KEY("n", "b"), b);
  return td;
}

static td_dict *with_a(td_tensor *a, const int64_t *batch, size_t ndim) {
  td_dict *td = new_dict(batch, ndim);
  put(td, TD_KEY("a"), a);
  return td;
}

/* The values of everything, so that "nothing changed" is one comparison. */
static void expect_untouched(const td_dict *td) {
  expect_entry(td, TD_KEY("a"), VALUES(0, 0, 0, 0, 0, 0));
  expect_entry(td, TD_KEY("n", "b"), VALUES(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
  check(td_dict_count(td) == 2);
}

struct written {
  const char *what;
  td_index index[3];
  size_t n;
  int64_t batch[3];
  size_t ndim;
  double a[6];
};

LeaklessTest(dict_assign, every_index_writes_where_it_reads) {
  td_tensor *rows = vector_of(TD_DTYPE_INT64, TD_SHAPE(2, -3)), *mask = vector_of(TD_DTYPE_BOOL, TD_SHAPE(0, 1, 1)),
            *checker = counted(TD_DTYPE_BOOL, TD_SHAPE(3, 2)), *none = vector_of(TD_DTYPE_INT64, NULL, 0);
  const td_index ellipsis = {TD_INDEX_KIND_ELLIPSIS, 0, 0, 0, 0, NULL, NULL, 0},
                 fresh = {TD_INDEX_KIND_NONE, 0, 0, 0, 0, NULL, NULL, 0};
  const struct written table[] = {
      {"everything", {{0}}, 0, {3, 2}, 2, {1, 2, 3, 4, 5, 6}},
      {"1", {TD_INT(1)}, 1, {2}, 1, {0, 0, 1, 2, 0, 0}},
      {"-1, 0", {TD_INT(-1), TD_INT(0)}, 2, {0}, 0, {0, 0, 0, 0, 1, 0}},
      {"1:", {TD_SLICE(1, TD_END)}, 1, {2, 2}, 2, {0, 0, 1, 2, 3, 4}},
      {"::2, 1", {TD_STEP_SLICE(0, TD_END, 2), TD_INT(1)}, 2, {2}, 1, {0, 1, 0, 0, 0, 2}},
      {"..., 1", {ellipsis, TD_INT(1)}, 2, {3}, 1, {0, 1, 0, 2, 0, 3}},
      {"None, 0", {fresh, TD_INT(0)}, 2, {1, 2}, 2, {1, 2, 0, 0, 0, 0}},
      {"[2, -3]", {TD_TENSOR(rows)}, 1, {2, 2}, 2, {3, 4, 0, 0, 1, 2}},
      {":, [..]: a mask of rows", {TD_TENSOR(mask), TD_INT(0)}, 2, {2}, 1, {0, 0, 1, 0, 2, 0}},
      {"a mask of both dims", {TD_TENSOR(checker)}, 1, {3}, 1, {0, 1, 0, 2, 0, 3}},
      {"no rows", {TD_TENSOR(none)}, 1, {0, 2}, 2, {0, 0, 0, 0, 0, 0}},
  };
  for (td_fast_level level = TD_FAST_NONE; level <= TD_FAST_ARENA; ++level)
    for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
      const struct written *t = &table[i];
      must(td_set_fast_level(level, &err));
      td_dict *td = zeros(), *value = new_dict(t->batch, t->ndim), *back;
      td_tensor *from_zero = range_f32(t->batch, t->ndim);
      put(value, TD_KEY("a"), call("add", "Scalar", ARGS(td_value_tensor(from_zero), td_value_int(1))));
      td_tensor_release(from_zero);
      must(td_dict_set_at(td, t->index, t->n, value, &err));
      expect_entry_at(__FILE__, __LINE__, td, TD_KEY("a"), t->a, 6);
      expect_entry(td, TD_KEY("n", "b"), VALUES(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)); /* absent in the value */
      must(td_dict_index(td, t->index, t->n, &back, &err));
      td_tensor *wrote = get(value, TD_KEY("a")), *read = get(back, TD_KEY("a"));
      check(same_values(wrote, read));
      td_tensor_release(wrote), td_tensor_release(read);
      td_dict_release(td), td_dict_release(value), td_dict_release(back);
    }
  td_tensor_release(rows), td_tensor_release(mask), td_tensor_release(checker), td_tensor_release(none);
}

LeaklessTest(dict_assign, a_value_expands_to_the_left_and_is_cast) {
  td_dict *td = zeros(), *value = new_dict(TD_SHAPE(2));
  put(value, TD_KEY("a"), vector_of(TD_DTYPE_INT32, TD_SHAPE(7, 8)));
  put(value, TD_KEY("n", "b"), full_f32(2.9, TD_SHAPE(2, 1))); /* feature dims broadcast */
  must(td_dict_set_at(td, INDEX(TD_SLICE(1, 3)), value, &err));
  expect_entry(td, TD_KEY("a"), VALUES(0, 0, 7, 8, 7, 8));
  expect_entry(td, TD_KEY("n", "b"), VALUES(0, 0, 0, 0, 2, 2, 2, 2, 2, 2, 2, 2));
  td_dict_release(value);

  value = with_a(full_f32(5, TD_SHAPE(2, 2)), TD_NO_DIMS); /* no batch size of its own, but tensors that fit */
  must(td_dict_set_at(td, INDEX(TD_SLICE(0, 2)), value, &err));
  expect_entry(td, TD_KEY("a"), VALUES(5, 5, 5, 5, 7, 8));
  td_dict_release(value);

  value = with_a(full_f32(5, TD_SHAPE(1, 2)), TD_SHAPE(1, 2)); /* a size of 1 is not broadcast */
  expect_error(td_dict_set_at(td, INDEX(TD_SLICE(0, 2)), value, &err), TD_ERR_SHAPE, "\"a\"", "[2, 2]");
  td_dict_release(value);
  td_dict_release(td);
}

LeaklessTest(dict_assign, new_entries_are_zeros_elsewhere_unless_the_dict_is_locked) {
  td_dict *td = zeros(), *value = new_dict(TD_SHAPE(2));
  put(value, TD_KEY("new"), full_f32(3, TD_SHAPE(2, 1)));
  put(value, TD_KEY("n", "c"), vector_of(TD_DTYPE_INT64, TD_SHAPE(4, 5)));
  put(value, TD_KEY("m", "d"), vector_of(TD_DTYPE_BOOL, TD_SHAPE(1, 1)));
  must(td_dict_lock_(td, &err));
  expect_error(td_dict_set_at(td, INDEX(TD_INT(1)), value, &err), TD_ERR_LOCKED, "\"new\"", NULL);
  expect_untouched(td);
  must(td_dict_unlock_(td, &err));
  must(td_dict_set_at(td, INDEX(TD_INT(1)), value, &err));
  expect_entry(td, TD_KEY("new"), VALUES(0, 0, 3, 3, 0, 0));
  expect_entry(td, TD_KEY("n", "c"), VALUES(0, 0, 4, 5, 0, 0));
  td_tensor *d = get(td, TD_KEY("m", "d"));
  check(td_tensor_dtype(d) == TD_DTYPE_BOOL);
  expect_shape(d, TD_SHAPE(3, 2));
  expect_values(d, VALUES(0, 0, 1, 1, 0, 0));
  td_tensor_release(d);
  td_dict *m = get_dict(td, TD_KEY("m"));
  expect_batch(m, TD_SHAPE(3, 2));
  td_dict_release(m);

  must(td_dict_lock_(td, &err)); /* existing entries may be written */
  must(td_dict_set_at(td, INDEX(TD_INT(0)), value, &err));
  expect_entry(td, TD_KEY("new"), VALUES(3, 3, 3, 3, 0, 0));
  td_dict_release(td), td_dict_release(value);
}

LeaklessTest(dict_assign, nothing_is_written_unless_every_entry_fits) {
  td_dict *td = zeros();
  const struct {
    const td_key *key;
    const int64_t *dims;
    size_t ndim;
    td_status code;
    const char *named;
  } table[] = {{TD_KEY("n", "b"), TD_SHAPE(2, 3), TD_ERR_SHAPE, "(\"n\", \"b\")"},
               {TD_KEY("n", "b"), TD_SHAPE(2, 2, 2), TD_ERR_SHAPE, "(\"n\", \"b\")"},
               {TD_KEY("n"), TD_SHAPE(2), TD_ERR_KEY, "\"n\""},
               {TD_KEY("n", "b", "c"), TD_SHAPE(2), TD_ERR_KEY, "(\"n\", \"b\")"}};
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i) { /* "a" would be written first */
    td_dict *value = with_a(full_f32(9, TD_SHAPE(2)), TD_SHAPE(2));
    put(value, table[i].key, full_f32(9, table[i].dims, table[i].ndim));
    expect_error(td_dict_set_at(td, INDEX(TD_INT(1)), value, &err), table[i].code, table[i].named, NULL);
    expect_untouched(td);
    td_dict_release(value);
  }
  td_dict_release(td);
}

LeaklessTest(dict_assign, nothing_is_written_at_an_index_that_is_none) {
  td_dict *td = zeros(), *value = with_a(full_f32(9, TD_SHAPE(3, 2)), TD_SHAPE(3, 2));
  td_tensor *far = vector_of(TD_DTYPE_INT64, TD_SHAPE(0, 3, 1)), *text = full_f32(0, TD_SHAPE(3));
  expect_error(td_dict_set_at(td, INDEX(TD_INT(3)), value, &err), TD_ERR_INDEX, NULL, "3");
  expect_error(td_dict_set_at(td, INDEX(TD_TENSOR(far)), value, &err), TD_ERR_INDEX, NULL, "3");
  expect_error(td_dict_set_at(td, INDEX(TD_TENSOR(text)), value, &err), TD_ERR_DTYPE, NULL, NULL);
  expect_error(td_dict_set_at(td, INDEX(TD_INT(0), TD_INT(0), TD_INT(0)), value, &err), TD_ERR_INDEX, NULL, "3 dims");
  expect_error(td_dict_set_at(NULL, NULL, 0, value, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_dict_set_at(td, NULL, 0, NULL, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_dict_set_at(td, NULL, 1, value, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_untouched(td);
  td_tensor_release(far), td_tensor_release(text);
  td_dict_release(td), td_dict_release(value);
}

LeaklessTest(dict_assign, nothing_is_written_unless_every_tensor_can_be_written_in_place) {
  td_dict *td = zeros(), *value = with_a(full_f32(9, TD_SHAPE(3, 2)), TD_SHAPE(3, 2));
  put(td, TD_KEY("w"), requiring_grad(full_f32(0, TD_SHAPE(3, 2))));
  put(value, TD_KEY("w"), full_f32(1, TD_SHAPE(3, 2)));
  expect_error(td_dict_set_at(td, NULL, 0, value, &err), TD_ERR_TORCH, "\"w\"", NULL);
  td_tensor *one = full_f32(0, TD_SHAPE(3, 1));
  put(td, TD_KEY("w"), call("expand", "", ARGS(td_value_tensor(one), td_value_ints(TD_SHAPE(3, 2)))));
  expect_error(td_dict_set_at(td, NULL, 0, value, &err), TD_ERR_TORCH, "\"w\"", NULL);
  must(td_dict_remove(td, TD_KEY("w"), &err));
  expect_untouched(td);
  td_tensor_release(one);
  td_dict_release(td), td_dict_release(value);
}

LeaklessTest(dict_assign, a_value_that_shares_memory_is_read_first) {
  for (td_fast_level level = TD_FAST_NONE; level <= TD_FAST_ARENA; ++level) {
    must(td_set_fast_level(level, &err));
    td_dict *td = with_a(range_f32(TD_SHAPE(5)), TD_SHAPE(5)), *part;
    must(td_dict_index(td, INDEX(TD_SLICE(0, 4)), &part, &err));
    must(td_dict_set_at(td, INDEX(TD_SLICE(1, 5)), part, &err));
    expect_entry(td, TD_KEY("a"), VALUES(0, 0, 1, 2, 3));
    td_dict_release(td), td_dict_release(part);
  }
}

LeaklessTest(dict_assign, an_index_that_is_an_entry_itself_is_read_first) {
  td_dict *td = new_dict(TD_SHAPE(3));
  td_tensor *rows = vector_of(TD_DTYPE_INT64, TD_SHAPE(2, 1, 0));
  put(td, TD_KEY("before"), vector_of(TD_DTYPE_INT64, TD_SHAPE(5, 5, 5)));
  must(td_dict_set(td, TD_KEY("rows"), rows, &err));
  put(td, TD_KEY("after"), vector_of(TD_DTYPE_INT64, TD_SHAPE(5, 5, 5)));
  must(td_dict_set_at_value(td, INDEX(TD_TENSOR(rows)), TD_VALUE(td_value_int(9)), &err));
  expect_entry(td, TD_KEY("before"), VALUES(9, 9, 9));
  expect_entry(td, TD_KEY("rows"), VALUES(9, 9, 9));
  expect_entry(td, TD_KEY("after"), VALUES(9, 9, 9));
  td_tensor_release(rows), td_dict_release(td);
}

LeaklessTest(dict_assign, gradients_flow_into_what_was_written) {
  td_tensor *w = requiring_grad(full_f32(2, TD_SHAPE(2))), *seed = full_f32(1, TD_SHAPE(3, 2)), *grad;
  td_dict *td = zeros(), *value = with_a(w, TD_SHAPE(2));
  must(td_dict_set_at(td, INDEX(TD_INT(1)), value, &err));
  td_tensor *a = get(td, TD_KEY("a"));
  check(td_tensor_requires_grad(a));
  must(td_tensor_backward(a, seed, 0, &err));
  td_tensor *leaf = get(value, TD_KEY("a"));
  must(td_tensor_grad(leaf, &grad, &err));
  expect_values(grad, VALUES(1, 1));
  td_tensor_release(a), td_tensor_release(leaf), td_tensor_release(grad), td_tensor_release(seed);
  td_dict_release(td), td_dict_release(value);
}

LeaklessTest(dict_assign, a_number_goes_into_every_tensor) {
  td_tensor *rows = vector_of(TD_DTYPE_INT64, TD_SHAPE(2, 0));
  for (td_fast_level level = TD_FAST_NONE; level <= TD_FAST_ARENA; ++level) {
    must(td_set_fast_level(level, &err));
    td_dict *td = zeros();
    must(td_dict_lock_(td, &err));
    must(td_dict_set_at_value(td, INDEX(TD_INT(1)), TD_VALUE(td_value_double(2.5)), &err));
    expect_entry(td, TD_KEY("a"), VALUES(0, 0, 2.5, 2.5, 0, 0));
    expect_entry(td, TD_KEY("n", "b"), VALUES(0, 0, 0, 0, 2, 2, 2, 2, 0, 0, 0, 0));
    must(td_dict_set_at_value(td, INDEX(TD_TENSOR(rows), TD_INT(1)), TD_VALUE(td_value_double(-1)), &err));
    expect_entry(td, TD_KEY("a"), VALUES(0, -1, 2.5, 2.5, 0, -1));
    must(td_dict_set_at_value(td, NULL, 0, TD_VALUE(td_value_double(0)), &err));
    expect_untouched(td);
    expect_error(td_dict_set_at_value(td, INDEX(TD_INT(-4)), TD_VALUE(td_value_double(1)), &err), TD_ERR_INDEX, NULL,
                 "-4");
    expect_error(td_dict_set_at_value(td, NULL, 0, TD_VALUE(td_value_double(1e300)), &err), TD_ERR_ARGUMENT, NULL,
                 "hold");
    expect_error(td_dict_set_at_value(NULL, NULL, 0, TD_VALUE(td_value_double(1)), &err), TD_ERR_ARGUMENT, NULL,
                 "NULL");
    expect_untouched(td);
    td_dict_release(td);
  }
  td_tensor_release(rows);
}

LeaklessTest(dict_assign, a_part_of_one_tensor_is_read_and_written) {
  td_dict *td = zeros();
  td_tensor *row = vector_of(TD_DTYPE_INT64, TD_SHAPE(1, 2, 3)), *out = NULL, *one = full_f32(7, TD_NO_DIMS);
  const td_index last[] = {TD_SLICE(0, 3), TD_INT(1), TD_INT(0)}; /* reaches the feature dim */
  must(td_dict_lock_(td, &err));
  must(td_dict_copy_into_at(td, TD_KEY("n", "b"), last, 3, row, &err));
  expect_entry(td, TD_KEY("n", "b"), VALUES(0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0));
  must(td_dict_get_at(td, TD_KEY("n", "b"), last, 3, &out, &err));
  expect_shape(out, TD_SHAPE(3));
  expect_values(out, VALUES(1, 2, 3));
  must(td_tensor_copy_(out, one, &err)); /* a view */
  expect_entry(td, TD_KEY("n", "b"), VALUES(0, 0, 7, 0, 0, 0, 7, 0, 0, 0, 7, 0));
  td_tensor_release(out);
  must(td_dict_copy_into_at(td, TD_KEY("a"), INDEX(TD_INT(0)), one, &err)); /* broadcast */
  must(td_dict_get_at(td, TD_KEY("a"), NULL, 0, &out, &err));
  expect_values(out, VALUES(7, 7, 0, 0, 0, 0));
  td_tensor_release(out);
  td_tensor *picks = vector_of(TD_DTYPE_INT64, TD_SHAPE(1, 1, 0));
  must(td_dict_get_at(td, TD_KEY("n", "b"), INDEX(TD_INT(0), TD_TENSOR(picks)), &out, &err));
  expect_values(out, VALUES(7, 0, 7, 0, 0, 0));
  td_tensor_release(out), td_tensor_release(picks);

  out = NULL;
  expect_error(td_dict_copy_into_at(td, TD_KEY("n", "b"), INDEX(TD_INT(0)), row, &err), TD_ERR_SHAPE, "(\"n\", \"b\")",
               "[3]");
  expect_error(td_dict_copy_into_at(td, TD_KEY("q"), NULL, 0, row, &err), TD_ERR_KEY, "\"q\"", NULL);
  expect_error(td_dict_copy_into_at(td, TD_KEY("a"), last, 3, row, &err), TD_ERR_INDEX, NULL, "shape is [3, 2]");
  expect_error(td_dict_copy_into_at(td, TD_KEY("a"), NULL, 0, NULL, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_dict_get_at(td, TD_KEY("n"), NULL, 0, &out, &err), TD_ERR_KEY, "\"n\"", NULL);
  expect_error(td_dict_get_at(td, TD_KEY("a"), INDEX(TD_INT(5)), &out, &err), TD_ERR_INDEX, NULL, "5");
  expect_error(td_dict_get_at(td, NULL, NULL, 0, &out, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_get_at(td, TD_KEY("a"), NULL, 0, NULL, &err), TD_ERR_ARGUMENT, NULL, NULL);
  check(out == NULL);
  expect_entry(td, TD_KEY("a"), VALUES(7, 7, 0, 0, 0, 0));
  td_tensor_release(row), td_tensor_release(one);
  td_dict_release(td);
}

/* Dicts saved by stock Python: "k" holds the texts a, b and c, or one text for the batch. */
LeaklessTest(dict_assign, read_only_memory_refuses_and_data_follows_the_index) {
  td_dict *td, *one, *all = new_dict(TD_SHAPE(3));
  must(td_open(TD_STR(TD_TEST_DATA "/fixtures/memmap/nontensorstack"), NULL, &td, &err));
  must(td_dict_index(td, INDEX(TD_INT(2)), &one, &err));
  must(td_dict_set_at(td, INDEX(TD_INT(0)), one, &err));
  expect_error(td_dict_set_at(all, INDEX(TD_SLICE(0, 2)), td, &err), TD_ERR_SHAPE, NULL, "[2]");
  td_dict_release(one);
  must(td_dict_index(td, INDEX(TD_SLICE(0, 2)), &one, &err));
  must(td_dict_set_at(all, INDEX(TD_SLICE(1, 3)), one, &err));
  td_string *after, *fresh;
  must(td_dict_repr(td, 0, &after, &err));
  must(td_dict_repr(all, 0, &fresh, &err));
  check(strstr(td_string_view(after).data, "['c', 'b', 'c']"));
  check(strstr(td_string_view(fresh).data, "[None, 'c', 'b']"));
  td_string_release(after), td_string_release(fresh);
  td_dict_release(td), td_dict_release(one), td_dict_release(all);

  must(td_open(TD_STR(TD_TEST_DATA "/fixtures/memmap/nontensor_batch"), NULL, &td, &err));
  must(td_dict_clone(td, &all, &err));
  must(td_dict_index(all, INDEX(TD_INT(0)), &one, &err));
  expect_error(td_dict_set_at(td, INDEX(TD_INT(1)), one, &err), TD_ERR_LOCKED, "\"x\"", "read-only");
  expect_error(td_dict_set_at_value(td, INDEX(TD_INT(1)), TD_VALUE(td_value_double(1)), &err), TD_ERR_LOCKED, "\"x\"",
               "read-only");
  must(td_dict_set_at(all, INDEX(TD_INT(1)), one, &err)); /* an equal value stays one value for all */
  must(td_dict_repr(all, 0, &after, &err));
  check(strstr(td_string_view(after).data, "NonTensorData"));
  td_string_release(after);
  td_dict_release(td), td_dict_release(one), td_dict_release(all);
}
