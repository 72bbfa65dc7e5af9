/* Entries that belong to the whole batch, of several dicts and of parts of one: the first is kept, a write takes it whole. */
#include "support/unbatched.h"

typedef struct heard {
  int n;
  char text[256];
} heard;
static void hear(void *userdata, td_str text, td_str where) {
  (void)where;
  heard *h = userdata;
  h->n += 1;
  snprintf(h->text, sizeof h->text, "%.*s", (int)text.size, text.data);
}

LeaklessTest(dict_unbatched_join, stack_and_cat_keep_the_first_and_warn_of_others) {
  heard h = {0};
  must(td_set_warning_callback(TD_CALLBACKS(td_warning_function, hear, &h, NULL), &err));
  td_dict *a = with_table(1), *b = with_table(50), *same, *out;
  const td_dict *both[] = {a, b};
  must(td_dict_stack(both, 2, 0, &out, &err));
  expect_batch(out, TD_SHAPE(2, 2));
  expect_kept(a, out);
  expect_entry(out, TD_KEY("x"), VALUES(1, 1, 1, 1, 1, 1, 50, 50, 50, 50, 50, 50));
  check(h.n == 2 && strstr(h.text, "kept"));
  td_dict_release(out);
  must(td_dict_cat(both, 2, 0, &out, &err));
  expect_batch(out, TD_SHAPE(4));
  expect_kept(a, out);
  check(h.n == 4);
  td_dict_release(out);
  must(td_dict_copy(a, &same, &err));
  const td_dict *one[] = {a, same};
  must(td_dict_stack(one, 2, 0, &out, &err));
  expect_kept(a, out);
  check(h.n == 4);
  must(td_set_warning_callback(NULL, &err));
  td_dict_release(out), td_dict_release(same), td_dict_release(a), td_dict_release(b);
}

LeaklessTest(dict_unbatched_join, a_target_gets_that_of_the_first) {
  td_dict *a = with_table(1), *b = with_table(50), *target, *lazy;
  const td_dict *both[] = {a, b};
  must(td_dict_stack(both, 2, 1, &target, &err));
  must(td_dict_clone(target, &lazy, &err));
  must(td_dict_zero_(lazy, &err));
  must(td_dict_stack_into(both, 2, 1, lazy, &err));
  expect_entry(lazy, TD_KEY("table"), VALUES(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12));
  td_dict_release(target), td_dict_release(lazy);
  must(td_dict_cat(both, 2, 0, &target, &err));
  must(td_dict_clone(target, &lazy, &err));
  must(td_dict_zero_(lazy, &err));
  must(td_dict_cat_into(both, 2, 0, lazy, &err));
  expect_entry(lazy, TD_KEY("n", "mask"), VALUES(0, 1, 2, 3, 4));
  expect_entry(lazy, TD_KEY("x"), VALUES(1, 1, 1, 1, 1, 1, 50, 50, 50, 50, 50, 50));
  td_dict_release(target), td_dict_release(lazy), td_dict_release(a), td_dict_release(b);
}

/* Single elements across the members are written; what the members have of their own stays. */
LeaklessTest(dict_unbatched_join, elements_of_a_lazy_stack_are_written_beside_it) {
  td_dict *a = with_table(1), *b = with_table(50), *stack, *value = new_dict(TD_SHAPE(2));
  must(td_dict_lazy_stack((td_dict *const[]){a, b}, 2, 0, &stack, &err));
  put(value, TD_KEY("x"), full_f32(0, TD_SHAPE(2, 3)));
  td_tensor *rows = vector_of(TD_DTYPE_INT64, (const int64_t[]){0, 1}, 2);
  must(td_dict_set_at(stack, (const td_index[]){TD_TENSOR(rows), TD_TENSOR(rows)}, 2, value, &err));
  expect_entry(a, TD_KEY("x"), VALUES(0, 0, 0, 1, 1, 1));
  expect_entry(b, TD_KEY("x"), VALUES(50, 50, 50, 0, 0, 0));
  expect_entry(b, TD_KEY("table"), VALUES(50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61));
  must(td_dict_set_at_value(stack, (const td_index[]){TD_TENSOR(rows), TD_TENSOR(rows)}, 2,
                            TD_VALUE(td_value_double(7)), &err));
  expect_entry(b, TD_KEY("table"), VALUES(50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61));
  td_tensor *padded = NULL, *mask = NULL;
  expect_error(td_dict_get_padded(stack, TD_KEY("table"), NULL, &padded, &mask, &err), TD_ERR_UNSUPPORTED, "\"table\"",
               "unbatched");
  td_tensor_release(rows), td_dict_release(stack), td_dict_release(value), td_dict_release(a), td_dict_release(b);
}

LeaklessTest(dict_unbatched_join, an_ordinary_entry_in_one_of_them_is_refused) {
  td_dict *a = new_dict(TD_SHAPE(2)), *b = new_dict(TD_SHAPE(2)), *out = NULL;
  put_unbatched(a, TD_KEY("t"), range_f32(TD_SHAPE(2, 3)));
  put(b, TD_KEY("t"), range_f32(TD_SHAPE(2, 3)));
  const td_dict *both[] = {a, b}, *turned[] = {b, a};
  expect_error(td_dict_stack(both, 2, 0, &out, &err), TD_ERR_KEY, "\"t\"", "unbatched");
  expect_error(td_dict_cat(both, 2, 0, &out, &err), TD_ERR_KEY, "\"t\"", "unbatched");
  expect_error(td_dict_stack(turned, 2, 0, &out, &err), TD_ERR_KEY, "\"t\"", "unbatched");
  put_unbatched(b, TD_KEY("t"), range_f32(TD_SHAPE(4)));
  expect_error(td_dict_stack(both, 2, 0, &out, &err), TD_ERR_SHAPE, "\"t\"", "shapes differ");
  check(out == NULL);
  must(td_dict_cat(both, 2, 0, &out, &err));
  check(is_unbatched(out, TD_KEY("t")));
  td_dict_release(out), td_dict_release(a), td_dict_release(b);
}

LeaklessTest(dict_unbatched_join, a_lazy_stack_shows_that_of_its_first_member) {
  td_dict *a = with_table(1), *b = with_table(50), *stack, *out;
  must(td_dict_lazy_stack((td_dict *const[]){a, b}, 2, 0, &stack, &err));
  expect_kept(a, stack);
  must(td_dict_index(stack, (const td_index[]){TD_INT(1)}, 1, &out, &err));
  check(out == b);
  td_dict_release(out);
  must(td_dict_index(stack, (const td_index[]){TD_SLICE(0, TD_END), TD_INT(0)}, 2, &out, &err));
  expect_batch(out, TD_SHAPE(2));
  expect_kept(a, out);
  td_dict_release(out);
  must(td_dict_contiguous(stack, &out, &err));
  expect_batch(out, TD_SHAPE(2, 2));
  expect_kept(a, out);
  td_dict_release(out);
  must(td_dict_reshape(stack, TD_SHAPE(-1), &out, &err));
  expect_batch(out, TD_SHAPE(4));
  expect_kept(a, out);
  td_dict_release(out);

  td_op *add = operator_named("add", NULL);
  must(td_dict_pointwise(add, (const td_value[]){td_value_dict(stack), td_value_int(1)}, 2, NULL, 0, NULL, &out, &err));
  check(is_unbatched(out, TD_KEY("table")));
  expect_entry(out, TD_KEY("n", "mask"), VALUES(1, 2, 3, 4, 5));
  td_op_release(add), td_dict_release(out);

  put_unbatched(stack, TD_KEY("new"), range_f32(TD_SHAPE(7)));
  check(is_unbatched(a, TD_KEY("new")) && same_memory(a, TD_KEY("new"), b, TD_KEY("new")));
  td_tensor *zeros = full_f32(0, TD_SHAPE(7));
  must(td_dict_copy_into(stack, TD_KEY("new"), zeros, &err));
  expect_entry(b, TD_KEY("new"), VALUES(0, 0, 0, 0, 0, 0, 0));

  /* Members that do not agree are told apart. */
  put(b, TD_KEY("new"), range_f32(TD_SHAPE(2)));
  td_tensor *t = NULL;
  expect_error(td_dict_get(stack, TD_KEY("new"), &t, &err), TD_ERR_KEY, "\"new\"", "unbatched");
  check(t == NULL);
  td_tensor_release(zeros), td_dict_release(stack), td_dict_release(a), td_dict_release(b);
}

LeaklessTest(dict_unbatched_join, a_write_under_an_index_takes_it_whole_or_leaves_it) {
  td_dict *td = with_table(1), *value = new_dict(TD_NO_DIMS), *wrong = new_dict(TD_NO_DIMS);
  td_index first[] = {TD_INT(0)};
  put(value, TD_KEY("x"), full_f32(9, TD_SHAPE(3)));
  must(td_dict_set_at(td, first, 1, value, &err));
  expect_entry(td, TD_KEY("x"), VALUES(9, 9, 9, 1, 1, 1));
  expect_entry(td, TD_KEY("table"), VALUES(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12));
  must(td_dict_set_at_value(td, first, 1, TD_VALUE(td_value_double(0)), &err));
  expect_entry(td, TD_KEY("x"), VALUES(0, 0, 0, 1, 1, 1));
  expect_entry(td, TD_KEY("n", "mask"), VALUES(0, 1, 2, 3, 4));

  put_unbatched(value, TD_KEY("table"), full_f32(5, TD_SHAPE(3, 4)));
  must(td_dict_set_at(td, first, 1, value, &err));
  expect_entry(td, TD_KEY("table"), VALUES(5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5));
  check(is_unbatched(td, TD_KEY("table")));
  put(wrong, TD_KEY("x"), full_f32(7, TD_SHAPE(3)));
  put(wrong, TD_KEY("table"), full_f32(7, TD_SHAPE(4)));
  expect_error(td_dict_set_at(td, first, 1, wrong, &err), TD_ERR_SHAPE, "\"table\"", "unbatched");
  expect_entry(td, TD_KEY("x"), VALUES(9, 9, 9, 1, 1, 1));
  td_dict_release(td), td_dict_release(value), td_dict_release(wrong);
}

LeaklessTest(dict_unbatched_join, one_that_is_written_into_rows_is_the_same_in_each_of_them) {
  td_dict *td = new_dict(TD_SHAPE(2)), *value = new_dict(TD_NO_DIMS);
  put(td, TD_KEY("t"), full_f32(1, TD_SHAPE(2, 2)));
  put_unbatched(value, TD_KEY("t"), range_f32(TD_SHAPE(2)));
  put_unbatched(value, TD_KEY("new"), full_f32(4, TD_SHAPE(1)));
  must(td_dict_set_at(td, (const td_index[]){TD_INT(1)}, 1, value, &err));
  expect_entry(td, TD_KEY("t"), VALUES(1, 1, 0, 1));
  expect_entry(td, TD_KEY("new"), VALUES(0, 4));
  check(!is_unbatched(td, TD_KEY("t")) && !is_unbatched(td, TD_KEY("new")));
  must(td_dict_set_at(td, (const td_index[]){TD_SLICE(0, TD_END)}, 1, value, &err));
  expect_entry(td, TD_KEY("t"), VALUES(0, 1, 0, 1));
  td_dict_release(td), td_dict_release(value);
}

LeaklessTest(dict_unbatched_join, updates_replace_it_or_write_into_it) {
  td_dict *td = with_table(1), *other = with_table(50), *plain = new_dict(TD_SHAPE(2));
  must(td_dict_update_(td, other, &err));
  check(is_unbatched(td, TD_KEY("table")) && !same_memory(td, TD_KEY("table"), other, TD_KEY("table")));
  expect_entry(td, TD_KEY("table"), VALUES(50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61));
  must(td_dict_update(td, other, NULL, &err));
  expect_kept(other, td);
  put(plain, TD_KEY("table"), range_f32(TD_SHAPE(2, 7)));
  must(td_dict_update(td, plain, NULL, &err));
  check(!is_unbatched(td, TD_KEY("table")));
  td_dict_release(td), td_dict_release(other), td_dict_release(plain);
}

LeaklessTest(dict_unbatched_join, a_window_shows_it_whole_and_writes_it_whole) {
  td_dict *td = with_table(1), *window, *value = new_dict(TD_NO_DIMS);
  must(td_dict_window(td, (const td_index[]){TD_INT(1)}, 1, &window, &err));
  expect_kept(td, window);
  put_unbatched(value, TD_KEY("table"), full_f32(5, TD_SHAPE(3, 4)));
  must(td_dict_update_(window, value, &err));
  expect_entry(td, TD_KEY("table"), VALUES(5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5));
  td_dict_release(window), td_dict_release(value), td_dict_release(td);

  /* Also where what the window reads is a copy. */
  td = with_table(1);
  td_tensor *rows = vector_of(TD_DTYPE_INT64, (const int64_t[]){1, 0}, 2), *zeros = full_f32(0, TD_SHAPE(3, 4));
  must(td_dict_window(td, (const td_index[]){TD_TENSOR(rows)}, 1, &window, &err));
  must(td_dict_copy_into(window, TD_KEY("table"), zeros, &err));
  expect_entry(td, TD_KEY("table"), VALUES(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
  check(is_unbatched(td, TD_KEY("table")));
  td_tensor_release(rows), td_tensor_release(zeros), td_dict_release(window), td_dict_release(td);
}

static td_status shared_by_all(void *userdata, const td_value *args, size_t n_args, td_value *outs, size_t n_outs,
                               td_error **error) {
  (void)userdata, (void)n_args, (void)n_outs;
  int64_t dims[4];
  td_tensor *table;
  if (td_dict_get(args[0].as.dict, TD_KEY("table"), &table, error) != TD_OK) return td_error_code(*error);
  const int whole = td_tensor_shape(table, dims, 4) == 2 && dims[0] == 3 && dims[1] == 4;
  td_tensor_release(table);
  td_dict *out = NULL;
  if (!whole || td_dict_copy(args[0].as.dict, &out, error) != TD_OK) return TD_ERR_CALLBACK;
  outs[0] = td_value_dict(out);
  return TD_OK;
}

LeaklessTest(dict_unbatched_join, vmap_shares_it_between_the_members) {
  td_dict *td = with_table(1);
  td_value arg = td_value_dict(td), out = td_value_none();
  td_vmap_function_options options = TD_VMAP_FUNCTION_OPTIONS_INIT;
  must(td_vmap(shared_by_all, NULL, &arg, 1, &options, &out, 1, &err));
  check(out.kind == TD_VALUE_DICT);
  expect_batch(out.as.dict, TD_SHAPE(2));
  expect_kept(td, out.as.dict);
  td_value_clear(&out);
  td_dict_release(td);
}
