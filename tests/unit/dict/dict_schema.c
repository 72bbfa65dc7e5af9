/* Dicts of zeros from a description, in memory and in files. */
#include "support/h5_files.h"

TestSuite(dict_schema, .init = make_test_dir, .fini = remove_test_dir);

#define ENTRIES                                      \
  {TD_KEY("obs"), TD_DTYPE_UINT8, 0, TD_SHAPE(4)}, { \
    TD_KEY("n", "r"), TD_DTYPE_FLOAT32, 0, NULL, 0   \
  }
static const int64_t rows[] = {3};

static void expect_zeros(const td_dict *td) {
  expect_batch(td, TD_SHAPE(3));
  td_tensor *obs = get(td, TD_KEY("obs")), *r = get(td, TD_KEY("n", "r"));
  expect_shape(obs, TD_SHAPE(3, 4));
  expect_shape(r, TD_SHAPE(3));
  check(td_tensor_dtype(obs) == TD_DTYPE_UINT8 && td_tensor_dtype(r) == TD_DTYPE_FLOAT32);
  expect_values(r, VALUES(0, 0, 0));
  td_tensor_release(obs), td_tensor_release(r);
}

LeaklessTest(dict_schema, entries_in_memory_are_zeros) {
  const td_schema_entry entries[] = {ENTRIES};
  td_dict *td;
  td_schema_options o = TD_SCHEMA_OPTIONS_INIT;
  must(td_dict_from_schema(entries, 2, rows, 1, NULL, &td, &err));
  expect_zeros(td);
  check(!td_dict_is_locked(td) && !td_dict_is_shared(td));
  check(!td_dict_device(td).data);
  td_dict_release(td);
  o.device = TD_STR("cpu");
  must(td_dict_from_schema(entries, 2, rows, 1, &o, &td, &err));
  check(says(td_dict_device(td), "cpu"));
  td_dict_release(td);
  o.device = TD_NO_STR, o.storage = TD_STORAGE_SHARED;
  must(td_dict_from_schema(entries, 2, rows, 1, &o, &td, &err));
  expect_zeros(td);
  check(td_dict_is_locked(td) && td_dict_is_shared(td));
  td_dict_release(td);
  must(td_dict_from_schema(NULL, 0, TD_NO_DIMS, NULL, &td, &err));
  check(td_dict_count(td) == 0 && td_dict_batch_size(td, NULL, 0) == 0);
  td_dict_release(td);
}

LeaklessTest(dict_schema, entries_in_files_are_there_when_they_are_opened) {
  const td_schema_entry entries[] = {ENTRIES};
  td_dict *td, *opened;
  td_schema_options o = TD_SCHEMA_OPTIONS_INIT;
  o.storage = TD_STORAGE_MEMMAP, o.path = TD_STR(path_of("%s/buffer", test_dir));
  must(td_dict_from_schema(entries, 2, rows, 1, &o, &td, &err));
  expect_zeros(td);
  check(td_dict_is_memmap(td) && td_dict_is_locked(td));
  must(td_dict_fill_(td, TD_KEY("n", "r"), TD_VALUE(td_value_double(5)), &err));
  must(td_open(o.path, NULL, &opened, &err));
  expect_entry(opened, TD_KEY("n", "r"), VALUES(5, 5, 5));
  td_dict_release(opened), td_dict_release(td);
  td = NULL;
  expect_error(td_dict_from_schema(entries, 2, rows, 1, &o, &td, &err), TD_ERR_EXISTS, NULL, NULL);
  td_save_options save = TD_SAVE_OPTIONS_INIT;
  save.overwrite = 1, o.save = &save;
  must(td_dict_from_schema(entries, 2, rows, 1, &o, &td, &err));
  expect_zeros(td);
  td_dict_release(td);
  if (!td_has_feature(TD_STR("hdf5"))) return;
  o.storage = TD_STORAGE_HDF5, o.path = TD_STR(path_of("%s/buffer.h5", test_dir)), save.overwrite = 0;
  must(td_dict_from_schema(entries, 2, rows, 1, &o, &td, &err));
  expect_zeros(td);
  check(td_dict_kind_of(td) == TD_DICT_KIND_PERSISTENT);
  put(td, TD_KEY("n", "r"), full_f32(2, TD_SHAPE(3)));
  close_h5(td);
  td = open_h5(path_of("%s/buffer.h5", test_dir), TD_OPEN_READ);
  expect_entry(td, TD_KEY("n", "r"), VALUES(2, 2, 2));
  close_h5(td);
  td = NULL;
  expect_error(td_dict_from_schema(entries, 2, rows, 1, &o, &td, &err), TD_ERR_EXISTS, NULL, NULL);
  check(td == NULL);
}

LeaklessTest(dict_schema, what_cannot_be_made_is_not_begun) {
  const td_schema_entry twice[] = {ENTRIES, {TD_KEY("obs"), TD_DTYPE_UINT8, 0, NULL, 0}},
                        through[] = {ENTRIES, {TD_KEY("obs", "x"), TD_DTYPE_UINT8, 0, NULL, 0}},
                        negative[] = {{TD_KEY("a"), TD_DTYPE_UINT8, 0, TD_SHAPE(-1)}},
                        large[] = {{TD_KEY("a"), TD_DTYPE_FLOAT64, 0, TD_SHAPE(INT64_MAX / 4)}},
                        unknown[] = {{TD_KEY("a"), 99, 0, NULL, 0}},
                        reserved[] = {{TD_KEY("a"), TD_DTYPE_UINT8, 1, NULL, 0}},
                        shape[] = {{TD_KEY("shape"), TD_DTYPE_UINT8, 0, NULL, 0}}, entries[] = {ENTRIES};
  td_schema_options o = TD_SCHEMA_OPTIONS_INIT;
  td_dict *td = NULL;
  td_format found;
  for (td_storage storage = TD_STORAGE_MEMORY; storage <= TD_STORAGE_MEMMAP; ++storage) {
    o.storage = storage, o.path = TD_STR(path_of("%s/none", test_dir));
    expect_error(td_dict_from_schema(twice, 3, rows, 1, &o, &td, &err), TD_ERR_EXISTS, "\"obs\"", "twice");
    expect_error(td_dict_from_schema(through, 3, rows, 1, &o, &td, &err), TD_ERR_KEY, NULL, NULL);
    expect_error(td_dict_from_schema(negative, 1, rows, 1, &o, &td, &err), TD_ERR_SHAPE, "\"a\"", NULL);
    expect_error(td_dict_from_schema(large, 1, rows, 1, &o, &td, &err), TD_ERR_SHAPE, "\"a\"", NULL);
    expect_error(td_dict_from_schema(entries, 2, TD_SHAPE(-1), &o, &td, &err), TD_ERR_SHAPE, NULL, NULL);
    expect_error(td_dict_from_schema(unknown, 1, rows, 1, &o, &td, &err), TD_ERR_DTYPE, NULL, NULL);
    expect_error(td_dict_from_schema(reserved, 1, rows, 1, &o, &td, &err), TD_ERR_ARGUMENT, NULL, "reserved");
  }
  expect_error(td_dict_from_schema(shape, 1, rows, 1, &o, &td, &err), TD_ERR_KEY, NULL, NULL); /* of a directory */
  o.path = TD_NO_STR;
  expect_error(td_dict_from_schema(entries, 2, rows, 1, &o, &td, &err), TD_ERR_ARGUMENT, NULL, "path");
  o.path = TD_STR(path_of("%s/none", test_dir)), o.device = TD_STR("meta");
  expect_error(td_dict_from_schema(entries, 2, rows, 1, &o, &td, &err), TD_ERR_DEVICE, NULL, NULL);
  expect_error(td_format_detect(o.path, &found, &err), TD_ERR_NOT_FOUND, NULL, NULL);
  o.storage = 9;
  expect_error(td_dict_from_schema(entries, 2, rows, 1, &o, &td, &err), TD_ERR_ARGUMENT, NULL, "td_storage");
  expect_error(td_dict_from_schema(NULL, 1, rows, 1, NULL, &td, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_dict_from_schema(entries, 2, NULL, 1, NULL, &td, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_dict_from_schema(entries, 2, rows, 1, NULL, NULL, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  check(td == NULL);
}
