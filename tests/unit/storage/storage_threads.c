/* Saves of one file by several threads: the same bytes, told of and given up like any other. */
#include "support/files.h"
#include "support/small_dicts.h"

TestSuite(storage_threads, .init = make_test_dir, .fini = remove_test_dir, .timeout = 300);

enum { LARGE = 5 << 20, ODD = (1 << 20) + 3 };

static td_dict *large_dict(void) {
  td_dict *d = small_dict(3);
  uint32_t *numbers = malloc(LARGE * sizeof *numbers);
  for (uint32_t i = 0; i < LARGE; ++i) numbers[i] = i * 7919;
  put(d, TD_KEY("n", "large"), TD_DTYPE_INT32, numbers, TD_SHAPE(2, LARGE / 2));
  put(d, TD_KEY("odd"), TD_DTYPE_UINT8, numbers, TD_SHAPE(2, ODD / 2));
  free(numbers);
  return d;
}

static void expect_same_bytes(const td_dict *a, const td_dict *b, const td_key *key) {
  td_tensor *x = tensor_at(a, key), *y = tensor_at(b, key);
  const void *p = NULL, *q = NULL;
  must(td_tensor_data(x, &p, &err));
  must(td_tensor_data(y, &q, &err));
  cr_expect(td_tensor_nbytes(x) == td_tensor_nbytes(y) && memcmp(p, q, (size_t)td_tensor_nbytes(x)) == 0);
  td_tensor_release(x), td_tensor_release(y);
}

typedef struct watch {
  int64_t done, total, give_up_at;
  int calls;
} watch;

static td_status watching(void *userdata, int64_t done, int64_t total, td_error **err) {
  (void)err;
  watch *w = userdata;
  cr_expect(done >= w->done && done <= total && (!w->total || w->total == total));
  w->done = done, w->total = total, w->calls += 1;
  return w->give_up_at && done >= w->give_up_at ? TD_ERR_CALLBACK : TD_OK;
}

static td_status save(const td_dict *d, const char *path, size_t threads, td_compression compression, watch *w) {
  td_progress progress = {sizeof progress, watching, w, NULL};
  td_save_options o = TD_SAVE_OPTIONS_INIT;
  o.threads = threads, o.compression = compression, o.progress = w ? &progress : NULL;
  return td_save(d, TD_STR(path), &o, NULL);
}

static const char *const endings[] = {".td", ".safetensors", ".tdz", ""};
enum { ENDINGS = sizeof endings / sizeof *endings };

Test(storage_threads, many_threads_write_what_one_writes) {
  td_dict *d = large_dict();
  for (size_t i = 0; i < ENDINGS; ++i) {
    const int archive = !strcmp(endings[i], ".tdz");
    if (archive && !td_has_feature(TD_STR("archive"))) continue;
    const char *one = path_of("%s/one%s", test_dir, endings[i]), *many = path_of("%s/many%s", test_dir, endings[i]);
    watch w = {0, 0, 0, 0};
    cr_assert_eq(save(d, one, 1, TD_COMPRESSION_NONE, &w), TD_OK);
    cr_expect(w.done == w.total && w.calls > 1, "%s: %d calls", one, w.calls);
    w = (watch){0, 0, 0, 0};
    cr_assert_eq(save(d, many, 4, TD_COMPRESSION_NONE, &w), TD_OK);
    cr_expect(w.done == w.total && w.calls >= 1, "%s: %d calls", many, w.calls);
    cr_expect_eq(size_of_tree(one).bytes, size_of_tree(many).bytes);
    if (archive) { /* the time of the save is in them */
      must(td_archive_verify(TD_STR(one), &err));
      must(td_archive_verify(TD_STR(many), &err));
    } else if (*endings[i]) {
      size_t n = 0, m = 0;
      char *a = file_bytes(one, &n), *b = file_bytes(many, &m);
      cr_expect(n == m && memcmp(a, b, n) == 0, "%s: other bytes", many);
      free(a), free(b);
    }
    td_dict *got = NULL;
    must(td_open(TD_STR(many), NULL, &got, &err));
    expect_same_bytes(d, got, TD_KEY("n", "large"));
    expect_same_bytes(d, got, TD_KEY("odd"));
    expect_same_bytes(d, got, TD_KEY("a"));
    td_dict_release(got);
    remove_tree(one), remove_tree(many);
  }
  td_dict_release(d);
}

Test(storage_threads, a_save_that_is_given_up_leaves_nothing) {
  td_dict *d = large_dict();
  for (size_t i = 0; i < ENDINGS; ++i)
    for (size_t threads = 1; threads <= 4; threads += 3) {
      if (!strcmp(endings[i], ".tdz") && !td_has_feature(TD_STR("archive"))) continue;
      const char *path = path_of("%s/save%s", test_dir, endings[i]);
      watch w = {0, 0, 1, 0};
      cr_expect_eq(save(d, path, threads, TD_COMPRESSION_NONE, &w), TD_ERR_CALLBACK, "%s", path);
      cr_expect_eq(size_of_tree(test_dir).entries, 1, "%s: leftovers", path);
    }
  td_dict_release(d);
}

Test(storage_threads, a_compressed_archive_is_told_of_to_its_end) {
  if (!td_has_feature(TD_STR("archive"))) cr_skip_test("this build has no archives");
  td_dict *d = large_dict();
  const char *path = path_of("%s/save.tdz", test_dir);
  watch w = {0, 0, 0, 0};
  cr_assert_eq(save(d, path, 4, TD_COMPRESSION_DEFLATE, &w), TD_OK);
  cr_expect(w.done == w.total && w.calls > 0);
  must(td_archive_verify(TD_STR(path), &err));
  td_dict *got = NULL;
  must(td_open(TD_STR(path), NULL, &got, &err));
  expect_same_bytes(d, got, TD_KEY("n", "large"));
  td_dict_release(got), td_dict_release(d);
}

/* The bytes of an archive but for the time of the save, which stands in each header and in each record of its directory. */
static char *timeless_bytes(const char *path, size_t *n) {
  char *bytes = file_bytes(path, n);
  for (size_t i = 0; i + 16 < *n; ++i) {
    if (!memcmp(bytes + i, "PK\3\4", 4)) memset(bytes + i + 10, 0, 4);
    if (!memcmp(bytes + i, "PK\1\2", 4)) memset(bytes + i + 12, 0, 4);
  }
  return bytes;
}

Test(storage_threads, many_threads_compress_to_the_bytes_of_one) {
  if (!td_has_feature(TD_STR("archive"))) cr_skip_test("this build has no archives");
  td_dict *d = large_dict();
  for (int i = 0; i < 200; ++i) {
    uint32_t few[2] = {(uint32_t)i, 1};
    put(d, TD_KEY("small", path_of("leaf_%d", i)), TD_DTYPE_INT32, few, TD_SHAPE(2));
  }
  const char *one = path_of("%s/one.tdz", test_dir), *many = path_of("%s/many.tdz", test_dir);
  cr_assert_eq(save(d, one, 1, TD_COMPRESSION_DEFLATE, NULL), TD_OK);
  cr_assert_eq(save(d, many, 4, TD_COMPRESSION_DEFLATE, NULL), TD_OK);
  size_t n = 0, m = 0;
  char *a = timeless_bytes(one, &n), *b = timeless_bytes(many, &m);
  cr_expect(n == m && memcmp(a, b, n) == 0, "%zu bytes, or others than the %zu of one thread", m, n);
  free(a), free(b);
  must(td_archive_verify(TD_STR(many), &err));
  td_dict *got = NULL;
  must(td_open(TD_STR(many), NULL, &got, &err));
  expect_same_bytes(d, got, TD_KEY("n", "large"));
  expect_same_bytes(d, got, TD_KEY("odd"));
  expect_same_bytes(d, got, TD_KEY("small", "leaf_199"));
  td_dict_release(got), td_dict_release(d);
}

Test(storage_threads, a_compression_that_is_given_up_leaves_nothing) {
  if (!td_has_feature(TD_STR("archive"))) cr_skip_test("this build has no archives");
  td_dict *d = large_dict();
  for (size_t threads = 1; threads <= 4; threads += 3) {
    watch w = {0, 0, 1, 0};
    cr_expect_eq(save(d, path_of("%s/save.tdz", test_dir), threads, TD_COMPRESSION_DEFLATE, &w), TD_ERR_CALLBACK);
    cr_expect(w.done < w.total && w.calls == 1);
    cr_expect_eq(size_of_tree(test_dir).entries, 1, "leftovers");
  }
  td_dict_release(d);
}
