/* Memmap directories: what Python wrote opens and is written again to the same bytes. */
#include <sys/file.h>

#include "support/open.h"
#include "support/saves.h"

TestSuite(storage, .init = make_test_dir, .fini = remove_test_dir);

static const char *fixture(const char *name) {
  return path_of("%s/fixtures/memmap/%s", TD_TEST_DATA, name);
}

static td_dict *open_dict(const char *path, td_open_mode mode) {
  td_open_options options = TD_OPEN_OPTIONS_INIT;
  options.mode = mode;
  td_dict *d = NULL;
  must(td_open(TD_STR(path), &options, &d, &err));
  return d;
}

static void save(const td_dict *d, const char *path) {
  must(td_save(d, TD_STR(path), NULL, &err));
}

static td_status overwrite(const td_dict *d, const char *path, td_error **err) {
  td_save_options options = TD_SAVE_OPTIONS_INIT;
  options.overwrite = 1;
  options.sync = 1;
  return td_save(d, TD_STR(path), &options, err);
}

Test(storage, what_python_wrote_is_written_again_as_python_writes_it_now) {
  static const char *const cases[] = {"basic",  "zero_dim",          "empty_tensors",       "empty_batch",  "empty_td",
                                      "dtypes", "special_keys_leaf", "special_keys_nested", "unicode_keys", "names",
                                      "lazy",   "lazy_hetero",       "lazy_of_lazy"};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    td_dict *d = open_dict(fixture(cases[i]), i % 2 ? TD_OPEN_COW : TD_OPEN_READ);
    const char *copy = path_of("%s/%s", test_dir, cases[i]);
    save(d, copy);
    td_dict_release(d);
    expect_same_save(fixture(cases[i]), copy);
    cr_expect_eq(size_of_tree(copy).entries, size_of_tree(fixture(cases[i])).entries, "%s has other files", cases[i]);
  }
}

Test(storage, values_and_metadata_are_those_that_python_saved) {
  td_dict *d = open_dict(fixture("basic"), TD_OPEN_READ);
  int64_t dims[4];
  cr_expect_eq(td_dict_batch_size(d, dims, 4), 1);
  cr_expect_eq(dims[0], 2);
  cr_expect_str_eq(td_dict_device(d).data, "cpu");
  cr_expect_not(td_dict_is_locked(d));

  td_tensor *a = tensor_at(d, TD_KEY("a")), *e = tensor_at(d, TD_KEY("b", "d", "e"));
  cr_expect_eq(td_tensor_dtype(a), TD_DTYPE_FLOAT32);
  cr_expect_eq(td_tensor_dtype(e), TD_DTYPE_BOOL);
  cr_expect_eq(td_tensor_shape(a, dims, 4), 2);
  cr_expect_eq(dims[1], 3);
  size_t n = 0;
  char *bytes = file_bytes(path_of("%s/a.memmap", fixture("basic")), &n);
  const void *data = NULL;
  must(td_tensor_data(a, &data, &err));
  cr_expect_eq(n, (size_t)td_tensor_nbytes(a));
  cr_expect_eq(memcmp(data, bytes, n), 0);
  free(bytes);
  td_tensor_release(a), td_tensor_release(e);

  td_string *text = NULL;
  must(td_dict_repr(d, 0, &text, &err));
  cr_expect(strstr(td_string_view(text).data, "MemoryMappedTensor"), "%s", td_string_view(text).data);
  td_string_release(text);
  td_dict_release(d);
}

Test(storage, parameters_open_as_plain_dicts) {
  td_dict *d = open_dict(fixture("params"), TD_OPEN_READ);
  td_tensor_release(tensor_at(d, TD_KEY("p", "sub", "b")));
  td_dict_release(d);
}

Test(storage, names_of_older_saves_are_found) {
  td_dict *d = open_dict(fixture("legacy_robust_false"), TD_OPEN_READ);
  td_tensor_release(tensor_at(d, TD_KEY("a b")));
  td_tensor_release(tensor_at(d, TD_KEY("a%b")));
  td_tensor_release(tensor_at(d, TD_KEY("c d", "z")));
  td_dict_release(d);
}

#define PLAIN "\"_type\": \"<class 'tensordict._td.TensorDict'>\""

Test(storage, metadata_of_other_writers_is_understood) {
  static const struct {
    const char *name, *meta;
  } cases[] = {
      {"stdlib",
       "{\"\\u0436\": {\"device\": \"cpu\", \"shape\": [2], \"dtype\": \"torch.float32\", \"is_nested\": false}, "
       "\"note\": NaN, \"more\": [1, -Infinity, \"NaN\"], \"shape\": [], \"device\": \"None\", " PLAIN "}\n"},
      {"newer", "{\"\xD0\xB6\":{\"shape\":[2],\"dtype\":\"torch.float32\"},\"shape\":[2],\"device\":\"cuda:0\"," PLAIN
                ",\"_format_version\":1,\"_class\":\"tensordict:TensorDict\",\"_names\":[null]}"},
      {"no_batch_size", "{" PLAIN ",\"\xD0\xB6\":{\"shape\":[2],\"dtype\":\"torch.float32\"}}"},
      {"long_file", "{" PLAIN ",\"\xD0\xB6\":{\"shape\":[1],\"dtype\":\"torch.float32\"}}"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    const char *path = path_of("%s/%s", test_dir, cases[i].name);
    make_dir(path);
    write_text(path_of("%s/meta.json", path), cases[i].meta);
    write_file(path_of("%s/\xD0\xB6.memmap", path), (float[]){1.5f, 2}, 8);
    td_dict *d = open_dict(path, TD_OPEN_READ);
    cr_expect_eq(float_at(d, TD_KEY("\xD0\xB6")), 1.5f, "%s", cases[i].name);
    td_dict_release(d);
  }
}

static size_t put_unit(uint32_t value, size_t unit, bool big, unsigned char *out) {
  for (size_t k = 0; k < unit; ++k) out[k] = (unsigned char)(value >> 8 * (big ? unit - 1 - k : k));
  return unit;
}

/* In UTF-16 or UTF-32, with @ for U+0436 and # for U+1F600; returns the size. */
static size_t encoded(const char *text, size_t unit, bool big, bool mark, unsigned char *out) {
  size_t n = mark ? put_unit(0xFEFF, unit, big, out) : 0;
  for (; *text; ++text) {
    const uint32_t c = *text == '@' ? 0x436 : *text == '#' ? 0x1F600 : (unsigned char)*text;
    if (c > 0xFFFF && unit == 2) {
      n += put_unit(0xD83D, unit, big, out + n);
      n += put_unit(0xDE00, unit, big, out + n);
    } else {
      n += put_unit(c, unit, big, out + n);
    }
  }
  return n;
}

/* As Python's json.loads takes them. */
Test(storage, metadata_may_be_of_any_encoding_that_json_has) {
#define META(key, note, more) \
  "{\"" key "\":{\"shape\":[2],\"dtype\":\"torch.float32\"},\"note\":\"" note "\",\"shape\":[2]," PLAIN more "}"
#define MORE ",\"more\":{\"device\":\"cpu\",\"shape\":[2],\"dtype\":\"torch.float32\",\"is_nested\":false}"
  const char *path = path_of("%s/save", test_dir), *file = path_of("%s/meta.json", path);
  static unsigned char bytes[4096];
  make_dir(path);
  write_file(path_of("%s/\xD0\xB6.memmap", path), (float[]){1.5f, 2}, 8);
  for (int i = 0; i < 9; ++i) {
    size_t n = (size_t)snprintf((char *)bytes, sizeof bytes, "\xEF\xBB\xBF" META("\xD0\xB6", "\xF0\x9F\x98\x80", ""));
    if (i < 8) n = encoded(META("@", "#", ""), i & 1 ? 2 : 4, i & 2, i & 4, bytes);
    write_file(file, bytes, n);
    td_dict *d = open_dict(path, TD_OPEN_READ_WRITE);
    cr_expect_eq(float_at(d, TD_KEY("\xD0\xB6")), 1.5f, "case %d", i);
    /* what adds an entry writes UTF-8 */
    size_t size;
    must(td_dict_make_memmap(d, TD_KEY("more"), TD_SHAPE(2), TD_DTYPE_FLOAT32, NULL, &err));
    char *text = file_bytes(file, &size);
    cr_expect_str_eq(text, META("\xD0\xB6", "\xF0\x9F\x98\x80", MORE), "case %d", i);
    td_dict_release(d), free(text);
    d = open_dict(path, TD_OPEN_READ);
    cr_expect_eq(float_at(d, TD_KEY("more")), 0, "case %d", i);
    td_dict_release(d);
    unlink(path_of("%s/more.memmap", path));
  }
  static const struct {
    const char *name, *bytes;
    size_t size;
  } cases[] = {
      {"two marks", "\xEF\xBB\xBF\xEF\xBB\xBF{}", 8}, {"a mark alone", "\xEF\xBB\xBF", 3},
      {"a mark alone, UTF-16", "\xFF\xFE", 2},        {"cut inside a unit", "{\0}\0\n", 5},
      {"cut inside a pair", "\"\0\x3D\xD8", 4},       {"half a pair", "\"\0\x3D\xD8\"\0", 6},
      {"the other half", "\"\0\x3D\xDE\"\0", 6},      {"beyond Unicode", "\"\0\0\0\0\0\x11\0\"\0\0\0", 12},
      {"UTF-16 and then UTF-8", "\xFF\xFE{}", 4},     {"zeros", "\0\0\0\0", 4},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    write_file(file, cases[i].bytes, cases[i].size);
    expect_refused(path, cases[i].name, TD_FORMAT_MEMMAP, TD_ERR_CORRUPT, "JSON");
  }
}

Test(storage, memory_opened_for_reading_refuses_writes) {
  td_dict *d = open_dict(fixture("basic"), TD_OPEN_READ);
  td_tensor *a = tensor_at(d, TD_KEY("a"));
  td_tensor *zeros = NULL;
  must(td_tensor_zeros(TD_SHAPE(2, 3), TD_DTYPE_FLOAT32, TD_NO_STR, &zeros, &err));
  cr_expect(td_tensor_is_read_only(a));
  expect_error(td_tensor_copy_(a, zeros, &err), TD_ERR_LOCKED, NULL, "read-only");
  expect_error(td_dict_copy_into(d, TD_KEY("a"), zeros, &err), TD_ERR_LOCKED, NULL, "read-only");
  void *data;
  expect_error(td_tensor_mutable_data(a, &data, &err), TD_ERR_LOCKED, NULL, "read-only");
  td_tensor_release(zeros), td_tensor_release(a), td_dict_release(d);
}

Test(storage, copy_on_write_never_reaches_the_file) {
  td_dict *one = small_dict(1);
  const char *path = path_of("%s/cow", test_dir);
  save(one, path);
  td_dict *cow = open_dict(path, TD_OPEN_COW), *other = open_dict(path, TD_OPEN_READ);
  td_tensor *five = NULL;
  must(td_tensor_full(TD_SHAPE(2, 3), TD_VALUE(td_value_double(5)), TD_DTYPE_FLOAT32, TD_NO_STR, &five, &err));
  must(td_dict_copy_into(cow, TD_KEY("a"), five, &err));
  cr_expect_eq(float_at(cow, TD_KEY("a")), 5);
  cr_expect_eq(float_at(other, TD_KEY("a")), 1);
  td_dict_release(other);
  other = open_dict(path, TD_OPEN_READ);
  cr_expect_eq(float_at(other, TD_KEY("a")), 1);
  td_tensor_release(five), td_dict_release(cow), td_dict_release(other), td_dict_release(one);
}

Test(storage, views_keep_the_file_mapped_and_the_last_one_unmaps_it) {
  int64_t before = td_live_objects(TD_OBJECT_MAPPING), bytes = td_live_bytes();
  td_dict *d = open_dict(fixture("basic"), TD_OPEN_READ);
  cr_expect_eq(td_live_objects(TD_OBJECT_MAPPING), before + 3);
  td_tensor *a = tensor_at(d, TD_KEY("a"));
  td_dict_release(d);
  cr_expect_eq(td_live_objects(TD_OBJECT_MAPPING), before + 1);
  cr_expect_eq(td_live_bytes(), bytes + td_tensor_nbytes(a));
  td_tensor_release(a);
  cr_expect_eq(td_live_objects(TD_OBJECT_MAPPING), before);
  cr_expect_eq(td_live_bytes(), bytes);
}

/* Calls an operator of one tensor. */
static td_tensor *apply(const char *name, td_tensor *x, const int64_t *more, size_t n) {
  td_op *op = NULL;
  must(td_op_find(TD_STR(name), TD_NO_STR, &op, &err));
  td_value args[3] = {td_value_tensor(x), td_value_none(), td_value_none()}, out = td_value_none();
  for (size_t i = 0; i < n; ++i) args[i + 1] = td_value_int(more[i]);
  must(td_op_call(op, args, 1 + n, NULL, 0, &out, 1, &err));
  td_op_release(op);
  td_tensor_release(x);
  return out.as.tensor;
}

Test(storage, any_dense_layout_is_saved_as_row_major_values) {
  td_tensor *x = NULL, *z = NULL;
  float xs[6] = {1, 2, 3, 4, 5, 6}, zs[4] = {1, 2, 3, 4};
  must(td_tensor_copy_from(xs, TD_DTYPE_FLOAT32, TD_SHAPE(2, 3), &x, &err));
  must(td_tensor_copy_from(zs, TD_DTYPE_COMPLEX64, TD_SHAPE(2), &z, &err));
  must(td_tensor_requires_grad_(x, 1, &err));
  x = apply("transpose", x, (int64_t[]){0, 1}, 2);
  z = apply("conj", z, NULL, 0);
  td_dict *d = new_dict(TD_NO_DIMS);
  must(td_dict_set(d, TD_KEY("x"), x, &err));
  must(td_dict_set(d, TD_KEY("z"), z, &err));
  const char *path = path_of("%s/dense", test_dir);
  save(d, path);
  size_t n = 0;
  float *bytes = (float *)file_bytes(path_of("%s/x.memmap", path), &n);
  cr_expect(n == 24 && memcmp(bytes, (float[]){1, 4, 2, 5, 3, 6}, 24) == 0);
  free(bytes);
  bytes = (float *)file_bytes(path_of("%s/z.memmap", path), &n);
  cr_expect(n == 16 && memcmp(bytes, (float[]){1, -2, 3, -4}, 16) == 0);
  free(bytes);
  td_tensor_release(x), td_tensor_release(z), td_dict_release(d);
}

Test(storage, what_the_format_cannot_hold_is_refused_before_anything_is_written) {
  char too_long[260];
  memset(too_long, 'x', sizeof too_long);
  too_long[255 - 7 + 1] = 0;
  const char *keys[] = {"shape", "device", "_type", "_format_version", "_class", "_names", too_long};
  const char *path = path_of("%s/refused", test_dir);
  float f = 0;
  for (size_t i = 0; i < sizeof keys / sizeof *keys; ++i) {
    td_dict *d = small_dict(1);
    put(d, TD_KEY("n", keys[i]), TD_DTYPE_FLOAT32, (float[]){f, f}, TD_SHAPE(2));
    expect_error(td_save(d, TD_STR(path), NULL, &err), TD_ERR_KEY, NULL, keys[i]);
    td_dict_release(d);
  }
  td_dict *collision = small_dict(1), *sparse = small_dict(1);
  put(collision, TD_KEY("a.memmap", "b"), TD_DTYPE_FLOAT32, (float[]){f, f}, TD_SHAPE(2));
  expect_error(td_save(collision, TD_STR(path), NULL, &err), TD_ERR_KEY, NULL, "a.memmap");
  put(collision, TD_KEY("meta.json", "b"), TD_DTYPE_FLOAT32, (float[]){f, f}, TD_SHAPE(2));
  must(td_dict_remove(collision, TD_KEY("a.memmap"), &err));
  expect_error(td_save(collision, TD_STR(path), NULL, &err), TD_ERR_KEY, NULL, "meta.json");

  td_tensor *t = apply("to_sparse", tensor_at(sparse, TD_KEY("a")), NULL, 0);
  must(td_dict_set(sparse, TD_KEY("s"), t, &err));
  expect_error(td_save(sparse, TD_STR(path), NULL, &err), TD_ERR_UNSUPPORTED, NULL, "sparse");
  td_tensor_release(t), td_dict_release(sparse), td_dict_release(collision);
  cr_expect_eq(size_of_tree(test_dir).entries, 1, "something was left behind");
}

Test(storage, an_earlier_save_is_replaced_as_a_whole) {
  const char *path = path_of("%s/save", test_dir);
  td_dict *one = small_dict(1), *two = small_dict(2);
  put(one, TD_KEY("only", "here"), TD_DTYPE_FLOAT32, (float[]){0, 0}, TD_SHAPE(2));
  save(one, path);
  expect_error(td_save(two, TD_STR(path), NULL, &err), TD_ERR_EXISTS, NULL, path);
  td_dict *still = open_dict(path, TD_OPEN_READ);
  must(overwrite(two, path, &err));
  td_dict *now = open_dict(path, TD_OPEN_READ);
  cr_expect_eq(float_at(now, TD_KEY("a")), 2);
  cr_expect_not(there(path_of("%s/only", path)));
  cr_expect_eq(float_at(still, TD_KEY("a")), 1, "views of the old save must stay valid");
  must(overwrite(now, path, &err));
  must(overwrite(two, path_of("%s/new", test_dir), &err));
  cr_expect_eq(size_of_tree(test_dir).entries, 1 + 2 * 6, "something was left behind");
  td_dict_release(still), td_dict_release(now), td_dict_release(one), td_dict_release(two);
}

static mode_t mode_of(const char *path) {
  struct stat s;
  cr_assert_eq(lstat(path, &s), 0, "no %s", path);
  return s.st_mode & 0777;
}

Test(storage, what_is_overwritten_hands_on_its_mode) {
  static const struct {
    const char *ending, *feature;
  } files[] = {{".td", NULL}, {".tdz", "archive"}, {".h5", "hdf5"}, {".safetensors", NULL}};
  td_dict *d = small_dict(1);
  umask(022);
  for (size_t i = 0; i < sizeof files / sizeof *files; ++i) {
    if (files[i].feature && !td_has_feature(TD_STR(files[i].feature))) continue;
    const char *path = path_of("%s/save%s", test_dir, files[i].ending);
    must(td_save(d, TD_STR(path), NULL, &err));
    cr_expect_eq(mode_of(path), 0644, "%s", path);
    static const mode_t modes[] = {0600, 0664, 0400};
    for (size_t m = 0; m < 3; ++m) {
      cr_assert_eq(chmod(path, modes[m]), 0);
      must(overwrite(d, path, &err));
      cr_expect_eq(mode_of(path), modes[m], "%s: %o, not %o", path, mode_of(path), modes[m]);
    }
  }
  static const struct { mode_t directory, file; } modes[] = {{0700, 0600}, {0775, 0664}, {0700, 0644}, {0750, 0440}};
  const char *path = path_of("%s/save", test_dir);
  must(td_save(d, TD_STR(path), NULL, &err));
  cr_expect(mode_of(path) == 0755 && mode_of(path_of("%s/a.memmap", path)) == 0644);
  for (size_t m = 0; m < 4; ++m) {
    cr_assert_eq(chmod(path, modes[m].directory), 0);
    cr_assert_eq(chmod(path_of("%s/meta.json", path), modes[m].file), 0);
    must(overwrite(d, path, &err));
    static const char *const parts[] = {"", "/n", "/meta.json", "/a.memmap", "/n/meta.json", "/n/b.memmap"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i) {
      const mode_t want = i < 2 ? modes[m].directory : modes[m].file, got = mode_of(path_of("%s%s", path, parts[i]));
      cr_expect_eq(got, want, "%s: %o, not %o", parts[i], got, want);
    }
  }
  td_dict_release(d);
}

Test(storage, only_saves_are_overwritten) {
  td_dict *d = small_dict(1);
  make_dir(path_of("%s/mine", test_dir));
  write_text(path_of("%s/mine/notes.txt", test_dir), "keep");
  write_text(path_of("%s/file", test_dir), "keep");
  cr_assert_eq(symlink("mine", path_of("%s/link", test_dir)), 0);
  expect_error(overwrite(d, path_of("%s/mine", test_dir), &err), TD_ERR_EXISTS, NULL, "not an earlier save");
  expect_error(overwrite(d, path_of("%s/file", test_dir), &err), TD_ERR_EXISTS, NULL, "not an earlier save");
  expect_error(overwrite(d, path_of("%s/link", test_dir), &err), TD_ERR_EXISTS, NULL, "not an earlier save");
  cr_expect_eq(size_of_tree(test_dir).entries, 5);
  td_dict_release(d);
}

Test(storage, an_empty_directory_is_saved_into) {
  td_dict *d = small_dict(1);
  const char *path = path_of("%s/made", test_dir), *taken = path_of("%s/taken", test_dir);
  for (int overwrites = 0; overwrites < 2; ++overwrites) {
    make_dir(path);
    cr_assert_eq(chmod(path, 0700), 0); /* as mkdtemp makes it */
    must(overwrites ? overwrite(d, path, &err) : td_save(d, TD_STR(path), NULL, &err));
    td_dict *again = open_dict(path, TD_OPEN_READ);
    cr_expect_eq(float_at(again, TD_KEY("a")), 1);
    cr_expect_eq(mode_of(path), 0700, "others may look into it now");
    cr_expect_eq(size_of_tree(test_dir).entries, 1 + 6, "something was left behind");
    td_dict_release(again);
    expect_error(td_save(d, TD_STR(path), NULL, &err), TD_ERR_EXISTS, NULL, "something exists at this path");
    remove_tree(path);
  }
  make_dir(taken);
  write_text(path_of("%s/.hidden", taken), "keep");
  expect_error(td_save(d, TD_STR(taken), NULL, &err), TD_ERR_EXISTS, NULL, "something exists at this path");
  expect_error(overwrite(d, taken, &err), TD_ERR_EXISTS, NULL, "not an earlier save");
  cr_expect_eq(size_of_tree(test_dir).entries, 1 + 2);
  make_dir(path);
  cr_assert_eq(symlink("made", path_of("%s/link", test_dir)), 0);
  expect_error(td_save(d, TD_STR(path_of("%s/link", test_dir)), NULL, &err), TD_ERR_EXISTS, NULL,
               "something exists at this path");
  td_dict *like = NULL;
  must(td_dict_memmap_like(d, TD_STR(path), NULL, &like, &err));
  cr_expect_eq(float_at(like, TD_KEY("a")), 0);
  td_dict_release(like), td_dict_release(d);
}

static td_status fill_and_go_on(void *directory, int64_t done, int64_t total, td_error **err) {
  (void)done, (void)total, (void)err;
  write_text(path_of("%s/notes.txt", (const char *)directory), "keep");
  return TD_OK;
}
static td_status give_up(void *directory, int64_t done, int64_t total, td_error **err) {
  (void)directory, (void)done, (void)total, (void)err;
  return TD_ERR_TIMEOUT;
}

Test(storage, an_empty_directory_stays_as_it_is_until_the_save_is_whole) {
  td_dict *d = small_dict(1);
  char path[PATH_MAX + 8];
  snprintf(path, sizeof path, "%s/made", test_dir);
  make_dir(path);
  td_progress progress = {sizeof progress, give_up, path, NULL};
  td_save_options options = TD_SAVE_OPTIONS_INIT;
  options.progress = &progress;
  expect_error(td_save(d, TD_STR(path), &options, &err), TD_ERR_CALLBACK, NULL, "");
  cr_expect_eq(size_of_tree(test_dir).entries, 2);
  progress.fn = fill_and_go_on; /* somebody else puts a file there meanwhile */
  for (int overwrites = 0; overwrites < 2; ++overwrites) {
    options.overwrite = (td_bool)overwrites;
    expect_error(td_save(d, TD_STR(path), &options, &err), TD_ERR_EXISTS, NULL, "this path");
    cr_expect_eq(size_of_tree(test_dir).entries, 3, "not what was put there alone");
    unlink(path_of("%s/notes.txt", path));
  }
  td_dict_release(d);
}

Test(storage, missing_parents_are_made) {
  td_dict *d = small_dict(1), *again = NULL;
  save(d, path_of("%s/x/y/z/", test_dir));
  again = open_dict(path_of("%s/x/y/z", test_dir), TD_OPEN_READ);
  td_dict_release(again);
  write_text(path_of("%s/file", test_dir), "");
  expect_error(td_save(d, TD_STR(path_of("%s/file/a/b", test_dir)), NULL, &err), TD_ERR_NOT_FOUND, NULL, "file");
  td_dict_release(d);
}

Test(storage, leftovers_of_a_killed_save_go_with_the_next) {
  td_dict *d = small_dict(1);
  const char *dead = path_of("%s/.save.saving-0123", test_dir), *alive = path_of("%s/.save.saving-4567", test_dir),
             *other = path_of("%s/.other.saving-89", test_dir);
  make_dir(dead), make_dir(alive), make_dir(other);
  write_text(path_of("%s/a.memmap", dead), "half");
  int lock = open(alive, O_RDONLY | O_DIRECTORY);
  cr_assert_eq(flock(lock, LOCK_EX), 0);
  save(d, path_of("%s/save", test_dir));
  cr_expect_not(there(dead));
  cr_expect(there(alive), "a save that is under way was disturbed");
  cr_expect(there(other));
  close(lock);
  td_dict_release(d);
}

Test(storage, bad_arguments_are_named) {
  td_dict *d = small_dict(1), *out = NULL;
  td_open_options mode = TD_OPEN_OPTIONS_INIT;
  mode.mode = 7;
  write_text(path_of("%s/file", test_dir), "text");
  const char *missing = path_of("%s/missing", test_dir), *file = path_of("%s/file", test_dir);
  expect_error(td_open(TD_STR(missing), NULL, &out, &err), TD_ERR_NOT_FOUND, NULL, missing);
  expect_error(td_open(TD_STR(path_of("%s/below", file)), NULL, &out, &err), TD_ERR_NOT_FOUND, NULL, file);
  expect_error(td_open(TD_STR(file), NULL, &out, &err), TD_ERR_CORRUPT, NULL, "not known");
  expect_error(td_open(TD_STR(fixture("basic")), &mode, &out, &err), TD_ERR_ARGUMENT, NULL, "open mode 7");
  expect_error(td_open(TD_STR(""), NULL, &out, &err), TD_ERR_ARGUMENT, NULL, "empty");
  expect_error(td_open((td_str){"a\0b", 3}, NULL, &out, &err), TD_ERR_ARGUMENT, NULL, "NUL");
  expect_error(td_open(TD_STR(missing), NULL, NULL, &err), TD_ERR_ARGUMENT, NULL, "output");
  expect_error(td_save(NULL, TD_STR(missing), NULL, &err), TD_ERR_ARGUMENT, NULL, "dict");
  expect_error(td_save(d, (td_str){"a\0b", 3}, NULL, &err), TD_ERR_ARGUMENT, NULL, "NUL");
  expect_error(td_save(d, TD_STR(path_of("%s/..", test_dir)), NULL, &err), TD_ERR_ARGUMENT, NULL, "name");
  cr_expect_null(out);
  td_dict_release(d);
}
