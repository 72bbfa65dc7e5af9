/* Tensors in files of their own. */
#include <sys/stat.h>

#include "support/open.h"
#include "support/users.h"

TestSuite(tensor_memmap, .init = make_test_dir, .fini = remove_test_dir);

static td_tensor *zeros(const char *path) {
  td_tensor *t = NULL;
  must(td_tensor_memmap_zeros(TD_STR(path), TD_SHAPE(2, 3), TD_DTYPE_FLOAT32, NULL, &t, &err));
  return t;
}

static td_tensor *open_as(const char *path, td_open_mode mode) {
  td_tensor *t = NULL;
  must(td_tensor_memmap_open(TD_STR(path), TD_SHAPE(2, 3), TD_DTYPE_FLOAT32, mode, &t, &err));
  return t;
}

static void expect_path(const td_tensor *t, const char *want) {
  td_string *text = NULL;
  must(td_tensor_saved_path(t, &text, &err));
  cr_expect_eq(text == NULL, want == NULL);
  if (text && want) cr_expect_str_eq(td_string_view(text).data, want);
  td_string_release(text);
}

static float at(const td_tensor *t, size_t i) {
  const void *data = NULL;
  must(td_tensor_data(t, &data, &err));
  return ((const float *)data)[i];
}

static void write_at(td_tensor *t, size_t i, float value) {
  void *data = NULL;
  must(td_tensor_mutable_data(t, &data, &err));
  ((float *)data)[i] = value;
}

static size_t bytes_at(const char *path) {
  struct stat s;
  return stat(path, &s) == 0 ? (size_t)s.st_size : 0;
}

Test(tensor_memmap, a_file_is_seen_by_all_who_have_it_open) {
  const char *path = path_of("%s/x", test_dir);
  td_tensor *t = zeros(path), *other = open_as(path, TD_OPEN_READ_WRITE), *reader = open_as(path, TD_OPEN_READ),
            *copy = open_as(path, TD_OPEN_COW);
  cr_expect_eq(bytes_at(path), 24);
  write_at(t, 4, 7);
  cr_expect_eq(at(other, 4), 7);
  cr_expect_eq(at(reader, 4), 7);
  write_at(copy, 4, 8);
  cr_expect_eq(at(t, 4), 7, "a private write reaches the file");
  cr_expect(td_tensor_is_read_only(reader) && !td_tensor_is_read_only(t) && td_tensor_is_shared(t));
  void *data = NULL;
  expect_error(td_tensor_mutable_data(reader, &data, &err), TD_ERR_LOCKED, NULL, "read-only");
  expect_path(t, path), expect_path(reader, path), expect_path(copy, path);
  td_tensor_release(t), td_tensor_release(other), td_tensor_release(reader), td_tensor_release(copy);
  cr_expect_eq(td_live_objects(TD_OBJECT_MAPPING), 0);
}

Test(tensor_memmap, a_file_can_be_of_any_dtype_and_value) {
  td_tensor *t = NULL;
  must(td_tensor_memmap_full(TD_STR(path_of("%s/f", test_dir)), TD_SHAPE(3), TD_VALUE(td_value_double(-2)),
                             TD_DTYPE_NONE, NULL, &t, &err));
  cr_expect(at(t, 2) == -2 && td_tensor_dtype(t) == TD_DTYPE_FLOAT32);
  td_tensor_release(t);
  for (td_dtype type = TD_DTYPE_BOOL; type <= TD_DTYPE_COMPLEX128; ++type) {
    const char *path = path_of("%s/%d", test_dir, (int)type);
    td_tensor *opened = NULL, *want = NULL;
    td_error *error = NULL;
    t = NULL;
    if (td_tensor_full(TD_SHAPE(5), TD_VALUE(td_value_double(1)), type, TD_NO_STR, &want, NULL) != TD_OK)
      continue; /* unknown to this LibTorch */
    cr_assert_eq(td_tensor_memmap_full(TD_STR(path), TD_SHAPE(5), TD_VALUE(td_value_double(1)), type, NULL, &t, &error),
                 TD_OK, "dtype %d: %s", (int)type, error ? td_error_message(error).data : "");
    must(td_tensor_memmap_open(TD_STR(path), TD_SHAPE(5), type, TD_OPEN_READ, &opened, &err));
    const void *a = NULL, *b = NULL;
    must(td_tensor_data(want, &a, &err));
    must(td_tensor_data(opened, &b, &err));
    cr_expect_eq(memcmp(a, b, (size_t)td_tensor_nbytes(want)), 0, "dtype %d", (int)type);
    td_tensor_release(t), td_tensor_release(opened), td_tensor_release(want);
  }
}

Test(tensor_memmap, a_large_file_is_filled_by_threads_that_tell_how_far_they_are) {
  td_save_options options = TD_SAVE_OPTIONS_INIT;
  options.threads = 3, options.sync = 1;
  td_tensor *t = NULL;
  const char *path = path_of("%s/large", test_dir);
  must(td_tensor_memmap_full(TD_STR(path), TD_SHAPE(3000, 1001), TD_VALUE(td_value_double(2.5)), TD_DTYPE_FLOAT32,
                             &options, &t, &err));
  cr_expect_eq(bytes_at(path), 4u * 3000 * 1001);
  const size_t n = 3000 * 1001, places[] = {0, 1 << 20, n / 2, n - 1};
  for (size_t i = 0; i < 4; ++i) cr_expect_eq(at(t, places[i]), 2.5f, "element %zu", places[i]);
  td_tensor_release(t);
}

Test(tensor_memmap, elements_are_copied_row_major_and_the_copy_is_the_file) {
  td_tensor *t = NULL, *rows = NULL, *again = NULL;
  const char *path = path_of("%s/x", test_dir);
  td_op *op = NULL;
  must(td_tensor_copy_from((float[]){1, 2, 3, 4, 5, 6}, TD_DTYPE_FLOAT32, TD_SHAPE(3, 2), &rows, &err));
  must(td_op_find(TD_STR("t"), TD_NO_STR, &op, &err));
  td_value out = td_value_none();
  must(td_op_call(op, (td_value[]){td_value_tensor(rows)}, 1, NULL, 0, &out, 1, &err));
  must(td_tensor_memmap_from(out.as.tensor, TD_STR(path), NULL, &t, &err));
  cr_expect_eq(at(t, 1), 3);
  expect_path(t, path);
  write_at(t, 0, 9);

  /* The file may be replaced by what is computed from it. */
  td_save_options options = TD_SAVE_OPTIONS_INIT;
  expect_error(td_tensor_memmap_from(t, TD_STR(path), &options, &again, &err), TD_ERR_EXISTS, NULL, "x");
  options.overwrite = 1;
  must(td_tensor_memmap_from(t, TD_STR(path), &options, &again, &err));
  cr_expect_eq(at(again, 0), 9);
  expect_path(t, NULL); /* it keeps the bytes of a file that has no name any more */
  expect_path(again, path);
  write_at(again, 0, 10);
  cr_expect_eq(at(t, 0), 9);
  td_tensor_release(t), td_tensor_release(rows), td_tensor_release(again), td_tensor_release(out.as.tensor);
  td_op_release(op);
}

Test(tensor_memmap, a_leaf_of_a_directory_is_such_a_file) {
  td_dict *d = small_dict(3), *live = NULL;
  const char *path = path_of("%s/save", test_dir);
  must(td_save(d, TD_STR(path), NULL, &err));
  live = open_with(path, TD_OPEN_READ_WRITE);
  td_tensor *leaf = tensor_at(live, TD_KEY("a")), *plain = tensor_at(d, TD_KEY("a")), *made = NULL;
  expect_path(leaf, path_of("%s/a.memmap", path));
  expect_path(plain, NULL);
  must(td_dict_make_memmap(live, TD_KEY("with space\n"), TD_SHAPE(2, 3), TD_DTYPE_FLOAT32, &made, &err));
  expect_path(made, path_of("%s/with%%20space%%0A.memmap", path));
  td_tensor *opened = open_as(path_of("%s/with%%20space%%0A.memmap", path), TD_OPEN_READ);
  write_at(made, 5, 6);
  cr_expect_eq(at(opened, 5), 6);
  const char *line = path_of("%s/new\nline", test_dir);
  td_tensor *odd = zeros(line);
  expect_path(odd, line);
  td_tensor_release(leaf), td_tensor_release(plain), td_tensor_release(made), td_tensor_release(opened);
  td_tensor_release(odd), td_dict_release(d), td_dict_release(live);
}

Test(tensor_memmap, tensors_without_elements_have_an_empty_file) {
  const char *path = path_of("%s/none", test_dir);
  td_tensor *t = NULL, *again = NULL;
  must(td_tensor_memmap_zeros(TD_STR(path), TD_SHAPE(0, 3), TD_DTYPE_INT64, NULL, &t, &err));
  cr_expect(there(path) && bytes_at(path) == 0);
  must(td_tensor_memmap_open(TD_STR(path), TD_SHAPE(4, 0), TD_DTYPE_INT8, TD_OPEN_READ, &again, &err));
  cr_expect_eq(td_tensor_numel(again), 0);
  expect_path(t, NULL);
  td_tensor_release(t), td_tensor_release(again);
}

Test(tensor_memmap, what_is_no_such_file_is_refused) {
  td_tensor *t = zeros(path_of("%s/x", test_dir)), *none = NULL;
  const char *path = path_of("%s/x", test_dir), *fifo = path_of("%s/fifo", test_dir);
  cr_assert_eq(mkfifo(fifo, 0600), 0);
  const td_str file = TD_STR(path);
  expect_error(td_tensor_memmap_open(file, TD_SHAPE(7), TD_DTYPE_FLOAT32, 0, &none, &err), TD_ERR_CORRUPT, NULL,
               "24 bytes");
  expect_error(td_tensor_memmap_open(file, TD_SHAPE(2, -3), TD_DTYPE_FLOAT32, 0, &none, &err), TD_ERR_SHAPE, NULL,
               "negative");
  expect_error(td_tensor_memmap_open(file, TD_SHAPE(INT64_MAX / 2, 3), TD_DTYPE_FLOAT32, 0, &none, &err), TD_ERR_SHAPE,
               NULL, "64 bits");
  expect_error(td_tensor_memmap_open(file, TD_SHAPE(INT64_MAX / 4), TD_DTYPE_FLOAT64, 0, &none, &err), TD_ERR_SHAPE,
               NULL, "64 bits");
  expect_error(td_tensor_memmap_open(file, TD_SHAPE(2), 999, 0, &none, &err), TD_ERR_DTYPE, NULL, "");
  expect_error(td_tensor_memmap_open(file, TD_SHAPE(2), TD_DTYPE_NONE, 0, &none, &err), TD_ERR_DTYPE, NULL, "");
  expect_error(td_tensor_memmap_open(file, TD_SHAPE(2), TD_DTYPE_FLOAT32, 9, &none, &err), TD_ERR_ARGUMENT, NULL,
               "mode");
  expect_error(td_tensor_memmap_open(TD_STR(""), TD_SHAPE(2), TD_DTYPE_FLOAT32, 0, &none, &err), TD_ERR_ARGUMENT, NULL,
               "empty");
  expect_error(
      td_tensor_memmap_open(TD_STR(path_of("%s/nothing", test_dir)), TD_SHAPE(2), TD_DTYPE_FLOAT32, 0, &none, &err),
      TD_ERR_NOT_FOUND, NULL, "nothing");
  for (td_open_mode mode = TD_OPEN_READ; mode <= TD_OPEN_READ_WRITE; ++mode) {
    expect_error(td_tensor_memmap_open(TD_STR(fifo), TD_SHAPE(2), TD_DTYPE_FLOAT32, mode, &none, &err), TD_ERR_CORRUPT,
                 NULL, "regular");
    expect_error(td_tensor_memmap_open(TD_STR(test_dir), TD_SHAPE(2), TD_DTYPE_FLOAT32, mode, &none, &err),
                 TD_ERR_CORRUPT, NULL, "regular");
  }
  int64_t many[65];
  for (size_t i = 0; i < 65; ++i) many[i] = 1;
  expect_error(td_tensor_memmap_open(file, many, 65, TD_DTYPE_FLOAT32, 0, &none, &err), TD_ERR_SHAPE, NULL, "64 dims");
  td_tensor_release(t);
}

Test(tensor_memmap, nothing_is_made_where_it_cannot_be) {
  td_tensor *t = zeros(path_of("%s/x", test_dir)), *none = NULL;
  const tree_size before = size_of_tree(test_dir);
  const td_str file = TD_STR(path_of("%s/x", test_dir)), other = TD_STR(path_of("%s/y", test_dir));
  td_save_options options = TD_SAVE_OPTIONS_INIT;
  expect_error(td_tensor_memmap_zeros(file, TD_SHAPE(1), TD_DTYPE_FLOAT32, NULL, &none, &err), TD_ERR_EXISTS, NULL,
               "x");
  options.overwrite = 1;
  expect_error(td_tensor_memmap_zeros(TD_STR(test_dir), TD_SHAPE(1), TD_DTYPE_FLOAT32, &options, &none, &err),
               TD_ERR_EXISTS, NULL, "not a file");
  expect_error(td_tensor_memmap_zeros(file, TD_SHAPE(-1), TD_DTYPE_FLOAT32, &options, &none, &err), TD_ERR_SHAPE, NULL,
               "negative");
  expect_error(td_tensor_memmap_zeros(other, TD_SHAPE(INT64_MAX, 9), TD_DTYPE_FLOAT32, NULL, &none, &err), TD_ERR_SHAPE,
               NULL, "64 bits");
  expect_error(td_tensor_memmap_zeros(other, TD_SHAPE(INT64_MAX / 8), TD_DTYPE_FLOAT32, NULL, &none, &err),
               TD_ERR_NOSPACE, NULL, "");
  expect_error(td_tensor_memmap_zeros(other, TD_SHAPE(1), 999, NULL, &none, &err), TD_ERR_DTYPE, NULL, "");
  expect_error(
      td_tensor_memmap_full(other, TD_SHAPE(1), TD_VALUE(td_value_double(300)), TD_DTYPE_INT8, NULL, &none, &err),
      TD_ERR_TORCH, NULL, "");
  expect_error(
      td_tensor_memmap_zeros(TD_STR(path_of("%s/no/y", test_dir)), TD_SHAPE(1), TD_DTYPE_FLOAT32, NULL, &none, &err),
      TD_ERR_NOT_FOUND, NULL, "");
  options.format = TD_FORMAT_ARCHIVE;
  expect_error(td_tensor_memmap_zeros(other, TD_SHAPE(1), TD_DTYPE_FLOAT32, &options, &none, &err), TD_ERR_UNSUPPORTED,
               NULL, "archive");
  td_tensor *meta = NULL;
  must(td_tensor_empty(TD_SHAPE(2), TD_DTYPE_FLOAT32, TD_STR("meta"), &meta, &err));
  expect_error(td_tensor_memmap_from(meta, other, NULL, &none, &err), TD_ERR_UNSUPPORTED, NULL, "bytes");
  expect_error(td_tensor_memmap_from(meta, other, NULL, NULL, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  const tree_size after = size_of_tree(test_dir);
  cr_expect(before.entries == after.entries && before.bytes == after.bytes, "something was made");
  cr_expect_eq(at(t, 0), 0);
  td_tensor_release(t), td_tensor_release(meta);
}

static int open_to_write(void *path) {
  td_tensor *t = NULL;
  td_status status =
      td_tensor_memmap_open(TD_STR(path), TD_SHAPE(2, 3), TD_DTYPE_FLOAT32, TD_OPEN_READ_WRITE, &t, NULL);
  td_tensor_release(t);
  return (int)status;
}

Test(tensor_memmap, who_may_not_write_a_file_cannot_open_it_so) {
  if (!can_be_others("tensor_memmap")) return;
  const char *path = path_of("%s/x", test_dir);
  td_tensor_release(zeros(path));
  cr_assert_eq(chmod(test_dir, 0755), 0);
  cr_assert_eq(chmod(path, 0644), 0);
  cr_expect_eq(as_user(STRANGER, STRANGER, open_to_write, (void *)path), TD_ERR_IO);
}

static td_status give_up(void *userdata, int64_t done, int64_t total, td_error **err) {
  (void)done, (void)total, (void)err;
  ++*(int *)userdata;
  return TD_ERR_CALLBACK;
}

Test(tensor_memmap, giving_up_leaves_nothing) {
  int told = 0;
  const td_progress progress = {sizeof progress, give_up, &told, NULL};
  td_save_options options = TD_SAVE_OPTIONS_INIT;
  options.progress = &progress;
  td_tensor *none = NULL;
  const char *path = path_of("%s/x", test_dir);
  expect_error(td_tensor_memmap_zeros(TD_STR(path), TD_SHAPE(9), TD_DTYPE_FLOAT32, &options, &none, &err),
               TD_ERR_CALLBACK, NULL, "");
  expect_error(td_tensor_memmap_full(TD_STR(path), TD_SHAPE(9), TD_VALUE(td_value_double(1)), TD_DTYPE_FLOAT32,
                                     &options, &none, &err),
               TD_ERR_CALLBACK, NULL, "");
  cr_expect_eq(told, 2);
  cr_expect_eq(size_of_tree(test_dir).entries, 1);
}
