/* Damaged and malicious saves: each is refused with a reason, nothing is mapped, and no file is touched. */
#include <sys/socket.h>
#include <sys/un.h>

#include "support/files.h"
#include "support/open.h"
#include "support/small_dicts.h"

#define TYPE "\"_type\":\"<class 'tensordict._td.TensorDict'>\""
#define LEAF(shape) "{\"shape\":" shape ",\"dtype\":\"torch.float32\"}"

TestSuite(storage_hostile, .init = make_test_dir, .fini = remove_test_dir);

Test(storage_hostile, damaged_saves_of_python_are_refused) {
  static const struct {
    const char *name;
    td_status status;
    const char *words;
  } cases[] = {
      {"hostile/bad_dtype", TD_ERR_DTYPE, "torch.foo"},
      {"hostile/batch_mismatch", TD_ERR_CORRUPT, "batch"},
      {"hostile/deep_json", TD_ERR_CORRUPT, "JSON"},
      {"hostile/missing_leaf", TD_ERR_CORRUPT, "a.memmap"},
      {"hostile/missing_submeta", TD_ERR_CORRUPT, "n/meta.json"},
      {"hostile/no_type", TD_ERR_CORRUPT, "_type"},
      {"hostile/shape_negative", TD_ERR_CORRUPT, "negative"},
      {"hostile/shape_numel_overflow", TD_ERR_CORRUPT, "64 bits"},
      {"hostile/shape_wraps_to_0", TD_ERR_CORRUPT, "64 bits"},
      {"hostile/short_file", TD_ERR_CORRUPT, "needs 16"},
      {"hostile/nts_pickle_name", TD_ERR_CORRUPT, "list"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    expect_refused(path_of("%s/fixtures/%s", TD_TEST_DATA, cases[i].name), cases[i].name, TD_FORMAT_AUTO,
                   cases[i].status, cases[i].words);
}

Test(storage_hostile, harmless_oddities_are_accepted) {
  static const char *const cases[] = {"long_file", "device_null", "reserved_keys", "lazy_stale_children"};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    td_dict *d = NULL;
    must(td_open(TD_STR(path_of("%s/fixtures/hostile/%s", TD_TEST_DATA, cases[i])), NULL, &d, &err));
    td_dict_release(d);
  }
}

static const struct {
  const char *name, *meta;
  td_status status;
  const char *words;
} bad_metadata[] = {
    {"empty", "", TD_ERR_CORRUPT, "JSON"},
    {"cut", "{\"a\":{\"shape\":[4],\"dty", TD_ERR_CORRUPT, "JSON"},
    {"trailing", "{" TYPE "} x", TD_ERR_CORRUPT, "JSON"},
    {"two documents", "{" TYPE "}{}", TD_ERR_CORRUPT, "JSON"},
    {"comment", "{" TYPE "/**/}", TD_ERR_CORRUPT, "JSON"},
    {"not UTF-8", "{" TYPE ",\"\xFF\":1}", TD_ERR_CORRUPT, "JSON"},
    {"lone surrogate", "{" TYPE ",\"\\ud800\":1}", TD_ERR_CORRUPT, "JSON"},
    {"no object", "[1]", TD_ERR_CORRUPT, "object"},
    {"duplicate", "{" TYPE ",\"a\":" LEAF("[4]") ",\"\\u0061\":" LEAF("[4]") "}", TD_ERR_CORRUPT, "\"a\""},
    {"duplicate inside", "{" TYPE ",\"a\":{\"shape\":[1],\"shape\":[4],\"dtype\":\"torch.float32\"}}", TD_ERR_CORRUPT,
     "\"shape\""},
    {"type is a number", "{\"_type\":1}", TD_ERR_CORRUPT, "_type"},
    {"type is no class", "{\"_type\":\"TensorDict\"}", TD_ERR_CORRUPT, "_type"},
    {"unknown class", "{\"_type\":\"<class 'my.Own'>\"}", TD_ERR_UNSUPPORTED, "my.Own"},
    {"newer format", "{" TYPE ",\"_format_version\":2}", TD_ERR_VERSION, "version 2"},
    {"odd format", "{" TYPE ",\"_format_version\":\"1\"}", TD_ERR_CORRUPT, "_format_version"},
    {"device", "{" TYPE ",\"device\":3}", TD_ERR_CORRUPT, "device"},
    {"batch is a number", "{" TYPE ",\"shape\":3}", TD_ERR_CORRUPT, "batch size"},
    {"batch of floats", "{" TYPE ",\"shape\":[1.0]}", TD_ERR_CORRUPT, "batch size"},
    {"batch of bools", "{" TYPE ",\"shape\":[true]}", TD_ERR_CORRUPT, "batch size"},
    {"batch of big integers", "{" TYPE ",\"shape\":[18446744073709551615]}", TD_ERR_CORRUPT, "64 bits"},
    {"batch of huge integers", "{" TYPE ",\"shape\":[99999999999999999999999999]}", TD_ERR_CORRUPT, "64 bits"},
    {"no shape", "{" TYPE ",\"a\":{\"dtype\":\"torch.float32\"}}", TD_ERR_CORRUPT, "shape"},
    {"no dtype", "{" TYPE ",\"a\":{\"shape\":[4]}}", TD_ERR_CORRUPT, "dtype"},
    {"dtype is a number", "{" TYPE ",\"a\":{\"shape\":[4],\"dtype\":6}}", TD_ERR_CORRUPT, "dtype"},
    {"empty entry", "{" TYPE ",\"a\":{}}", TD_ERR_CORRUPT, "dtype"},
    {"huge with a zero", "{" TYPE ",\"a\":" LEAF("[0,4611686018427387904,4]") "}", TD_ERR_CORRUPT, "64 bits"},
    {"65 dims",
     "{" TYPE ",\"a\":" LEAF("[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
                             "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]") "}",
     TD_ERR_CORRUPT, "64 dims"},
    {"up and out", "{" TYPE ",\"../a\":" LEAF("[4]") "}", TD_ERR_CORRUPT, "..%2Fa.memmap"},
    {"absolute", "{" TYPE ",\"/etc/hostname\":" LEAF("[1]") "}", TD_ERR_CORRUPT, "missing"},
    {"parent", "{" TYPE ",\"..\":{\"type\":\"TensorDict\"}}", TD_ERR_CORRUPT, "missing"},
    {"self", "{" TYPE ",\".\":{\"type\":\"TensorDict\"}}", TD_ERR_CORRUPT, "missing"},
    {"nameless", "{" TYPE ",\"\":{\"type\":\"TensorDict\"}}", TD_ERR_CORRUPT, "missing"},
    {"directory is a file", "{" TYPE ",\"a.memmap\":{\"type\":\"TensorDict\"}}", TD_ERR_CORRUPT, "not a directory"},
};

Test(storage_hostile, bad_metadata_is_refused) {
  write_file(path_of("%s/a.memmap", test_dir), "0123456789abcdef", 16);
  for (size_t i = 0; i < sizeof bad_metadata / sizeof *bad_metadata; ++i) {
    write_text(path_of("%s/meta.json", test_dir), bad_metadata[i].meta);
    expect_refused(test_dir, bad_metadata[i].name, TD_FORMAT_AUTO, bad_metadata[i].status, bad_metadata[i].words);
  }
}

Test(storage_hostile, a_member_that_comes_again_after_many_others_is_found) {
  for (int n = 2; n < 60; n += 7) {
    char meta[4096] = "{" TYPE;
    for (int i = 0; i < n; ++i) snprintf(meta + strlen(meta), 32, ",\"note%d\":{\"type\":1}", i);
    for (int again = 0; again < n; again += n - 1) {
      char doubled[4200];
      snprintf(doubled, sizeof doubled, "%s,\"note%d\":0}", meta, again);
      write_text(path_of("%s/meta.json", test_dir), doubled);
      expect_refused(test_dir, "doubled", TD_FORMAT_AUTO, TD_ERR_CORRUPT, path_of("two members \"note%d\"", again));
    }
  }
}

/* What stands at `path` below a save {"a": float32 [4], "n": {"b"...}}. */
static void plant_link(const char *path) {
  cr_assert_eq(symlink("/etc/hostname", path), 0);
}
static void plant_loop(const char *path) {
  cr_assert_eq(symlink(".", path), 0);
}
static void plant_fifo(const char *path) {
  cr_assert_eq(mkfifo(path, 0600), 0);
}
static void plant_directory(const char *path) {
  make_dir(path);
}
static void plant_socket(const char *path) {
  struct sockaddr_un name = {.sun_family = AF_UNIX};
  snprintf(name.sun_path, sizeof name.sun_path, "%s", path);
  int s = socket(AF_UNIX, SOCK_STREAM, 0);
  cr_assert_eq(bind(s, (struct sockaddr *)&name, sizeof name), 0, "%s", strerror(errno));
  close(s);
}

Test(storage_hostile, only_plain_files_and_directories_are_opened) {
  static const struct {
    const char *at;
    void (*plant)(const char *);
    const char *words;
  } cases[] = {
      {"a.memmap", plant_link, "symbolic link"},
      {"meta.json", plant_link, "symbolic link"},
      {"n", plant_loop, "symbolic link"},
      {"a.memmap", plant_fifo, "not a regular file"},
      {"n/meta.json", plant_fifo, "not a regular file"},
      {"a.memmap", plant_directory, "not a regular file"},
      {"meta.json", plant_directory, "not a regular file"},
      {"n", plant_fifo, "not a directory"},
      {"a.memmap", plant_socket, "not a regular file"},
  };
  td_dict *d = small_dict(1);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    const char *path = path_of("%s/%zu", test_dir, i), *at = path_of("%s/%s", path, cases[i].at);
    must(td_save(d, TD_STR(path), NULL, &err));
    remove_tree(at);
    cases[i].plant(at);
    expect_refused(path, cases[i].at, TD_FORMAT_AUTO, TD_ERR_CORRUPT, cases[i].words);
  }
  td_dict_release(d);
}

Test(storage_hostile, endless_nesting_is_refused) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s", test_dir);
  for (int depth = 0; depth < 700 && strlen(path) + 20 < sizeof path; ++depth) {
    write_text(path_of("%s/meta.json", path), "{" TYPE ",\"n\":{\"type\":\"TensorDict\"}}");
    strcat(path, "/n");
    make_dir(path);
  }
  expect_refused(test_dir, "nesting", TD_FORMAT_AUTO, TD_ERR_CORRUPT, "deep");
}

Test(storage_hostile, every_truncation_of_the_metadata_is_refused) {
  td_dict *d = small_dict(1);
  const char *path = path_of("%s/cut", test_dir), *meta = path_of("%s/meta.json", path);
  must(td_save(d, TD_STR(path), NULL, &err));
  td_dict_release(d);
  size_t n = 0;
  char *bytes = file_bytes(meta, &n);
  for (size_t k = 0; k < n; ++k) {
    write_file(meta, bytes, k);
    expect_refused(path, "cut", TD_FORMAT_AUTO, TD_ERR_CORRUPT, "JSON");
  }
  free(bytes);
}
