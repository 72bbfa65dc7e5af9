/* Dicts that live in a directory: what is written is in the files, and what is added is added there. */
#include "support/files.h"
#include "support/small_dicts.h"

TestSuite(storage_live, .init = make_test_dir, .fini = remove_test_dir);

static td_dict *open_as(const char *path, td_open_mode mode) {
  td_open_options options = TD_OPEN_OPTIONS_INIT;
  options.mode = mode;
  td_dict *d = NULL;
  must(td_open(TD_STR(path), &options, &d, &err));
  return d;
}

static const char *saved(float value, const char *name) {
  const char *path = path_of("%s/%s", test_dir, name);
  td_dict *d = small_dict(value);
  must(td_save(d, TD_STR(path), NULL, &err));
  td_dict_release(d);
  return path;
}

static void fill(td_dict *d, const td_key *key, double value) {
  td_tensor *t = tensor_at(d, key), *full = NULL;
  int64_t dims[8];
  size_t n = td_tensor_shape(t, dims, 8);
  must(td_tensor_full(dims, n, TD_VALUE(td_value_double(value)), td_tensor_dtype(t), TD_NO_STR, &full, &err));
  must(td_dict_copy_into(d, key, full, &err));
  td_tensor_release(full), td_tensor_release(t);
}

static float first_float(const char *path) {
  size_t n = 0;
  char *bytes = file_bytes(path, &n);
  float f = 0;
  if (bytes && n >= sizeof f) memcpy(&f, bytes, sizeof f);
  free(bytes);
  return f;
}

Test(storage_live, writes_are_in_the_files_and_in_every_mapping) {
  const char *path = saved(1, "live");
  td_dict *one = open_as(path, TD_OPEN_READ_WRITE), *two = open_as(path, TD_OPEN_READ_WRITE),
          *reader = open_as(path, TD_OPEN_READ);
  fill(one, TD_KEY("a"), 5);
  cr_expect_eq(float_at(two, TD_KEY("a")), 5);
  cr_expect_eq(float_at(reader, TD_KEY("a")), 5);
  cr_expect_eq(first_float(path_of("%s/a.memmap", path)), 5);
  cr_expect(td_dict_is_memmap(one));
  cr_expect_not(td_dict_is_memmap(NULL));
  td_string *where = NULL;
  td_dict *n = NULL;
  must(td_dict_saved_path(one, &where, &err));
  cr_expect_str_eq(td_string_view(where).data, path);
  td_string_release(where);
  must(td_dict_get_dict(one, TD_KEY("n"), &n, &err));
  must(td_dict_saved_path(n, &where, &err));
  cr_expect_str_eq(td_string_view(where).data, path_of("%s/n", path));
  td_string_release(where), td_dict_release(n);
  td_dict_release(one), td_dict_release(two), td_dict_release(reader);
  cr_expect_eq(td_live_objects(TD_OBJECT_MAPPING), 0);
}

Test(storage_live, files_that_may_not_be_written_cannot_be_opened_so) {
  if (geteuid() == 0) cr_skip_test("root may write everything");
  const char *path = saved(1, "live");
  cr_assert_eq(chmod(path_of("%s/a.memmap", path), 0444), 0);
  td_open_options options = TD_OPEN_OPTIONS_INIT;
  options.mode = TD_OPEN_READ_WRITE;
  td_dict *d = NULL;
  expect_error(td_open(TD_STR(path), &options, &d, &err), TD_ERR_IO, NULL, "a.memmap");
}

Test(storage_live, a_directory_like_a_dict_holds_zeros) {
  td_dict *d = small_dict(3), *like = NULL;
  must(td_dict_set_data(d, TD_KEY("s"), TD_DATA(td_data_str(TD_STR("kept"))), &err));
  const char *path = path_of("%s/like", test_dir);
  must(td_dict_memmap_like(d, TD_STR(path), NULL, &like, &err));
  cr_expect_eq(float_at(like, TD_KEY("a")), 0);
  size_t size = 0;
  char *bytes = file_bytes(path_of("%s/a.memmap", path), &size);
  cr_expect_eq(size, 24);
  free(bytes);
  fill(like, TD_KEY("a"), 2);
  td_dict *again = open_as(path, TD_OPEN_READ);
  cr_expect_eq(float_at(again, TD_KEY("a")), 2);
  td_entry_kind kind = TD_ENTRY_NONE;
  must(td_dict_entry_kind(again, TD_KEY("s"), &kind, &err));
  cr_expect_eq(kind, TD_ENTRY_DATA);
  td_dict *none = NULL;
  expect_error(td_dict_memmap_like(d, TD_STR(path), NULL, &none, &err), TD_ERR_EXISTS, NULL, path);
  cr_expect_null(none);
  td_dict_release(again), td_dict_release(like), td_dict_release(d);
}

Test(storage_live, new_entries_are_made_in_the_directory) {
  const char *path = saved(1, "live");
  td_dict *d = open_as(path, TD_OPEN_READ_WRITE), *other = open_as(path, TD_OPEN_READ_WRITE);
  td_tensor *made = NULL, *value = NULL;
  must(td_dict_make_memmap(d, TD_KEY("x/y"), TD_SHAPE(2, 4), TD_DTYPE_INT32, &made, &err));
  cr_expect_eq(td_tensor_nbytes(made), 32);
  td_tensor_release(made);
  must(td_tensor_full(TD_SHAPE(2), TD_VALUE(td_value_double(7)), TD_DTYPE_FLOAT32, TD_NO_STR, &value, &err));
  must(td_dict_make_memmap_from(d, TD_KEY("new", "deep", "v"), value, NULL, &err));
  must(td_dict_make_memmap_from(d, TD_KEY("n", "c"), value, NULL, &err));
  must(td_dict_make_memmap(d, TD_KEY("none"), TD_SHAPE(2, 0), TD_DTYPE_FLOAT64, NULL, &err));
  size_t size = 0;
  char *meta = file_bytes(path_of("%s/meta.json", path), &size);
  const char *tail =
      "\"shape\":[2],\"device\":\"cpu\",\"_type\":\"<class 'tensordict._td.TensorDict'>\","
      "\"_format_version\":1,\"_class\":\"tensordict:TensorDict\","
      "\"x/y\":{\"device\":\"cpu\",\"shape\":[2,4],\"dtype\":\"torch.int32\",\"is_nested\":false},"
      "\"new\":{\"type\":\"TensorDict\"},"
      "\"none\":{\"device\":\"cpu\",\"shape\":[2,0],\"dtype\":\"torch.float64\",\"is_nested\":false}}";
  cr_expect(strstr(meta, tail), "%s", meta);
  free(meta);
  cr_expect(there(path_of("%s/x%%2Fy.memmap", path)));

  td_entry_kind kind = TD_ENTRY_DICT;
  must(td_dict_entry_kind(other, TD_KEY("new"), &kind, &err));
  cr_expect_eq(kind, TD_ENTRY_NONE);
  must(td_dict_memmap_refresh_(other, &err));
  cr_expect_eq(float_at(other, TD_KEY("new", "deep", "v")), 7);
  cr_expect_eq(float_at(other, TD_KEY("n", "c")), 7);
  fill(other, TD_KEY("new", "deep", "v"), 8);
  cr_expect_eq(float_at(d, TD_KEY("new", "deep", "v")), 8);
  must(td_dict_make_memmap_from(other, TD_KEY("new", "w"), value, NULL, &err));
  expect_error(td_dict_make_memmap_from(d, TD_KEY("new", "w"), value, NULL, &err), TD_ERR_EXISTS, NULL,
               "another process");
  td_tensor_release(value), td_dict_release(other), td_dict_release(d);
  cr_expect_eq(td_live_objects(TD_OBJECT_MAPPING), 0);
}

Test(storage_live, what_cannot_be_made_is_refused_and_changes_nothing) {
  const char *path = saved(1, "live");
  td_dict *d = open_as(path, TD_OPEN_READ_WRITE);
  tree_size before = size_of_tree(path);
  char too_long[260];
  memset(too_long, 'x', sizeof too_long);
  too_long[255] = 0;
  expect_error(td_dict_make_memmap(d, TD_KEY("a"), TD_SHAPE(2), TD_DTYPE_FLOAT32, NULL, &err), TD_ERR_EXISTS, NULL,
               "\"a\"");
  expect_error(td_dict_make_memmap(d, TD_KEY("n"), TD_SHAPE(2), TD_DTYPE_FLOAT32, NULL, &err), TD_ERR_EXISTS, NULL,
               "\"n\"");
  expect_error(td_dict_make_memmap(d, TD_KEY("a", "b"), TD_SHAPE(2), TD_DTYPE_FLOAT32, NULL, &err), TD_ERR_KEY, NULL,
               "not a dict");
  expect_error(td_dict_make_memmap(d, TD_KEY("x"), TD_SHAPE(3), TD_DTYPE_FLOAT32, NULL, &err), TD_ERR_SHAPE, NULL,
               "batch");
  expect_error(td_dict_make_memmap(d, TD_KEY("n", "x"), TD_NO_DIMS, TD_DTYPE_FLOAT32, NULL, &err), TD_ERR_SHAPE, NULL,
               "batch");
  expect_error(td_dict_make_memmap(d, TD_KEY("x"), TD_SHAPE(2, -1), TD_DTYPE_FLOAT32, NULL, &err), TD_ERR_SHAPE, NULL,
               "");
  expect_error(td_dict_make_memmap(d, TD_KEY("x"), TD_SHAPE(2, INT64_MAX), TD_DTYPE_FLOAT32, NULL, &err), TD_ERR_SHAPE,
               NULL, "");
  expect_error(td_dict_make_memmap(d, TD_KEY("x"), TD_SHAPE(2), 99, NULL, &err), TD_ERR_DTYPE, NULL, "99");
  expect_error(td_dict_make_memmap(d, TD_KEY("shape"), TD_SHAPE(2), TD_DTYPE_FLOAT32, NULL, &err), TD_ERR_KEY, NULL,
               "shape");
  expect_error(td_dict_make_memmap(d, TD_KEY(too_long), TD_SHAPE(2), TD_DTYPE_FLOAT32, NULL, &err), TD_ERR_KEY, NULL,
               "255");
  expect_error(td_dict_make_memmap(d, TD_KEY("a.memmap", "b"), TD_SHAPE(2), TD_DTYPE_FLOAT32, NULL, &err), TD_ERR_KEY,
               NULL, "a.memmap");
  expect_error(td_dict_make_memmap_from(d, TD_KEY("x"), NULL, NULL, &err), TD_ERR_ARGUMENT, NULL, "tensor");
  tree_size after = size_of_tree(path);
  cr_expect(before.entries == after.entries && before.bytes == after.bytes, "something was written");
  td_dict_release(d);
}

Test(storage_live, only_a_dict_that_is_open_for_writing_takes_new_entries) {
  const char *path = saved(1, "live");
  td_dict *reader = open_as(path, TD_OPEN_READ), *plain = small_dict(1);
  tree_size before = size_of_tree(path);
  expect_error(td_dict_make_memmap(reader, TD_KEY("x"), TD_SHAPE(2), TD_DTYPE_BOOL, NULL, &err), TD_ERR_UNSUPPORTED,
               NULL, "READ_WRITE");
  expect_error(td_dict_make_memmap(plain, TD_KEY("x"), TD_SHAPE(2), TD_DTYPE_BOOL, NULL, &err), TD_ERR_UNSUPPORTED,
               NULL, "READ_WRITE");
  expect_error(td_dict_make_memmap(NULL, TD_KEY("x"), TD_SHAPE(2), TD_DTYPE_BOOL, NULL, &err), TD_ERR_ARGUMENT, NULL,
               "dict");
  tree_size after = size_of_tree(path);
  cr_expect(before.entries == after.entries && before.bytes == after.bytes, "something was written");
  td_dict_release(reader), td_dict_release(plain);
}

Test(storage_live, only_an_unlocked_dict_of_a_directory_is_refreshed) {
  td_dict *reader = open_as(saved(1, "live"), TD_OPEN_READ), *plain = small_dict(1);
  expect_error(td_dict_memmap_refresh_(plain, &err), TD_ERR_UNSUPPORTED, NULL, "directory");
  expect_error(td_dict_memmap_refresh_(NULL, &err), TD_ERR_ARGUMENT, NULL, "dict");
  must(td_dict_lock_(reader, &err));
  expect_error(td_dict_memmap_refresh_(reader, &err), TD_ERR_LOCKED, NULL, "locked");
  td_dict_release(reader), td_dict_release(plain);
}

Test(storage_live, only_a_directory_is_made_like_a_dict) {
  const char *path = saved(1, "live");
  td_dict *plain = small_dict(1), *none = NULL;
  tree_size before = size_of_tree(path);
  expect_error(td_dict_memmap_like(plain, TD_STR(path), NULL, NULL, &err), TD_ERR_ARGUMENT, NULL, "output");
  td_save_options options = TD_SAVE_OPTIONS_INIT;
  options.format = TD_FORMAT_CONSOLIDATED;
  expect_error(td_dict_memmap_like(plain, TD_STR(path_of("%s/z", test_dir)), &options, &none, &err), TD_ERR_UNSUPPORTED,
               NULL, "consolidated");
  cr_expect_not(there(path_of("%s/z", test_dir)));
  tree_size after = size_of_tree(path);
  cr_expect(before.entries == after.entries && before.bytes == after.bytes, "something was written");
  td_dict_release(plain);
}

static td_tensor *two_fours(void) {
  td_tensor *value = NULL;
  must(td_tensor_full(TD_SHAPE(2), TD_VALUE(td_value_double(4)), TD_DTYPE_FLOAT32, TD_NO_STR, &value, &err));
  return value;
}

Test(storage_live, what_is_set_would_not_be_in_the_directory_and_is_refused) {
  const char *path = saved(1, "live");
  td_dict *d = open_as(path, TD_OPEN_READ_WRITE), *reader = open_as(path, TD_OPEN_COW), *n = NULL, *like = NULL;
  td_tensor *value = two_fours();
  cr_expect(td_dict_is_locked(d) && !td_dict_is_locked(reader));
  must(td_dict_memmap_like(d, TD_STR(path_of("%s/like", test_dir)), NULL, &like, &err));
  cr_expect(td_dict_is_locked(like));
  must(td_dict_get_dict(d, TD_KEY("n"), &n, &err));
  expect_error(td_dict_set(d, TD_KEY("new"), value, &err), TD_ERR_LOCKED, NULL, "td_dict_make_memmap");
  expect_error(td_dict_set(n, TD_KEY("b"), value, &err), TD_ERR_LOCKED, NULL, "td_dict_make_memmap");
  expect_error(td_dict_remove(d, TD_KEY("a"), &err), TD_ERR_LOCKED, NULL, "");
  td_tensor_release(value), td_dict_release(n);
  td_dict_release(d), td_dict_release(reader), td_dict_release(like);
}

Test(storage_live, entries_are_made_in_locked_nodes_and_a_refresh_keeps_the_lock) {
  td_dict *d = open_as(saved(1, "live"), TD_OPEN_READ_WRITE), *like = NULL;
  td_tensor *value = two_fours();
  must(td_dict_memmap_like(d, TD_STR(path_of("%s/like", test_dir)), NULL, &like, &err));
  must(td_dict_make_memmap_from(d, TD_KEY("m", "v"), value, NULL, &err));
  expect_error(td_dict_set(d, TD_KEY("m", "w"), value, &err), TD_ERR_LOCKED, NULL, "");
  must(td_dict_make_memmap_from(like, TD_KEY("other", "v"), value, NULL, &err));
  must(td_dict_memmap_refresh_(d, &err));
  cr_expect_eq(float_at(d, TD_KEY("m", "v")), 4);
  expect_error(td_dict_set(d, TD_KEY("m", "w"), value, &err), TD_ERR_LOCKED, NULL, "");
  td_tensor_release(value), td_dict_release(d), td_dict_release(like);
}

Test(storage_live, a_private_directory_stays_one) {
  const char *path = saved(1, "live");
  td_dict *d = open_as(path, TD_OPEN_READ_WRITE);
  td_tensor *value = two_fours();
  umask(022);
  cr_assert_eq(chmod(path_of("%s/meta.json", path), 0600), 0);
  must(td_dict_make_memmap_from(d, TD_KEY("private"), value, NULL, &err));
  struct stat meta, leaf;
  cr_assert(!stat(path_of("%s/meta.json", path), &meta) && !stat(path_of("%s/private.memmap", path), &leaf));
  cr_expect_eq(meta.st_mode & 0777, 0600);
  cr_expect_eq(leaf.st_mode & 0777, 0600);
  td_tensor_release(value), td_dict_release(d);
}

Test(storage_live, whoever_unlocks_it_sets_entries_that_a_refresh_drops) {
  td_dict *d = open_as(saved(1, "live"), TD_OPEN_READ_WRITE);
  td_tensor *value = two_fours();
  must(td_dict_make_memmap_from(d, TD_KEY("m", "v"), value, NULL, &err));
  must(td_dict_unlock_(d, &err));
  must(td_dict_set(d, TD_KEY("new"), value, &err));
  must(td_dict_memmap_refresh_(d, &err));
  td_entry_kind kind = TD_ENTRY_DICT;
  must(td_dict_entry_kind(d, TD_KEY("new"), &kind, &err));
  cr_expect_eq(kind, TD_ENTRY_NONE);
  cr_expect_not(td_dict_is_locked(d));
  must(td_dict_set(d, TD_KEY("m", "w"), value, &err));
  td_tensor_release(value), td_dict_release(d);
}

Test(storage_live, a_refresh_drops_what_is_gone_and_old_tensors_stay_valid) {
  const char *path = saved(1, "live");
  td_dict *d = open_as(path, TD_OPEN_READ), *next = small_dict(2);
  td_tensor *old = tensor_at(d, TD_KEY("a"));
  must(td_dict_remove(next, TD_KEY("n"), &err));
  td_save_options options = TD_SAVE_OPTIONS_INIT;
  options.overwrite = 1;
  must(td_save(next, TD_STR(path), &options, &err));
  must(td_dict_memmap_refresh_(d, &err));
  cr_expect_eq(float_at(d, TD_KEY("a")), 2);
  td_entry_kind kind = TD_ENTRY_DICT;
  must(td_dict_entry_kind(d, TD_KEY("n"), &kind, &err));
  cr_expect_eq(kind, TD_ENTRY_NONE);
  const void *data = NULL;
  must(td_tensor_data(old, &data, &err));
  cr_expect_eq(*(const float *)data, 1);
  write_text(path_of("%s/meta.json", path), "{");
  expect_error(td_dict_memmap_refresh_(d, &err), TD_ERR_CORRUPT, NULL, "meta.json");
  cr_expect_eq(float_at(d, TD_KEY("a")), 2, "a failed refresh changed the dict");
  td_tensor_release(old), td_dict_release(d), td_dict_release(next);
}

/* ---- Long saves --------------------------------------------------------------------------------------------------------- */

typedef struct watch {
  int64_t calls, done, total, give_up_at;
  int destroyed;
} watch;

static td_status see(void *userdata, int64_t done, int64_t total, td_error **error) {
  watch *w = userdata;
  cr_expect(done >= w->done && done <= total, "%lld of %lld", (long long)done, (long long)total);
  ++w->calls, w->done = done, w->total = total;
  if (w->give_up_at == 0 || done < w->give_up_at) return TD_OK;
  *error = td_error_new(TD_ERR_TIMEOUT, TD_STR("enough"));
  return TD_ERR_TIMEOUT;
}

static void seen(void *userdata) {
  ++((watch *)userdata)->destroyed;
}

static td_dict *wide_dict(int leaves, int64_t floats) {
  td_dict *d = new_dict(TD_NO_DIMS);
  for (int i = 0; i < leaves; ++i) {
    td_tensor *t = NULL;
    must(td_tensor_full(&floats, 1, TD_VALUE(td_value_double(i)), TD_DTYPE_FLOAT32, TD_NO_STR, &t, &err));
    must(td_dict_set(d, TD_KEY(path_of("n%d", i % 7), path_of("leaf%d", i)), t, &err));
    td_tensor_release(t);
  }
  return d;
}

Test(storage_live, many_threads_write_what_one_does_and_tell_how_far_they_are) {
  td_dict *d = wide_dict(100, 5000);
  const char *alone = path_of("%s/alone", test_dir);
  must(td_save(d, TD_STR(alone), NULL, &err));
  for (size_t threads = 1; threads <= 8; threads *= 2) {
    watch w = {0, 0, 0, 0, 0};
    td_progress progress = {sizeof progress, see, &w, seen};
    td_save_options options = TD_SAVE_OPTIONS_INIT;
    options.threads = threads;
    options.progress = &progress;
    options.sync = threads == 8;
    const char *path = path_of("%s/with%zu", test_dir, threads);
    must(td_save(d, TD_STR(path), &options, &err));
    expect_same_files(alone, path);
    cr_expect_eq(w.destroyed, 1);
    cr_expect(w.calls > 1 && w.done == w.total && w.total > 100 * 5000 * 4, "%zu threads: %lld calls", threads,
              (long long)w.calls);
  }
  td_dict_release(d);
}

Test(storage_live, a_save_that_is_given_up_leaves_nothing) {
  td_dict *d = wide_dict(20, 100000);
  const char *path = saved(1, "save");
  tree_size before = size_of_tree(test_dir);
  for (size_t threads = 1; threads <= 4; threads += 3) {
    watch w = {0, 0, 0, 1000000, 0};
    td_progress progress = {sizeof progress, see, &w, seen};
    td_save_options options = TD_SAVE_OPTIONS_INIT;
    options.threads = threads;
    options.progress = &progress;
    options.overwrite = 1;
    expect_error(td_save(d, TD_STR(path), &options, &err), TD_ERR_CALLBACK, NULL, "enough");
    cr_expect_eq(w.destroyed, 1);
    w.give_up_at = 0, w.done = 0;
    expect_error(td_save(d, TD_STR(""), &options, &err), TD_ERR_ARGUMENT, NULL, "path");
    cr_expect_eq(w.destroyed, 2, "a call that fails at once destroys too");
  }
  tree_size after = size_of_tree(test_dir);
  cr_expect(before.entries == after.entries && before.bytes == after.bytes, "something was left behind");
  td_dict *still = open_as(path, TD_OPEN_READ);
  cr_expect_eq(float_at(still, TD_KEY("a")), 1);
  td_dict_release(still), td_dict_release(d);
}

Test(storage_live, formats_are_recognised_by_the_first_bytes) {
  static const struct {
    const char *bytes;
    size_t n;
    td_format format;
  } cases[] = {
      {"\x89HDF\r\n\x1a\n....", 12, TD_FORMAT_HDF5},
      {"PK\3\4........", 12, TD_FORMAT_ARCHIVE},
      {"{}\2\0\0\0\0\0\0\0", 10, TD_FORMAT_CONSOLIDATED},
      {"\2\0\0\0\0\0\0\0{}", 10, TD_FORMAT_SAFETENSORS},
      {"PK\3\4\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\12\0\0\0x/data.pkl", 40, TD_FORMAT_TORCH_SAVE},
      {"\x80\2\x8a\nl\xfc\x9c\x46\xf9 j\xa8P\x19.", 15, TD_FORMAT_TORCH_SAVE},
  };
  const char *file = path_of("%s/file", test_dir);
  td_format format = TD_FORMAT_AUTO;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    write_file(file, cases[i].bytes, cases[i].n);
    must(td_format_detect(TD_STR(file), &format, &err));
    cr_expect_eq(format, cases[i].format, "case %zu gave %d", i, format);
  }
  must(td_format_detect(TD_STR(saved(1, "save")), &format, &err));
  cr_expect_eq(format, TD_FORMAT_MEMMAP);
  static const char *const none[] = {"", "text of no format", "PK", "\x89HDF"};
  for (size_t i = 0; i < sizeof none / sizeof *none; ++i) {
    write_text(file, none[i]);
    expect_error(td_format_detect(TD_STR(file), &format, &err), TD_ERR_CORRUPT, NULL, "not known");
  }
  expect_error(td_format_detect(TD_STR(path_of("%s/missing", test_dir)), &format, &err), TD_ERR_NOT_FOUND, NULL,
               "missing");
  expect_error(td_format_detect(TD_STR(file), NULL, &err), TD_ERR_ARGUMENT, NULL, "output");
}

Test(storage_live, an_ending_has_a_format) {
  td_format format = TD_FORMAT_AUTO;
  must(td_format_of_ending(TD_STR("nowhere/run.tdz"), &format, &err));
  cr_expect_eq(format, TD_FORMAT_ARCHIVE);
  must(td_format_of_ending(TD_STR("run.hdf5"), &format, &err));
  cr_expect_eq(format, TD_FORMAT_HDF5);
  must(td_format_of_ending(TD_STR("run.tdz.old"), &format, &err));
  cr_expect_eq(format, TD_FORMAT_MEMMAP);
  expect_error(td_format_of_ending(TD_STR("x.td"), NULL, &err), TD_ERR_ARGUMENT, NULL, "output");
}

Test(storage_live, formats_have_names) {
  cr_expect_str_eq(td_format_name(TD_FORMAT_MEMMAP).data, "memmap directory");
  cr_expect_str_eq(td_format_name(TD_FORMAT_AUTO).data, "?");
  cr_expect_str_eq(td_format_name(99).data, "?");
}

Test(storage_live, a_save_takes_a_known_format_whatever_the_ending) {
  td_dict *d = small_dict(1);
  td_save_options options = TD_SAVE_OPTIONS_INIT;
  options.format = 99;
  expect_error(td_save(d, TD_STR(path_of("%s/x", test_dir)), &options, &err), TD_ERR_ARGUMENT, NULL, "format 99");
  options.format = TD_FORMAT_MEMMAP;
  must(td_save(d, TD_STR(path_of("%s/x.tdz", test_dir)), &options, &err));
  options.compression = 9;
  expect_error(td_save(d, TD_STR(path_of("%s/y", test_dir)), &options, &err), TD_ERR_ARGUMENT, NULL, "compression 9");
  td_dict_release(d);
}

Test(storage_live, views_and_stacks_of_mapped_dicts_are_mapped) {
  td_dict *d = small_dict(1), *stack = NULL, *opened = NULL, *view = NULL, *node = NULL, *copy = NULL;
  must(td_dict_lazy_stack((td_dict *const[]){d, d}, 2, 0, &stack, &err));
  const char *path = path_of("%s/stack", test_dir);
  must(td_save(stack, TD_STR(path), NULL, &err));
  opened = open_as(path, TD_OPEN_READ);
  cr_expect(td_dict_is_memmap(opened));
  cr_expect_not(td_dict_is_memmap(stack));
  td_dict_release(opened);
  opened = open_as(saved(1, "live"), TD_OPEN_READ);
  must(td_dict_index(opened, &(td_index)TD_SLICE(0, 1), 1, &view, &err));
  must(td_dict_get_dict(view, TD_KEY("n"), &node, &err));
  cr_expect(td_dict_is_memmap(view) && td_dict_is_memmap(node));
  td_dict_release(view), td_dict_release(node);
  td_tensor *rows = NULL;
  must(td_tensor_copy_from((const int64_t[]){0}, TD_DTYPE_INT64, TD_SHAPE(1), &rows, &err));
  must(td_dict_index(opened, &(td_index)TD_TENSOR(rows), 1, &copy, &err));
  cr_expect_not(td_dict_is_memmap(copy)); /* is in memory */
  td_tensor_release(rows), td_dict_release(copy);
  td_dict_release(opened), td_dict_release(stack), td_dict_release(d);
}
