/* Windows: rows of a dict, without a copy. What is written into them goes to the dict. */
#include "support/h5_files.h"

#define INDEX(...) ((const td_index[]){__VA_ARGS__}), (sizeof((const td_index[]){__VA_ARGS__}) / sizeof(td_index))

TestSuite(dict_window, .init = make_test_dir, .fini = remove_test_dir);

static td_dict *window(td_dict *d, const td_index *indices, size_t n) {
  td_dict *w;
  must(td_dict_window(d, indices, n, &w, &err));
  return w;
}

/* "a" [4,2] float32, "n" {"b" [4] int64, "s" text}, of batch size [4]. */
static void fill_in(td_dict *d) {
  put(d, TD_KEY("a"), range_f32(TD_SHAPE(4, 2)));
  put(d, TD_KEY("n", "b"), counted(TD_DTYPE_INT64, TD_SHAPE(4)));
  must(td_dict_set_data(d, TD_KEY("n", "s"), TD_DATA(TEXT("text")), &err));
}

static td_dict *example(void) {
  td_dict *d = new_dict(TD_SHAPE(4));
  fill_in(d);
  return d;
}

LeaklessTest(dict_window, shows_the_rows_as_they_are_in_the_dict) {
  td_dict *d = example(), *w = window(d, INDEX(TD_SLICE(1, 3)));
  check(td_dict_kind_of(w) == TD_DICT_KIND_WINDOW);
  expect_batch(w, TD_SHAPE(2));
  expect_entry(w, TD_KEY("a"), VALUES(2, 3, 4, 5));
  expect_entry(w, TD_KEY("n", "b"), VALUES(1, 2));
  expect_data(w, TD_KEY("n", "s"), 0, TEXT("text"));
  must(td_dict_fill_(d, TD_KEY("a"), TD_VALUE(td_value_double(7)), &err));
  expect_entry(w, TD_KEY("a"), VALUES(7, 7, 7, 7));
  td_tensor *all = get(d, TD_KEY("a")), *part = get(w, TD_KEY("a"));
  check((const char *)address(part) == (const char *)address(all) + 2 * sizeof(float));
  td_tensor_release(all), td_tensor_release(part);
  td_dict_release(w), td_dict_release(d);
}

LeaklessTest(dict_window, follows_the_dict_and_keeps_it_alive) {
  td_dict *d = example(), *w = window(d, INDEX(TD_INT(-1)));
  put(d, TD_KEY("late"), counted(TD_DTYPE_INT64, TD_SHAPE(4)));
  must(td_dict_remove(d, TD_KEY("a"), &err));
  td_dict_release(d);
  check(kind_at(w, TD_KEY("a")) == TD_ENTRY_NONE);
  expect_entry(w, TD_KEY("late"), VALUES(3));
  expect_entry(w, TD_KEY("n", "b"), VALUES(3));
  td_dict_release(w);
}

/* Every way to write values, through a window on rows 1 and 2. */
static void write_all_ways(td_dict *w) {
  td_tensor *one = full_f32(1, TD_SHAPE(2, 2));
  must(td_dict_copy_into(w, TD_KEY("a"), one, &err));
  must(td_dict_fill_(w, TD_KEY("n", "b"), TD_VALUE(td_value_double(9)), &err));
  must(td_dict_set_data_(w, TD_KEY("n", "s"), TD_DATA(TEXT("other")), &err));
  must(td_dict_set_at_value(w, INDEX(TD_INT(0)), TD_VALUE(td_value_double(5)), &err));
  td_tensor_release(one);
}

static void expect_written(td_dict *d) {
  expect_entry(d, TD_KEY("a"), VALUES(0, 1, 5, 5, 1, 1, 6, 7));
  expect_entry(d, TD_KEY("n", "b"), VALUES(0, 5, 9, 3));
  expect_data(d, TD_KEY("n", "s"), 0, TEXT("text"));
  expect_data(d, TD_KEY("n", "s"), 1, TEXT("other"));
  expect_data(d, TD_KEY("n", "s"), 2, TEXT("other"));
}

LeaklessTest(dict_window, writes_reach_the_dict) {
  td_dict *d = example(), *w = window(d, INDEX(TD_SLICE(1, 3)));
  write_all_ways(w);
  expect_written(d);
  td_dict_release(w), td_dict_release(d);
}

LeaklessTest(dict_window, writes_reach_the_dict_where_a_tensor_chooses_the_rows) {
  td_tensor *rows = vector_of(TD_DTYPE_INT64, (const int64_t[]){1, 2}, 2);
  td_dict *d = example(), *w = window(d, INDEX(TD_TENSOR(rows)));
  td_tensor_release(rows);
  write_all_ways(w);
  expect_written(d);
  td_dict_release(w), td_dict_release(d);
}

LeaklessTest(dict_window, writes_reach_the_members_of_a_lazy_stack) {
  td_dict *d = example(), *stack, *w;
  must(td_dict_to_lazy_stack(d, 0, &stack, &err));
  w = window(stack, INDEX(TD_SLICE(1, 3)));
  write_all_ways(w);
  expect_written(stack);
  expect_entry(d, TD_KEY("a"), VALUES(0, 1, 5, 5, 1, 1, 6, 7));
  td_dict_release(w), td_dict_release(stack), td_dict_release(d);
}

LeaklessTest(dict_window, writes_reach_a_file) {
  td_dict *d = create_h5(path_of("%s/rows.h5", test_dir), TD_SHAPE(4));
  fill_in(d);
  td_dict *w = window(d, INDEX(TD_SLICE(1, 3)));
  td_tensor *one = full_f32(1, TD_SHAPE(2, 2));
  must(td_dict_copy_into(w, TD_KEY("a"), one, &err));
  must(td_dict_fill_(w, TD_KEY("n", "b"), TD_VALUE(td_value_double(9)), &err));
  must(td_dict_set_at_value(w, INDEX(TD_INT(0)), TD_VALUE(td_value_double(5)), &err));
  td_tensor_release(one), td_dict_release(w);
  expect_entry(d, TD_KEY("a"), VALUES(0, 1, 5, 5, 1, 1, 6, 7));
  expect_entry(d, TD_KEY("n", "b"), VALUES(0, 5, 9, 3));
  close_h5(d);
}

LeaklessTest(dict_window, a_window_on_a_window_writes_through_both) {
  td_dict *d = example(), *outer = window(d, INDEX(TD_SLICE(1, 4))), *inner = window(outer, INDEX(TD_INT(1)));
  check(has_batch(inner, NULL, 0));
  must(td_dict_fill_(inner, TD_KEY("n"), TD_VALUE(td_value_double(8)), &err));
  expect_entry(d, TD_KEY("n", "b"), VALUES(0, 1, 8, 3));
  td_dict_release(inner), td_dict_release(outer), td_dict_release(d);
}

LeaklessTest(dict_window, values_of_another_dict_are_written_row_by_row) {
  td_dict *d = example(), *w = window(d, INDEX(TD_SLICE(2, 4))), *src;
  must(td_dict_clone(w, &src, &err));
  must(td_dict_zero_(src, &err));
  must(td_dict_update_(w, src, &err));
  expect_entry(d, TD_KEY("a"), VALUES(0, 1, 2, 3, 0, 0, 0, 0));
  expect_entry(d, TD_KEY("n", "b"), VALUES(0, 1, 0, 0));
  td_dict_release(src), td_dict_release(w), td_dict_release(d);
}

LeaklessTest(dict_window, its_structure_is_that_of_the_dict) {
  td_dict *d = example(), *w = window(d, INDEX(TD_SLICE(1, 3))), *other = new_dict(TD_SHAPE(2));
  td_tensor *two = full_f32(2, TD_SHAPE(2));
  expect_error(td_dict_set(w, TD_KEY("c"), two, &err), TD_ERR_LOCKED, "\"c\"", NULL);
  expect_error(td_dict_set(w, TD_KEY("a"), two, &err), TD_ERR_LOCKED, "\"a\"", NULL);
  expect_error(td_dict_set(w, TD_KEY("n", "b"), two, &err), TD_ERR_LOCKED, "(\"n\", \"b\")", NULL);
  expect_error(td_dict_remove(w, TD_KEY("a"), &err), TD_ERR_LOCKED, "\"a\"", NULL);
  expect_error(td_dict_clear(w, &err), TD_ERR_LOCKED, NULL, NULL);
  expect_error(td_dict_become(w, other, &err), TD_ERR_LOCKED, NULL, NULL);
  expect_error(td_dict_set_batch_size(w, TD_SHAPE(2, 2), &err), TD_ERR_SHAPE, NULL, NULL);
  must(td_dict_unlock_(w, &err));
  check(td_dict_is_locked(w) && !td_dict_is_locked(d));
  expect_entry(d, TD_KEY("a"), VALUES(0, 1, 2, 3, 4, 5, 6, 7));
  td_tensor_release(two);
  td_dict_release(other), td_dict_release(w), td_dict_release(d);
}

LeaklessTest(dict_window, operations_make_ordinary_dicts_of_it) {
  td_dict *d = example(), *w = window(d, INDEX(TD_SLICE(1, 3))), *made;
  must(td_dict_copy(w, &made, &err));
  check(td_dict_kind_of(made) == TD_DICT_KIND_TENSORDICT && !td_dict_is_locked(made));
  check(same_memory(w, TD_KEY("a"), made, TD_KEY("a")));
  td_dict_release(made);
  must(td_dict_index(w, INDEX(TD_INT(1)), &made, &err));
  check(td_dict_kind_of(made) == TD_DICT_KIND_TENSORDICT);
  expect_entry(made, TD_KEY("a"), VALUES(4, 5));
  expect_entry(made, TD_KEY("n", "b"), VALUES(2));
  td_dict_release(made);
  must(td_dict_stack((const td_dict *const[]){w, w}, 2, 0, &made, &err));
  expect_batch(made, TD_SHAPE(2, 2));
  expect_entry(made, TD_KEY("n", "b"), VALUES(1, 2, 1, 2));
  td_dict_release(made), td_dict_release(w), td_dict_release(d);
}

LeaklessTest(dict_window, does_not_go_into_its_own_dict) {
  td_dict *d = example(), *w = window(d, INDEX(TD_SLICE(0, 4)));
  expect_error(td_dict_set_dict(d, TD_KEY("w"), w, &err), TD_ERR_ARGUMENT, "\"w\"", NULL);
  td_dict_release(w), td_dict_release(d);
}

LeaklessTest(dict_window, ends_where_the_dict_has_another_batch_size) {
  td_dict *d = example(), *w = window(d, INDEX(TD_SLICE(1, 3)));
  must(td_dict_set_batch_size(d, NULL, 0, &err));
  td_tensor *t;
  expect_error(td_dict_get(w, TD_KEY("a"), &t, &err), TD_ERR_SHAPE, NULL, NULL);
  td_dict_release(w), td_dict_release(d);
}

LeaklessTest(dict_window, refuses_rows_that_are_not_there) {
  td_dict *d = example(), *w;
  expect_error(td_dict_window(d, INDEX(TD_INT(4)), &w, &err), TD_ERR_INDEX, NULL, NULL);
  expect_error(td_dict_window(d, INDEX(TD_INT(0), TD_INT(0)), &w, &err), TD_ERR_INDEX, NULL, NULL);
  td_dict_release(d);
}

LeaklessTest(dict_window, is_locked_and_unlocked_without_the_dict) {
  td_dict *d = example(), *stack, *w;
  must(td_dict_to_lazy_stack(d, 0, &stack, &err));
  td_dict *both[] = {d, stack};
  for (size_t i = 0; i < 2; ++i) {
    w = window(both[i], INDEX(TD_SLICE(1, 3)));
    must(td_dict_lock_(w, &err));
    must(td_dict_unlock_(w, &err));
    must(td_dict_lock_(w, &err));
    put(both[i], TD_KEY("n", "late"), counted(TD_DTYPE_INT64, TD_SHAPE(4)));
    expect_entry(w, TD_KEY("n", "late"), VALUES(1, 2));
    td_dict_release(w);
  }
  td_dict_release(stack), td_dict_release(d);
}
