/* Rows that are appended to memmap directories. */
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "support/open.h"
#include "support/small_stacks.h"

TestSuite(storage_append, .init = make_test_dir, .fini = remove_test_dir, .timeout = 120);

static bool has(const td_dict *d, const td_key *key) {
  td_entry_kind kind = TD_ENTRY_NONE;
  must(td_dict_entry_kind(d, key, &kind, &err));
  return kind != TD_ENTRY_NONE;
}

/* {a: [n,2] of `value`, none: [n,0], s: "text"} and with `deep` also {n: {b: [n]}} */
static td_dict *rows(int64_t n, float value, bool deep) {
  td_dict *d = new_dict(TD_SHAPE(n));
  td_tensor *a = NULL, *b = NULL, *none = NULL;
  must(td_tensor_full(TD_SHAPE(n, 2), TD_VALUE(td_value_double(value)), TD_DTYPE_FLOAT32, TD_NO_STR, &a, &err));
  must(td_tensor_full(TD_SHAPE(n), TD_VALUE(td_value_double(value)), TD_DTYPE_INT16, TD_NO_STR, &b, &err));
  must(td_tensor_zeros(TD_SHAPE(n, 0), TD_DTYPE_FLOAT64, TD_NO_STR, &none, &err));
  must(td_dict_set(d, TD_KEY("a"), a, &err));
  must(td_dict_set(d, TD_KEY("none"), none, &err));
  if (deep) must(td_dict_set(d, TD_KEY("n", "m", "b"), b, &err));
  must(td_dict_set_data(d, TD_KEY("s"), TD_DATA(td_data_str(TD_STR("text"))), &err));
  td_tensor_release(a), td_tensor_release(b), td_tensor_release(none);
  return d;
}

static const char *saved(int64_t n, float value, bool deep) {
  const char *path = path_of("%s/save", test_dir);
  td_dict *d = rows(n, value, deep);
  must(td_save(d, TD_STR(path), NULL, &err));
  td_dict_release(d);
  return path;
}

static int64_t count(const td_dict *d) {
  int64_t n = -1;
  td_dict_batch_size(d, &n, 1);
  return n;
}

/* The sum of "a": how many rows of which value there are. */
static double sum(const td_dict *d, const td_key *key) {
  td_tensor *t = tensor_at(d, key), *wide = NULL;
  const void *data = NULL;
  double total = 0;
  must(td_tensor_to(t, TD_DTYPE_FLOAT64, TD_NO_STR, &wide, &err));
  must(td_tensor_data(wide, &data, &err));
  for (int64_t i = 0; i < td_tensor_numel(wide); ++i) total += ((const double *)data)[i];
  td_tensor_release(t), td_tensor_release(wide);
  return total;
}

Test(storage_append, rows_come_behind_those_that_are_there) {
  for (int deep = 0; deep < 2; ++deep) {
    const char *path = saved(3, 1, deep);
    td_dict *before = open_with(path, TD_OPEN_READ_WRITE), *more = rows(2, 10, deep), *nothing = rows(0, 0, deep);
    must(td_append_memmap(TD_STR(path), more, deep, &err));
    must(td_append_memmap(TD_STR(path), nothing, 0, &err));
    td_dict *after = open_with(path, TD_OPEN_READ);
    cr_expect_eq(count(after), 5);
    cr_expect_eq(sum(after, TD_KEY("a")), 3 * 2 * 1 + 2 * 2 * 10);
    if (deep) cr_expect_eq(sum(after, TD_KEY("n", "m", "b")), 3 + 20);
    td_tensor *none = tensor_at(after, TD_KEY("none"));
    int64_t dims[2];
    td_tensor_shape(none, dims, 2);
    cr_expect_eq(dims[0], 5);

    /* What was open keeps its rows, which are those of the file, and a refresh shows the others. */
    cr_expect_eq(count(before), 3);
    cr_expect_eq(sum(before, TD_KEY("a")), 6);
    td_tensor *full = NULL;
    must(td_tensor_full(TD_SHAPE(3, 2), TD_VALUE(td_value_double(2)), TD_DTYPE_FLOAT32, TD_NO_STR, &full, &err));
    must(td_dict_copy_into(before, TD_KEY("a"), full, &err));
    cr_expect_eq(sum(after, TD_KEY("a")), 12 + 40);
    must(td_dict_memmap_refresh_(before, &err));
    cr_expect_eq(count(before), 5);
    must(td_dict_make_memmap(before, TD_KEY("late"), TD_SHAPE(5), TD_DTYPE_INT8, NULL, &err));
    td_tensor_release(none), td_tensor_release(full);
    td_dict_release(before), td_dict_release(more), td_dict_release(nothing), td_dict_release(after);
    before = open_with(path, TD_OPEN_READ);
    cr_expect(has(before, TD_KEY("late")));
    td_dict_release(before);
    remove_tree(path);
  }
  cr_expect_eq(size_of_tree(test_dir).entries, 1, "something is left behind");
}

Test(storage_append, the_first_rows_of_a_save_without_rows_make_its_files) {
  const char *path = saved(0, 0, true);
  td_dict *more = rows(2, 3, true);
  cr_expect_not(there(path_of("%s/a.memmap", path)));
  must(td_append_memmap(TD_STR(path), more, 0, &err));
  td_dict *d = open_with(path, TD_OPEN_READ);
  cr_expect(count(d) == 2 && sum(d, TD_KEY("a")) == 12 && sum(d, TD_KEY("n", "m", "b")) == 6);
  td_dict_release(more), td_dict_release(d);
}

Test(storage_append, rows_may_be_of_other_kinds_and_of_the_save_itself) {
  const char *path = saved(2, 1, true);
  td_dict *self = open_with(path, TD_OPEN_READ), *members[2] = {rows(1, 5, true), rows(1, 5, true)}, *stack = NULL;
  must(td_append_memmap(TD_STR(path), self, 0, &err));
  td_dict *one[2] = {NULL, NULL};
  const td_index first = {TD_INDEX_KIND_INT, 0, 0, 0, 0, NULL, NULL, 0};
  for (int i = 0; i < 2; ++i) must(td_dict_index(members[i], &first, 1, &one[i], &err));
  must(td_dict_lazy_stack(one, 2, 0, &stack, &err));
  must(td_append_memmap(TD_STR(path), stack, 0, &err));
  td_dict *d = open_with(path, TD_OPEN_READ);
  cr_expect_eq(count(d), 6);
  cr_expect_eq(sum(d, TD_KEY("a")), 4 * 2 + 2 * 2 * 5);
  for (int i = 0; i < 2; ++i) td_dict_release(members[i]), td_dict_release(one[i]);
  td_dict_release(self), td_dict_release(stack), td_dict_release(d);
}

Test(storage_append, a_tail_that_a_killed_append_left_is_written_over) {
  const char *path = saved(2, 1, false);
  td_dict *more = rows(1, 5, false);
  FILE *f = fopen(path_of("%s/a.memmap", path), "ab");
  for (int i = 0; i < 100; ++i) fputc(0x7F, f);
  fclose(f);
  must(td_append_memmap(TD_STR(path), more, 0, &err));
  td_dict *d = open_with(path, TD_OPEN_READ);
  cr_expect(count(d) == 3 && sum(d, TD_KEY("a")) == 4 + 10);
  td_dict_release(more), td_dict_release(d);
}

Test(storage_append, a_tensorclass_takes_rows_with_and_without_its_class) {
  const char *path = path_of("%s/save", test_dir);
  copy_tree(path_of("%s/fixtures/memmap/tensorclass", TD_TEST_DATA), path);
  td_dict *d = open_with(path, TD_OPEN_COW), *plain = NULL;
  const int64_t n = count(d);
  if (n < 0) cr_skip_test("the save has no batch dims");
  must(td_append_memmap(TD_STR(path), d, 0, &err));
  must(td_dict_clone(d, &plain, &err));
  td_dict *again = open_with(path, TD_OPEN_READ), *k = NULL;
  cr_expect_eq(count(again), 2 * n);
  must(td_dict_get_dict(again, TD_KEY("k"), &k, &err));
  td_string *class = NULL;
  must(td_dict_python_class(k, &class, &err));
  cr_expect_str_eq(td_string_view(class).data, "__main__.Sample");
  td_string_release(class), td_dict_release(k), td_dict_release(again), td_dict_release(d), td_dict_release(plain);
}

static void expect_rows_refused(const char *path, td_dict *more, td_status status, const char *words) {
  const tree_size before = size_of_tree(test_dir);
  td_error *error = NULL;
  const td_status got = td_append_memmap(TD_STR(path), more, 0, &error);
  const char *text = error ? td_error_message(error).data : "";
  cr_expect_eq(got, status, "wanted %s, got %s: %s", td_status_name(status).data, td_status_name(got).data, text);
  cr_expect(strstr(text, words), "no '%s' in '%s'", words, text);
  const tree_size after = size_of_tree(test_dir);
  cr_expect(before.entries == after.entries && before.bytes == after.bytes, "%s: the files changed", words);
  td_error_release(error), td_dict_release(more);
}

Test(storage_append, rows_that_do_not_fit_change_nothing) {
  const char *path = saved(2, 1, true);
  td_dict *d = rows(1, 2, true);
  must(td_dict_set_data(d, TD_KEY("s"), TD_DATA(td_data_str(TD_STR("other"))), &err));
  expect_rows_refused(path, d, TD_ERR_ARGUMENT, "\"s\"");
  d = rows(1, 2, true);
  put(d, TD_KEY("extra"), TD_DTYPE_FLOAT32, (float[]){1}, TD_SHAPE(1));
  expect_rows_refused(path, d, TD_ERR_KEY, "\"extra\"");
  expect_rows_refused(path, rows(1, 2, false), TD_ERR_KEY, "\"n\"");
  d = rows(1, 2, true);
  put(d, TD_KEY("a"), TD_DTYPE_FLOAT32, (float[]){1, 2, 3}, TD_SHAPE(1, 3));
  expect_rows_refused(path, d, TD_ERR_SHAPE, "[1, 3]");
  d = rows(1, 2, true);
  put(d, TD_KEY("n", "m", "b"), TD_DTYPE_INT32, (int32_t[]){1}, TD_SHAPE(1));
  expect_rows_refused(path, d, TD_ERR_DTYPE, "\"b\"");
  d = rows(1, 2, false);
  put(d, TD_KEY("n"), TD_DTYPE_INT32, (int32_t[]){1}, TD_SHAPE(1));
  expect_rows_refused(path, d, TD_ERR_KEY, "dict");
  expect_rows_refused(path, new_dict(NULL, 0), TD_ERR_SHAPE, "batch dim");
  expect_rows_refused(path, new_dict(TD_SHAPE(1, 4)), TD_ERR_SHAPE, "[1, 4]");
  expect_rows_refused(path_of("%s/nothing", test_dir), rows(1, 2, true), TD_ERR_NOT_FOUND, "no such");
}

Test(storage_append, what_cannot_grow_says_so) {
  td_dict *d = rows(2, 1, false), *members[2] = {rows(1, 5, false), rows(1, 5, false)}, *stack = NULL;
  static const char *const files[] = {"x.td", "x.tdz"};
  for (size_t i = 0; i < 2; ++i) {
    if (i && !td_has_feature(TD_STR("archive"))) continue;
    must(td_save(d, TD_STR(path_of("%s/%s", test_dir, files[i])), NULL, &err));
    expect_rows_refused(path_of("%s/%s", test_dir, files[i]), rows(1, 1, false), TD_ERR_UNSUPPORTED, "cannot grow");
  }
  must(td_dict_lazy_stack(members, 2, 0, &stack, &err));
  must(td_save(stack, TD_STR(path_of("%s/lazy", test_dir)), NULL, &err));
  expect_rows_refused(path_of("%s/lazy", test_dir), rows(1, 1, false), TD_ERR_UNSUPPORTED, "lazy stack");
  const td_data values[] = {td_data_int(1), td_data_int(1)};
  must(td_dict_set_data_stack(d, TD_KEY("s"), values, 2, &err));
  must(td_save(d, TD_STR(path_of("%s/data", test_dir)), NULL, &err));
  expect_rows_refused(path_of("%s/data", test_dir), rows(1, 1, false), TD_ERR_UNSUPPORTED, "stack of non-tensor data");
  expect_rows_refused(path_of("%s/fixtures/memmap/nested_strided", TD_TEST_DATA), rows(1, 1, false), TD_ERR_KEY, "");
  td_dict_release(d), td_dict_release(stack), td_dict_release(members[0]), td_dict_release(members[1]);
}

Test(storage_append, a_full_disk_leaves_the_old_rows) {
  const char *path = saved(4, 1, true);
  const tree_size before = size_of_tree(test_dir);
  struct rlimit old, small = {48, 48};
  cr_assert_eq(getrlimit(RLIMIT_FSIZE, &old), 0);
  small.rlim_max = old.rlim_max;
  td_dict *more = rows(4, 9, true);
  signal(SIGXFSZ, SIG_IGN);
  cr_assert_eq(setrlimit(RLIMIT_FSIZE, &small), 0); /* "a" has 32 bytes and would have 64, "b" fits */
  td_error *error = NULL;
  const td_status got = td_append_memmap(TD_STR(path), more, 0, &error);
  cr_assert_eq(setrlimit(RLIMIT_FSIZE, &old), 0);
  cr_expect_eq(got, TD_ERR_NOSPACE, "%s", error ? td_error_message(error).data : "");
  const tree_size after = size_of_tree(test_dir);
  cr_expect(before.entries == after.entries && before.bytes == after.bytes, "the files changed");
  td_error_release(error), td_dict_release(more);
}

/* Appends rows until it is killed. */
static void append_for_ever(const char *path) {
  for (;;) {
    td_dict *more = rows(3, 1, true);
    if (td_append_memmap(TD_STR(path), more, 0, NULL) != TD_OK) _exit(1);
    td_dict_release(more);
  }
}

Test(storage_append, readers_see_whole_appends_also_when_the_writer_is_killed) {
  const char *path = saved(3, 1, true);
  for (int round = 0; round < 4; ++round) {
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
      td_after_fork();
      append_for_ever(path);
    }
    int64_t last = 0;
    for (int i = 0; i < 60; ++i) {
      if (i == 40) kill(child, SIGKILL);
      td_dict *d = open_with(path, TD_OPEN_READ);
      const int64_t n = count(d);
      cr_expect(n % 3 == 0 && n >= last, "%d rows after %d", (int)n, (int)last);
      cr_expect_eq(sum(d, TD_KEY("a")), 2.0 * (double)n);
      cr_expect_eq(sum(d, TD_KEY("n", "m", "b")), (double)n);
      last = n;
      td_dict_release(d);
    }
    int status = 0;
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_expect(WIFSIGNALED(status), "the writer ended with %d", status);
  }
}
