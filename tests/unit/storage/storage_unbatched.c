/* Entries that belong to a whole batch, where a format has a place for them, and where it has none. */
#include "support/files.h"
#include "support/unbatched.h"

TestSuite(storage_unbatched, .init = make_test_dir, .fini = remove_test_dir);

static td_status save_as(const td_dict *td, td_format format, const char *name) {
  td_save_options options = TD_SAVE_OPTIONS_INIT;
  options.format = format;
  return td_save(td, TD_STR(path_of("%s/%s", test_dir, name)), &options, &err);
}

static td_dict *open_as(td_format format, const char *name) {
  td_open_options options = TD_OPEN_OPTIONS_INIT;
  options.format = format;
  td_dict *td = NULL;
  must(td_open(TD_STR(path_of("%s/%s", test_dir, name)), &options, &td, &err));
  return td;
}

static void count(void *userdata, td_str text, td_str where) {
  (void)where;
  *(int *)userdata += text.size > 0;
}

LeaklessTest(storage_unbatched, files_that_are_mapped_have_no_place_for_it) {
  td_dict *td = with_table(1), *out = NULL;
  td_segment *segment = NULL;
  expect_error(save_as(td, TD_FORMAT_MEMMAP, "m"), TD_ERR_UNSUPPORTED, "\"table\"", "unbatched");
  expect_error(save_as(td, TD_FORMAT_CONSOLIDATED, "c.td"), TD_ERR_UNSUPPORTED, "\"table\"", "unbatched");
  check(!there(path_of("%s/m", test_dir)) && !there(path_of("%s/c.td", test_dir)));
  expect_error(td_dict_consolidate(td, &out, &err), TD_ERR_UNSUPPORTED, "\"table\"", "unbatched");
  must(td_dict_remove(td, TD_KEY("table"), &err));
  expect_error(td_dict_consolidate(td, &out, &err), TD_ERR_UNSUPPORTED, "(\"n\", \"mask\")", "unbatched");
  expect_error(td_segment_create(TD_STR("test.unbatched"), td, NULL, &segment, &err), TD_ERR_UNSUPPORTED,
               "(\"n\", \"mask\")", "unbatched");
  check(out == NULL && segment == NULL);
  td_dict_release(td);
}

LeaklessTest(storage_unbatched, safetensors_keep_it) {
  td_dict *td = with_table(1);
  must(save_as(td, TD_FORMAT_SAFETENSORS, "s.safetensors"));
  td_dict *read = open_as(TD_FORMAT_SAFETENSORS, "s.safetensors");
  expect_batch(read, TD_SHAPE(2));
  check(is_unbatched(read, TD_KEY("table")) && is_unbatched(read, TD_KEY("n", "mask")));
  check(!is_unbatched(read, TD_KEY("x")));
  expect_entry(read, TD_KEY("table"), VALUES(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12));
  td_dict_release(read), td_dict_release(td);
}

LeaklessTest(storage_unbatched, an_archive_has_an_ordinary_tensor_where_it_can_be_one) {
  int warnings = 0;
  if (!td_has_feature(TD_STR("archive"))) return;
  td_dict *td = with_table(1);
  must(td_set_warning_callback(TD_CALLBACKS(td_warning_function, count, &warnings, NULL), &err));
  expect_error(save_as(td, TD_FORMAT_ARCHIVE, "a.tdz"), TD_ERR_UNSUPPORTED, "\"table\"", "unbatched");
  check(!there(path_of("%s/a.tdz", test_dir)) && warnings == 0);
  put_unbatched(td, TD_KEY("table"), range_f32(TD_SHAPE(2, 2)));
  must(td_dict_remove(td, TD_KEY("n", "mask"), &err));
  must(save_as(td, TD_FORMAT_ARCHIVE, "a.tdz"));
  check(warnings == 1 && is_unbatched(td, TD_KEY("table")));
  must(td_set_warning_callback(NULL, &err));
  td_dict *read = open_as(TD_FORMAT_ARCHIVE, "a.tdz");
  check(!is_unbatched(read, TD_KEY("table")));
  expect_entry(read, TD_KEY("table"), VALUES(0, 1, 2, 3));
  td_dict_release(read), td_dict_release(td);
}

LeaklessTest(storage_unbatched, an_hdf5_file_has_an_ordinary_tensor) {
  int warnings = 0;
  if (!td_has_feature(TD_STR("hdf5"))) return;
  td_dict *td = with_table(1);
  must(td_set_warning_callback(TD_CALLBACKS(td_warning_function, count, &warnings, NULL), &err));
  must(save_as(td, TD_FORMAT_HDF5, "h.h5"));
  check(warnings == 1);
  must(td_set_warning_callback(NULL, &err));
  td_dict *read = open_as(TD_FORMAT_HDF5, "h.h5");
  expect_batch(read, TD_NO_DIMS);
  check(!is_unbatched(read, TD_KEY("table")));
  expect_entry(read, TD_KEY("n", "mask"), VALUES(0, 1, 2, 3, 4));
  td_dict_release(read), td_dict_release(td);
}

LeaklessTest(storage_unbatched, a_dict_in_a_file_refuses_it) {
  if (!td_has_feature(TD_STR("hdf5"))) return;
  td_dict *td = with_table(1), *file = NULL;
  td_persistent_options options = TD_PERSISTENT_OPTIONS_INIT;
  const int64_t two = 2;
  options.batch_size = &two, options.ndim = 1;
  must(td_persistent_create(TD_STR(path_of("%s/p.h5", test_dir)), &options, &file, &err));
  td_tensor *table = get(td, TD_KEY("table"));
  expect_error(td_dict_set_unbatched(file, TD_KEY("t"), table, &err), TD_ERR_UNSUPPORTED, "\"t\"", "unbatched");
  expect_error(td_dict_set_dict(file, TD_KEY("d"), td, &err), TD_ERR_UNSUPPORTED, NULL, "unbatched");
  put(file, TD_KEY("x"), full_f32(0, TD_SHAPE(2, 3)));
  put(file, TD_KEY("table"), full_f32(0, TD_SHAPE(2, 3, 4)));
  expect_error(td_dict_set_at(file, (const td_index[]){TD_SLICE(0, TD_END)}, 1, td, &err), TD_ERR_UNSUPPORTED,
               "\"table\"", "unbatched");
  check(kind_at(file, TD_KEY("t")) == TD_ENTRY_NONE && kind_at(file, TD_KEY("d")) == TD_ENTRY_NONE);
  expect_entry(file, TD_KEY("x"), VALUES(0, 0, 0, 0, 0, 0));
  td_tensor_release(table), td_dict_release(file), td_dict_release(td);
}
