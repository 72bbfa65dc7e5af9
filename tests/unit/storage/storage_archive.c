/* Archives: what Python wrote opens in place and is written again to the same bytes; zips that lie are refused. */
#include <sys/resource.h>
#include <sys/wait.h>

#include "support/expected.h"
#include "support/open.h"

TestSuite(storage_archive, .init = make_test_dir, .fini = remove_test_dir, .timeout = 120);

static const char *fixture(const char *name) {
  return path_of("%s/fixtures/archive/%s/data.tdz", TD_TEST_DATA, name);
}

static void save_as(const td_dict *d, const char *path, td_compression compression) {
  td_save_options options = TD_SAVE_OPTIONS_INIT;
  options.compression = compression;
  options.overwrite = 1;
  must(td_save(d, TD_STR(path), &options, &err));
}

/* Equal but for the clock, which stands behind the signatures of headers and records. */
static void expect_same_archive(const char *want, const char *got, const char *name) {
  size_t n = 0, m = 0;
  char *a = file_bytes(want, &n), *b = file_bytes(got, &m);
  cr_assert(a && b);
  cr_expect_eq(n, m, "%s: %zu bytes, not %zu", name, m, n);
  size_t different = 0;
  for (size_t i = 0; n == m && i < n; ++i) {
    if (i + 16 <= n && !memcmp(a + i, "PK\3\4", 4)) memcpy(b + i + 10, a + i + 10, 4);
    if (i + 16 <= n && !memcmp(a + i, "PK\1\2", 4)) memcpy(b + i + 12, a + i + 12, 4);
    if (a[i] != b[i] && !different++) cr_expect(0, "%s: byte %zu differs", name, i);
  }
  free(a), free(b);
}

static const struct {
  const char *name;
  int rewritten; /* by the same writer to the same bytes; 2: with deflate, 3: with lzma */
} all[] = {{"basic", 0},           {"dtypes", 0},       {"empty", 0},
           {"lazy_hetero", 0},     {"nontensor", 0},    {"deflate", 0},
           {"bzip2", 0},           {"lzma", 0},         {"lazy", 0},
           {"nested_strided", 0},  {"plain_zip", 0},    {"compact", 1},
           {"compact_deflate", 2}, {"compact_lzma", 3}, {"special_keys", 0}};

Test(storage_archive, what_python_wrote_opens_as_it_was) {
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
    const char *name = all[i].name, *copy = path_of("%s/%s.tdz", test_dir, name);
    if (!strcmp(name, "bzip2") && !td_has_feature(TD_STR(name))) continue;
    if (strstr(name, "lzma") && !td_has_feature(TD_STR("lzma"))) continue;
    const char *expected = path_of("%s/fixtures/archive/%s/expected.json", TD_TEST_DATA, name);
    const int64_t mappings = td_live_objects(TD_OBJECT_MAPPING);
    td_dict *d = open_with(fixture(name), i % 2 ? TD_OPEN_COW : TD_OPEN_READ);
    expect_as_in(expected, d);
    cr_expect_leq(td_live_objects(TD_OBJECT_MAPPING), mappings + 1, "%s: more than one mapping", name);
    save_as(d, copy, all[i].rewritten > 1 ? all[i].rewritten - 1 : TD_COMPRESSION_NONE);
    td_dict *again = open_with(copy, TD_OPEN_READ);
    expect_as_in(expected, again);
    td_dict_release(again), td_dict_release(d);
    cr_expect_eq(td_live_objects(TD_OBJECT_MAPPING), mappings, "%s: something stays mapped", name);
    if (all[i].rewritten) expect_same_archive(fixture(name), copy, name);
    must(td_archive_verify(TD_STR(copy), &err));
  }
}

Test(storage_archive, the_time_in_it_is_the_one_of_a_reproducible_build) {
  static const struct {
    const char *epoch;
    unsigned char dos[4]; /* of 2023-11-14, 22:13:20 UTC */
    int same;
  } all[] = {{"1700000000", {0xAA, 0xB1, 0x6E, 0x57}, 1}, {"17e8", {0xAA, 0xB1, 0x6E, 0x57}, 0}, {"1", {0}, 0}};
  td_dict *d = small_dict(1);
  cr_assert_eq(setenv("TZ", "Asia/Tokyo", 1), 0);
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
    const char *path = path_of("%s/when.tdz", test_dir);
    size_t n = 0;
    cr_assert_eq(setenv("SOURCE_DATE_EPOCH", all[i].epoch, 1), 0);
    save_as(d, path, TD_COMPRESSION_NONE);
    char *bytes = file_bytes(path, &n);
    cr_assert(bytes && n > 14 && !memcmp(bytes, "PK\3\4", 4));
    cr_expect_eq(memcmp(bytes + 10, all[i].dos, 4) == 0, all[i].same, "SOURCE_DATE_EPOCH=%s", all[i].epoch);
    free(bytes);
  }
  td_dict_release(d);
}

Test(storage_archive, tensors_lie_in_the_file_unless_they_are_compressed) {
  td_dict *d = small_dict(1);
  const char *stored = path_of("%s/s.tdz", test_dir), *packed = path_of("%s/p.tdz", test_dir);
  save_as(d, stored, TD_COMPRESSION_NONE);
  save_as(d, packed, TD_COMPRESSION_DEFLATE);
  td_dict *a = open_with(stored, TD_OPEN_READ), *b = open_with(packed, TD_OPEN_READ);
  td_tensor *in_place = tensor_at(a, TD_KEY("a")), *copied = tensor_at(b, TD_KEY("a"));
  const void *data = NULL;
  must(td_tensor_data(in_place, &data, &err));
  cr_expect_eq((uintptr_t)data % 64, 0);
  cr_expect(td_tensor_is_read_only(in_place) && td_tensor_is_read_only(copied));
  cr_expect_eq(float_at(b, TD_KEY("a")), 1);
  td_tensor_release(in_place), td_tensor_release(copied), td_dict_release(a), td_dict_release(b), td_dict_release(d);
}

Test(storage_archive, writes_in_place_reach_the_file_and_the_checksums_are_made_again) {
  const char *path = path_of("%s/w.tdz", test_dir), *packed = path_of("%s/p.tdz", test_dir);
  td_dict *one = small_dict(1), *two = small_dict(2), *none = NULL;
  save_as(one, path, TD_COMPRESSION_NONE);
  must(td_archive_verify(TD_STR(path), &err));
  td_dict *live = open_with(path, TD_OPEN_READ_WRITE);
  td_tensor *value = tensor_at(two, TD_KEY("a"));
  must(td_dict_copy_into(live, TD_KEY("a"), value, &err));
  td_dict_release(live);
  td_dict *read = open_with(path, TD_OPEN_READ);
  cr_expect_eq(float_at(read, TD_KEY("a")), 2);
  td_dict_release(read);
  expect_error(td_archive_verify(TD_STR(path), &err), TD_ERR_CORRUPT, NULL, "a.memmap");
  must(td_archive_refresh_checksums(TD_STR(path), &err));
  must(td_archive_verify(TD_STR(path), &err));
  save_as(one, packed, TD_COMPRESSION_DEFLATE);
  td_open_options options = TD_OPEN_OPTIONS_INIT;
  options.mode = TD_OPEN_READ_WRITE;
  expect_error(td_open(TD_STR(packed), &options, &none, &err), TD_ERR_UNSUPPORTED, NULL, "compressed");
  expect_error(td_archive_verify(TD_STR(path_of("%s/none", test_dir)), &err), TD_ERR_NOT_FOUND, NULL, "");
  expect_error(td_archive_refresh_checksums(TD_STR(path_of("%s/fixtures/README.md", TD_TEST_DATA)), &err),
               TD_ERR_CORRUPT, NULL, "end of the archive");
  td_tensor_release(value), td_dict_release(one), td_dict_release(two);
}

Test(storage_archive, lzma_packs_and_unpacks_what_is_large_and_what_is_empty) {
  if (!td_has_feature(TD_STR("lzma"))) cr_skip_test("this build has no liblzma");
  td_dict *d = new_dict(NULL, 0);
  td_tensor *large = NULL, *none = NULL, *noise = NULL;
  must(td_tensor_full(TD_SHAPE(3000, 1000), TD_VALUE(td_value_double(0.5)), TD_DTYPE_FLOAT32, TD_NO_STR, &large, &err));
  must(td_tensor_randn(TD_SHAPE(100003), TD_DTYPE_FLOAT32, TD_NO_STR, NULL, &noise, &err));
  must(td_tensor_zeros(TD_SHAPE(0), TD_DTYPE_FLOAT32, TD_NO_STR, &none, &err));
  must(td_dict_set(d, TD_KEY("large"), large, &err));
  must(td_dict_set(d, TD_KEY("n", "noise"), noise, &err));
  must(td_dict_set(d, TD_KEY("none"), none, &err));
  for (size_t threads = 0; threads < 4; threads += 3) {
    td_save_options options = TD_SAVE_OPTIONS_INIT;
    options.compression = TD_COMPRESSION_LZMA, options.threads = threads;
    const char *path = path_of("%s/%d.tdz", test_dir, (int)threads);
    must(td_save(d, TD_STR(path), &options, &err));
    must(td_archive_verify(TD_STR(path), &err));
    cr_expect_lt(size_of_tree(path).bytes, 600000, "it is not compressed");
    td_dict *again = open_with(path, TD_OPEN_READ);
    cr_expect_eq(float_at(again, TD_KEY("large")), 0.5f);
    td_tensor *t = tensor_at(again, TD_KEY("n", "noise"));
    const void *a = NULL, *b = NULL;
    must(td_tensor_data(noise, &a, &err));
    must(td_tensor_data(t, &b, &err));
    cr_expect_eq(memcmp(a, b, 4 * 100003), 0);
    td_tensor_release(t), td_dict_release(again);
  }
  expect_same_archive(path_of("%s/0.tdz", test_dir), path_of("%s/3.tdz", test_dir), "threads");
  td_tensor_release(large), td_tensor_release(noise), td_tensor_release(none), td_dict_release(d);
}

Test(storage_archive, an_unknown_compression_and_formats_without_lzma_are_refused) {
  td_dict *d = small_dict(1);
  td_save_options options = TD_SAVE_OPTIONS_INIT;
  options.compression = TD_COMPRESSION_LZMA;
  static const char *const names[] = {"x.td", "x.safetensors", "x.h5"};
  for (size_t i = 0; i < 3; ++i) {
    if (i == 2 && !td_has_feature(TD_STR("hdf5"))) continue;
    expect_error(td_save(d, TD_STR(path_of("%s/%s", test_dir, names[i])), &options, &err), TD_ERR_UNSUPPORTED, NULL,
                 "compress");
  }
  if (!td_has_feature(TD_STR("lzma")))
    expect_error(td_save(d, TD_STR(path_of("%s/x.tdz", test_dir)), &options, &err), TD_ERR_UNSUPPORTED, NULL, "lzma");
  options.compression = TD_COMPRESSION_LZMA + 1;
  expect_error(td_save(d, TD_STR(path_of("%s/x.tdz", test_dir)), &options, &err), TD_ERR_ARGUMENT, NULL,
               "compression 3");
  td_dict_release(d);
}

/* ---- Hostile files ---------------------------------------------------------------------------------------------------- */

static const char *hostile(const char *name) {
  return path_of("%s/fixtures/hostile_files/archive_%s/data.tdz", TD_TEST_DATA, name);
}

Test(storage_archive, hostile_files_of_python_are_refused_or_read_safely) {
  expect_refused(hostile("duplicate"), "duplicate", TD_FORMAT_AUTO, TD_ERR_CORRUPT, "two entries");
  expect_refused(hostile("short"), "short", TD_FORMAT_AUTO, TD_ERR_CORRUPT, "needs 16");
  expect_refused(hostile("traversal"), "traversal", TD_FORMAT_AUTO, TD_ERR_CORRUPT, "outside");
  /* What is not aligned is copied, and its checksum compared; what is read in place is for td_archive_verify. */
  expect_refused(hostile("bad_crc"), "bad_crc", TD_FORMAT_AUTO, TD_ERR_CORRUPT, "checksum");
  expect_error(td_archive_verify(TD_STR(hostile("bad_crc")), &err), TD_ERR_CORRUPT, NULL, "checksum");
}

Test(storage_archive, what_unpacks_to_far_more_than_the_file_takes_no_memory) {
  if (!td_has_feature(TD_STR("bzip2"))) cr_skip_test("this build has no bzip2");
  expect_refused(hostile("bomb"), "bomb", TD_FORMAT_AUTO, TD_ERR_UNSUPPORTED, "1032 times");
  td_open_options options = TD_OPEN_OPTIONS_INIT;
  options.lenient = 1;
  td_dict *d = NULL;
  must(td_open(TD_STR(hostile("bomb")), &options, &d, &err));
  cr_expect_eq(td_dict_nbytes(d), (int64_t)80 << 20);
  td_dict_release(d);
}

/* In MiB: the most memory that this process has had at once. */
static long peak(void) {
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  return used.ru_maxrss >> 10;
}

Test(storage_archive, verifying_takes_no_memory_for_what_comes_out) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  cr_skip_test("a sanitizer has its own memory");
#endif
  enum { MIB = 192 };
  td_dict *d = new_dict(NULL, 0);
  td_tensor *t = NULL;
  const int64_t size = (int64_t)MIB << 20;
  const char *path = path_of("%s/zeros.tdz", test_dir), *bad = path_of("%s/bad.tdz", test_dir);
  const pid_t child = fork(); /* which has the memory of the tensor, and this process not */
  if (child == 0) {
    td_after_fork();
    must(td_tensor_zeros(&size, 1, TD_DTYPE_UINT8, TD_NO_STR, &t, &err));
    must(td_dict_set(d, TD_KEY("a"), t, &err));
    save_as(d, path, TD_COMPRESSION_DEFLATE);
    _exit(0);
  }
  int status = -1;
  cr_assert(waitpid(child, &status, 0) == child && status == 0);
  const long before = peak();
  must(td_archive_verify(TD_STR(path), &err));
  cr_expect_lt(peak() - before, MIB / 4, "%ld MiB", peak() - before);
  size_t n = 0;
  char *bytes = file_bytes(path, &n);
  bytes[n / 2] ^= 1; /* in the stream of zeros */
  write_file(bad, bytes, n);
  expect_error(td_archive_verify(TD_STR(bad), &err), TD_ERR_CORRUPT, NULL, "");
  cr_expect_lt(peak() - before, MIB / 4, "%ld MiB", peak() - before);
  free(bytes);
  td_dict_release(d);
}

/* The place of the n-th `signature` in the bytes. */
static size_t place_of(const char *bytes, size_t size, const char *signature, int n) {
  for (size_t i = 0; i + 4 <= size; ++i)
    if (!memcmp(bytes + i, signature, 4) && n-- == 0) return i;
  cr_assert_fail("no %s", signature);
  return 0;
}

Test(storage_archive, lies_of_a_zip_are_refused) {
  static const struct {
    const char *name, *signature;
    int index;
    size_t offset;
    uint32_t value;
    size_t size;
    td_status status;
    const char *words;
  } cases[] = {
      {"encrypted", "PK\1\2", 1, 8, 1, 2, TD_ERR_UNSUPPORTED, "encrypted"},
      {"encrypted in the header", "PK\3\4", 1, 6, 1, 2, TD_ERR_CORRUPT, "header"},
      {"method", "PK\1\2", 1, 10, 8, 2, TD_ERR_CORRUPT, "method"},
      {"size", "PK\1\2", 1, 24, 4, 4, TD_ERR_CORRUPT, "size"},
      {"packed size", "PK\1\2", 1, 20, 4, 4, TD_ERR_CORRUPT, "size"},
      {"checksum", "PK\1\2", 1, 16, 4, 4, TD_ERR_CORRUPT, "checksum"},
      {"offset", "PK\1\2", 1, 42, 4, 4, TD_ERR_CORRUPT, "no entry"},
      {"offset beyond", "PK\1\2", 1, 42, 0x7FFFFFFF, 4, TD_ERR_CORRUPT, "outside"},
      {"name", "PK\3\4", 1, 30, 'q', 1, TD_ERR_CORRUPT, "name"},
      {"first disk", "PK\1\2", 1, 34, 1, 2, TD_ERR_UNSUPPORTED, "split"},
      {"count", "PK\5\6", 0, 10, 9, 2, TD_ERR_UNSUPPORTED, "split"},
      {"directory", "PK\5\6", 0, 16, 9, 4, TD_ERR_CORRUPT, "not where"},
      {"directory size", "PK\5\6", 0, 12, 0x7FFFFFFF, 4, TD_ERR_CORRUPT, "not where"},
      {"comment", "PK\5\6", 0, 20, 9, 2, TD_ERR_CORRUPT, "end of the archive"},
      {"signature", "PK\1\2", 1, 0, 0, 4, TD_ERR_CORRUPT, "truncated"},
  };
  td_dict *d = small_dict(1);
  const char *path = path_of("%s/fine.tdz", test_dir), *bad = path_of("%s/bad.tdz", test_dir);
  save_as(d, path, TD_COMPRESSION_NONE);
  size_t n = 0;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char *bytes = file_bytes(path, &n);
    memcpy(bytes + place_of(bytes, n, cases[i].signature, cases[i].index) + cases[i].offset, &cases[i].value,
           cases[i].size);
    write_file(bad, bytes, n);
    free(bytes);
    expect_refused(bad, cases[i].name, TD_FORMAT_AUTO, cases[i].status, cases[i].words);
  }
  td_dict_release(d);
}

Test(storage_archive, a_zip_that_is_cut_or_moved_is_refused) {
  td_dict *d = small_dict(1);
  const char *path = path_of("%s/fine.tdz", test_dir), *bad = path_of("%s/bad.tdz", test_dir);
  save_as(d, path, TD_COMPRESSION_NONE);
  size_t n = 0;
  char *bytes = file_bytes(path, &n);
  write_file(bad, bytes, n - 1);
  expect_refused(bad, "cut", TD_FORMAT_AUTO, TD_ERR_CORRUPT, "end of the archive");
  char *longer = calloc(1, n + 1);
  memcpy(longer + 1, bytes, n);
  memcpy(longer, "P", 1);
  write_file(bad, longer, n + 1);
  td_open_options options = TD_OPEN_OPTIONS_INIT;
  options.format = TD_FORMAT_ARCHIVE;
  td_dict *none = NULL;
  expect_error(td_open(TD_STR(bad), &options, &none, &err), TD_ERR_CORRUPT, NULL, "not where");
  free(longer), free(bytes), td_dict_release(d);
}

Test(storage_archive, compressed_data_is_checked_as_it_is_unpacked) {
  td_dict *d = new_dict(TD_NO_DIMS);
  int32_t squares[4096];
  for (int i = 0; i < 4096; ++i) squares[i] = (int32_t)((uint32_t)i * 2654435761u >> 12);
  put(d, TD_KEY("z"), TD_DTYPE_INT32, squares, TD_SHAPE(4096));
  const char *path = path_of("%s/z.tdz", test_dir), *bad = path_of("%s/bad.tdz", test_dir);
  save_as(d, path, TD_COMPRESSION_DEFLATE);
  size_t n = 0;
  char *bytes = file_bytes(path, &n);
  cr_expect_lt(n, sizeof squares);
  const size_t header = place_of(bytes, n, "PK\3\4", 1), record = place_of(bytes, n, "PK\1\2", 1);
  const size_t payload = header + 30 + strlen("z.memmap") + 20;

  bytes[payload + 2000] ^= 4; /* damaged */
  write_file(bad, bytes, n);
  expect_refused(bad, "damaged", TD_FORMAT_AUTO, TD_ERR_CORRUPT, "z.memmap");
  bytes[payload + 2000] ^= 4;

  const uint32_t crc = 7;
  char *lying = malloc(n);
  memcpy(lying, bytes, n);
  memcpy(lying + header + 14, &crc, 4), memcpy(lying + record + 16, &crc, 4);
  write_file(bad, lying, n);
  expect_refused(bad, "checksum", TD_FORMAT_AUTO, TD_ERR_CORRUPT, "checksum");

  const uint64_t huge = (uint64_t)1 << 40; /* in one of the two places */
  memcpy(lying, bytes, n);
  memcpy(lying + payload - 16, &huge, 8);
  write_file(bad, lying, n);
  expect_refused(bad, "size", TD_FORMAT_AUTO, TD_ERR_CORRUPT, "size");
  free(lying), free(bytes), td_dict_release(d);
}

Test(storage_archive, a_dict_of_zeros_is_made_like_another) {
  td_dict *d = small_dict(1), *like, *again;
  const char *path = path_of("%s/like.tdz", test_dir);
  must(td_dict_memmap_like(d, TD_STR(path), NULL, &like, &err));
  td_format format;
  must(td_format_detect(TD_STR(path), &format, &err));
  cr_assert_eq(format, TD_FORMAT_ARCHIVE);
  cr_assert(!td_dict_is_locked(like));
  again = open_with(path, TD_OPEN_READ);
  td_keys *keys;
  td_tensor_list *tensors;
  must(td_dict_leaves(again, &keys, &tensors, &err));
  cr_assert_gt(td_keys_size(keys), 0);
  for (size_t i = 0; i < td_keys_size(keys); ++i) {
    td_key key;
    td_tensor *there, *here;
    must(td_keys_get(keys, i, &key, &err));
    must(td_tensor_list_get(tensors, i, &there, &err));
    must(td_dict_get(like, &key, &here, &err));
    cr_assert_eq(td_tensor_dtype(there), td_tensor_dtype(here));
    cr_assert_eq(td_tensor_nbytes(there), td_tensor_nbytes(here));
    const void *data;
    must(td_tensor_data(there, &data, &err));
    for (int64_t b = 0; b < td_tensor_nbytes(there); ++b) cr_assert_eq(((const char *)data)[b], 0);
    td_tensor_release(there), td_tensor_release(here);
  }
  td_keys_release(keys), td_tensor_list_release(tensors);
  expect_error(td_dict_memmap_like(d, TD_STR(path), NULL, &like, &err), TD_ERR_EXISTS, NULL, path);
  td_dict_release(again), td_dict_release(like), td_dict_release(d);
}
