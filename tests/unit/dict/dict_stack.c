/* Stacking dicts of equal structure along a new batch dim. */
#include "support/td.h"

static td_dict *sample(double start) {
  td_dict *td = new_dict(TD_SHAPE(2)), *n = new_dict(TD_SHAPE(2, 3));
  put(td, TD_KEY("a"), full_f32(start, TD_SHAPE(2)));
  put(n, TD_KEY("b"), full_f32(start + 0.5, TD_SHAPE(2, 3)));
  put_dict(td, TD_KEY("n"), n);
  return td;
}

static td_dict *stacked(const td_dict *a, const td_dict *b, int64_t dim) {
  const td_dict *both[] = {a, b};
  td_dict *out;
  must(td_dict_stack(both, 2, dim, &out, &err));
  return out;
}

LeaklessTest(dict_stack, a_new_batch_dim_stands_where_it_was_asked_for) {
  const struct {
    int64_t dim, batch[2];
    double a[4];
  } table[] = {
      {0, {2, 2}, {1, 1, 2, 2}}, {1, {2, 2}, {1, 2, 1, 2}}, {-1, {2, 2}, {1, 2, 1, 2}}, {-2, {2, 2}, {1, 1, 2, 2}}};
  td_dict *x = sample(1), *y = sample(2);
  for (td_fast_level level = TD_FAST_NONE; level <= TD_FAST_ARENA; ++level)
    for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
      must(td_set_fast_level(level, &err));
      td_dict *s = stacked(x, y, table[i].dim), *n = get_dict(s, TD_KEY("n"));
      check(has_batch(s, table[i].batch, 2));
      expect_entry_at(__FILE__, __LINE__, s, TD_KEY("a"), table[i].a, 4);
      expect_batch(n, TD_SHAPE(2, 2, 3)); /* along the same dim, before the node's own */
      td_tensor *b = get(s, TD_KEY("n", "b"));
      expect_shape(b, TD_SHAPE(2, 2, 3));
      td_tensor_release(b);
      td_dict_release(n);
      td_dict_release(s);
    }

  td_dict *s = stacked(x, x, 0); /* a dict twice: still new storage */
  td_tensor *before = get(x, TD_KEY("a"));
  poke(before, 50);
  expect_entry(s, TD_KEY("a"), VALUES(1, 1, 1, 1));
  td_tensor_release(before);
  td_dict_release(s);
  td_dict *alone;
  must(td_dict_stack((const td_dict *const *)&y, 1, 1, &alone, &err));
  expect_batch(alone, TD_SHAPE(2, 1));
  td_dict_release(alone);
  td_dict_release(x);
  td_dict_release(y);
}

LeaklessTest(dict_stack, order_follows_the_first_and_dtypes_are_promoted) {
  td_dict *x = new_dict(TD_NO_DIMS), *y = new_dict(TD_NO_DIMS), *s;
  put(x, TD_KEY("a"), counted(TD_DTYPE_INT64, TD_SHAPE(2)));
  put(x, TD_KEY("b"), full_f32(1, TD_NO_DIMS));
  put(y, TD_KEY("b"), full_f32(2, TD_NO_DIMS));
  put(y, TD_KEY("a"), range_f32(TD_SHAPE(2)));
  must(td_dict_lock_(x, &err));
  s = stacked(x, y, 0);
  check(!td_dict_is_locked(s));
  td_tensor *a = get(s, TD_KEY("a"));
  check(td_tensor_dtype(a) == TD_DTYPE_FLOAT32);
  expect_values(a, VALUES(0, 1, 0, 1));
  td_tensor_release(a);
  expect_entry(s, TD_KEY("b"), VALUES(1, 2));
  td_dict_release(s);
  td_dict_release(x);
  td_dict_release(y);
}

LeaklessTest(dict_stack, dicts_that_differ_are_refused_by_name) {
  td_dict *x = sample(1), *y, *out = NULL;
  const struct {
    const td_key *key;
    const int64_t *dims;
    size_t ndim;
    td_status code;
    const char *named;
  } table[] = {{TD_KEY("extra"), TD_SHAPE(2), TD_ERR_KEY, "\"extra\""},
               {TD_KEY("n", "extra"), TD_SHAPE(2, 3), TD_ERR_KEY, "(\"n\", \"extra\")"},
               {TD_KEY("a"), TD_SHAPE(2, 5), TD_ERR_SHAPE, "\"a\""},
               {TD_KEY("n", "b"), TD_SHAPE(2, 3, 1), TD_ERR_SHAPE, "(\"n\", \"b\")"},
               {TD_KEY("n"), TD_SHAPE(2), TD_ERR_KEY, "\"n\""}};
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i)
    for (int order = 0; order < 2; ++order) { /* whichever of the two has it */
      y = sample(2);
      put(y, table[i].key, range_f32(table[i].dims, table[i].ndim));
      const td_dict *both[] = {order ? x : y, order ? y : x};
      expect_error(td_dict_stack(both, 2, 0, &out, &err), table[i].code, table[i].named, NULL);
      td_dict_release(y);
    }
  y = new_dict(TD_SHAPE(3));
  const td_dict *both[] = {x, y}, *one[] = {x};
  expect_error(td_dict_stack(both, 2, 0, &out, &err), TD_ERR_SHAPE, NULL, "batch");
  expect_error(td_dict_stack(one, 1, 2, &out, &err), TD_ERR_INDEX, NULL, "2");
  expect_error(td_dict_stack(one, 1, -3, &out, &err), TD_ERR_INDEX, NULL, "-3");
  expect_error(td_dict_stack(NULL, 0, 0, &out, &err), TD_ERR_ARGUMENT, NULL, "stack");
  both[1] = NULL;
  expect_error(td_dict_stack(both, 2, 0, &out, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  check(out == NULL);
  td_dict_release(x);
  td_dict_release(y);
}
