/* Dicts in HDF5 files, in one line. */
#ifndef TESTS_H5_FILES_H
#define TESTS_H5_FILES_H

#include "support/data.h"
#include "support/files.h"
#include "support/td.h"

static inline const char *h5_fixture(const char *name) {
  return path_of("%s/fixtures/hdf5/%s.h5", TD_TEST_DATA, name);
}

static inline void need_h5(void) {
  if (!td_has_feature(TD_STR("hdf5"))) cr_skip_test("this build has no HDF5");
}

static inline td_dict *open_h5(const char *path, td_open_mode mode) {
  need_h5();
  td_open_options options = TD_OPEN_OPTIONS_INIT;
  options.mode = mode;
  options.format = TD_FORMAT_HDF5;
  td_dict *d;
  must(td_open(TD_STR(path), &options, &d, &err));
  return d;
}

/* A copy of a fixture in the test's own directory. */
static inline const char *own_copy(const char *name) {
  const char *to = path_of("%s/%s.h5", test_dir, name);
  copy_tree(h5_fixture(name), to);
  return to;
}

/* A new file of that batch size. */
static inline td_dict *create_h5(const char *path, const int64_t *batch, size_t ndim) {
  need_h5();
  td_persistent_options options = TD_PERSISTENT_OPTIONS_INIT;
  options.batch_size = batch;
  options.ndim = ndim;
  td_dict *d;
  must(td_persistent_create(TD_STR(path), &options, &d, &err));
  return d;
}

static inline void close_h5(td_dict *d) {
  must(td_persistent_close(d, &err));
  td_dict_release(d);
}

static inline void expect_keys_at(const char *file, int line, const td_dict *d, uint64_t flags, const char *expected) {
  char got[512] = "";
  td_keys *keys;
  must(td_dict_keys(d, flags, &keys, &err));
  for (size_t i = 0; i < td_keys_size(keys); ++i) {
    td_key key;
    must(td_keys_get(keys, i, &key, &err));
    for (size_t k = 0; k < key.n; ++k)
      snprintf(got + strlen(got), sizeof got - strlen(got), "%s%.*s",
               k   ? "."
               : i ? " "
                   : "",
               (int)key.parts[k].size, key.parts[k].data);
  }
  td_keys_release(keys);
  if (strcmp(got, expected) == 0) return;
  fprintf(stderr, "%s:%d: the keys are '%s', not '%s'\n", file, line, got, expected);
  failed_at(file, line, "the keys are the expected ones", NULL);
}
#define expect_keys(d, flags, expected) expect_keys_at(__FILE__, __LINE__, (d), (flags), (expected))

#endif
