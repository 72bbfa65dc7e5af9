/* HDF5 files that we write, and keep open to write. */
#include <sys/file.h>

#include "support/h5_files.h"

TestSuite(storage_save_hdf5, .init = make_test_dir, .fini = remove_test_dir);

static td_dict *example(void) {
  td_dict *d = new_dict(TD_SHAPE(2));
  const td_dtype types[] = {TD_DTYPE_BOOL,    TD_DTYPE_UINT8,   TD_DTYPE_INT8,      TD_DTYPE_INT16,
                            TD_DTYPE_INT32,   TD_DTYPE_INT64,   TD_DTYPE_FLOAT16,   TD_DTYPE_BFLOAT16,
                            TD_DTYPE_FLOAT32, TD_DTYPE_FLOAT64, TD_DTYPE_COMPLEX64, TD_DTYPE_COMPLEX128};
  for (size_t i = 0; i < sizeof types / sizeof *types; ++i) {
    char key[8];
    snprintf(key, sizeof key, "t%d", types[i]);
    put(d, TD_KEY("types", key), counted(types[i], TD_SHAPE(2, 3)));
  }
  put(d, TD_KEY("\xd0\xb6.x"), transposed(range_f32(TD_SHAPE(3, 2))));
  put(d, TD_KEY("none"), range_f32(TD_SHAPE(2, 0)));
  put_dict(d, TD_KEY("empty"), new_dict(TD_SHAPE(2)));
  must(td_dict_set_names(d, (const td_str[]){{"time", 4}}, 1, &err));
  must(td_dict_set_data(d, TD_KEY("s"), TD_DATA(TEXT("h\xc3\xa9")), &err));
  must(td_dict_set_data(d, TD_KEY("i"), TD_DATA(td_data_int(-7)), &err));
  must(td_dict_set_data(d, TD_KEY("f"), TD_DATA(td_data_double(0.25)), &err));
  must(td_dict_set_data(d, TD_KEY("b"), TD_DATA(td_data_bool(1)), &err));
  must(td_dict_set_data(d, TD_KEY("by"), TD_DATA(td_data_bytes("x\0y", 3)), &err));
  must(td_dict_set_data(d, TD_KEY("l"), TD_DATA(td_data_json((td_str){"[[1,2.5],[3,4]]", 15})), &err));
  const td_data texts[] = {TEXT("a"), TEXT("bc")}, ints[] = {td_data_int(1), td_data_int(2)};
  must(td_dict_set_data_stack(d, TD_KEY("texts"), texts, 2, &err));
  must(td_dict_set_data_stack(d, TD_KEY("ints"), ints, 2, &err));
  return d;
}

static void expect_example(const td_dict *d) {
  td_dict *whole = example();
  td_keys *keys;
  td_tensor_list *tensors;
  expect_batch(d, TD_SHAPE(2));
  must(td_dict_leaves(whole, &keys, &tensors, &err));
  for (size_t i = 0; i < td_keys_size(keys); ++i) {
    td_key key;
    td_tensor *t;
    must(td_keys_get(keys, i, &key, &err));
    must(td_tensor_list_get(tensors, i, &t, &err));
    td_tensor *there = get(d, &key);
    check(same_values(t, there));
    td_tensor_release(t), td_tensor_release(there);
  }
  td_keys_release(keys), td_tensor_list_release(tensors), td_dict_release(whole);
  td_dict *empty = get_dict(d, TD_KEY("empty"));
  expect_batch(empty, TD_SHAPE(2));
  td_dict_release(empty);
  td_string *name;
  must(td_dict_name(d, 0, &name, &err));
  expect_text(name, "time");
  expect_data(d, TD_KEY("s"), 0, TEXT("h\xc3\xa9"));
  expect_data(d, TD_KEY("i"), 0, td_data_int(-7));
  expect_data(d, TD_KEY("f"), 0, td_data_double(0.25));
  expect_data(d, TD_KEY("b"), 0, td_data_bool(1));
  expect_data(d, TD_KEY("by"), 0, td_data_bytes("x\0y", 3));
  expect_data(d, TD_KEY("l"), 0, td_data_json((td_str){"[[1.0,2.5],[3.0,4.0]]", 21}));
  expect_data(d, TD_KEY("texts"), 1, TEXT("bc"));
  expect_data(d, TD_KEY("ints"), 1, td_data_int(2));
}

LeaklessTest(storage_save_hdf5, a_saved_dict_opens_as_it_was) {
  const char *path = path_of("%s/save.h5", test_dir), *packed = path_of("%s/packed.hdf5", test_dir);
  td_dict *d = example();
  must(td_save(d, TD_STR(path), NULL, &err));
  td_save_options options = TD_SAVE_OPTIONS_INIT;
  options.compression = TD_COMPRESSION_DEFLATE;
  options.sync = 1;
  must(td_save(d, TD_STR(packed), &options, &err));
  td_dict_release(d);
  td_dict *there = open_h5(path, TD_OPEN_READ), *other = open_h5(packed, TD_OPEN_READ),
          *memory = open_h5(path, TD_OPEN_COW);
  expect_example(there);
  expect_example(other);
  expect_example(memory);
  check(td_dict_kind_of(memory) == TD_DICT_KIND_TENSORDICT);
  td_dict_release(there), td_dict_release(other), td_dict_release(memory);
  check(size_of_tree(test_dir).entries == 3); /* the directory and two files */
}

LeaklessTest(storage_save_hdf5, compression_makes_the_file_smaller) {
  const char *path = path_of("%s/save.h5", test_dir), *packed = path_of("%s/packed.h5", test_dir);
  td_dict *d = new_dict(TD_NO_DIMS);
  td_save_options options = TD_SAVE_OPTIONS_INIT;
  put(d, TD_KEY("x"), full_f32(1, TD_SHAPE(10000)));
  must(td_save(d, TD_STR(path), NULL, &err));
  options.compression = TD_COMPRESSION_DEFLATE;
  must(td_save(d, TD_STR(packed), &options, &err));
  check(size_of_tree(path).bytes > 40000 && size_of_tree(packed).bytes < 20000);
  td_dict_release(d);
}

/* As clone(newfile=) of the original makes it. */
LeaklessTest(storage_save_hdf5, a_dict_in_a_file_is_copied_to_another_file) {
  const char *path = path_of("%s/save.h5", test_dir), *copy = path_of("%s/copy.h5", test_dir);
  td_dict *d = example();
  must(td_save(d, TD_STR(path), NULL, &err));
  td_dict_release(d);
  d = open_h5(path, TD_OPEN_READ_WRITE);
  must(td_save(d, TD_STR(copy), NULL, &err));
  must(td_dict_remove(d, TD_KEY("types"), &err));
  td_dict_release(d);
  d = open_h5(copy, TD_OPEN_READ);
  expect_example(d);
  td_dict_release(d);
}

LeaklessTest(storage_save_hdf5, a_save_replaces_what_is_there_only_when_told_and_as_a_whole) {
  const char *path = path_of("%s/save.h5", test_dir), *text = path_of("%s/text.h5", test_dir);
  td_dict *d = example(), *bad = new_dict(TD_NO_DIMS);
  td_save_options over = TD_SAVE_OPTIONS_INIT;
  over.overwrite = 1;
  must(td_save(d, TD_STR(path), NULL, &err));
  expect_error(td_save(d, TD_STR(path), NULL, &err), TD_ERR_EXISTS, NULL, NULL);
  must(td_save(d, TD_STR(path), &over, &err));
  write_text(text, "mine");
  expect_error(td_save(d, TD_STR(text), &over, &err), TD_ERR_EXISTS, NULL, "not an earlier save");
  static const struct {
    const char *key;
    td_data value;
    td_status status;
  } refused[] = {{"none", {TD_DATA_NONE, 0, 0, 0, {NULL, 0}}, TD_ERR_UNSUPPORTED},
                 {"object", {TD_DATA_JSON, 0, 0, 0, {"{\"a\":1}", 7}}, TD_ERR_UNSUPPORTED},
                 {"ragged", {TD_DATA_JSON, 0, 0, 0, {"[[1],[2,3]]", 11}}, TD_ERR_UNSUPPORTED},
                 {"mixed", {TD_DATA_JSON, 0, 0, 0, {"[1,\"a\"]", 7}}, TD_ERR_UNSUPPORTED},
                 {"nul", {TD_DATA_STR, 0, 0, 0, {"a\0b", 3}}, TD_ERR_UNSUPPORTED},
                 {"a/b", {TD_DATA_INT, 0, 1, 0, {NULL, 0}}, TD_ERR_KEY},
                 {".", {TD_DATA_INT, 0, 1, 0, {NULL, 0}}, TD_ERR_KEY},
                 {"", {TD_DATA_INT, 0, 1, 0, {NULL, 0}}, TD_ERR_KEY}};
  for (size_t i = 0; i < sizeof refused / sizeof *refused; ++i) {
    td_dict *n = new_dict(TD_NO_DIMS);
    must(td_dict_set_data(n, TD_KEY(refused[i].key), &refused[i].value, &err));
    must(td_dict_set_dict(bad, TD_KEY("n"), n, &err));
    expect_error(td_save(bad, TD_STR(path), &over, &err), refused[i].status, path_of("(\"n\", \"%s\")", refused[i].key),
                 "have no place for");
    td_dict_release(n);
  }
  expect_error(td_save(d, TD_STR(path_of("%s/no/such/x.h5", test_dir)), NULL, &err), TD_ERR_NOT_FOUND, NULL, NULL);
  td_dict_release(d), td_dict_release(bad);
  d = open_h5(path, TD_OPEN_READ);
  expect_example(d);
  td_dict_release(d);
  check(size_of_tree(test_dir).entries == 3);
}

/* 40 GB of rows that are zeros but for those that were written: an index reads and writes only those. */
LeaklessTest(storage_save_hdf5, an_index_moves_only_the_rows_it_selects) {
  const char *path = path_of("%s/big.h5", test_dir);
  copy_tree(h5_fixture("huge"), path);
  td_dict *d = open_h5(path, TD_OPEN_READ_WRITE);
  const td_index rows[] = {TD_SLICE(INT64_C(1) << 39, (INT64_C(1) << 39) + 3)};
  const int64_t far[] = {7, INT64_C(1) << 39, 7, -1};
  td_tensor *ones = full_f32(2, TD_SHAPE(3)), *places = vector_of(TD_DTYPE_INT64, far, 4), *t;
  const td_index scattered[] = {TD_TENSOR(places)};
  must(td_dict_copy_into_at(d, TD_KEY("sparse"), rows, 1, ones, &err));
  must(td_dict_get_at(d, TD_KEY("sparse"), scattered, 1, &t, &err));
  expect_values(t, VALUES(0, 2, 0, 0));
  td_tensor_release(t);
  td_tensor *values = range_f32(TD_SHAPE(4));
  must(td_dict_copy_into_at(d, TD_KEY("sparse"), scattered, 1, values, &err));
  must(td_dict_get_at(d, TD_KEY("sparse"), scattered, 1, &t, &err));
  expect_values(t, VALUES(2, 1, 2, 3)); /* of a row that comes twice the last value stays */
  td_tensor_release(t), td_tensor_release(values), td_tensor_release(ones), td_tensor_release(places);
  td_dict_release(d);
  check(size_of_tree(path).bytes < 1 << 20); /* three chunks of 4 KiB more */
}

LeaklessTest(storage_save_hdf5, one_writer_keeps_others_out_and_a_reader_cannot_write) {
  const char *path = own_copy("basic");
  td_dict *d = open_h5(path, TD_OPEN_READ_WRITE);
  int other = open(path, O_RDONLY);
  check(flock(other, LOCK_SH | LOCK_NB) != 0); /* what another process would do */
  td_dict_release(d), d = NULL;
  check(flock(other, LOCK_EX | LOCK_NB) == 0);
  td_open_options options = TD_OPEN_OPTIONS_INIT;
  options.trusted = 1;
  expect_error(td_open(TD_STR(path), &options, &d, &err), TD_ERR_IO, NULL, "another process");
  close(other);
  size_t before_size = 0, after_size = 0;
  char *before = file_bytes(path, &before_size);
  d = open_h5(path, TD_OPEN_READ);
  td_tensor *t = full_f32(1, TD_SHAPE(2, 3));
  const td_index first[] = {TD_INT(0)};
  expect_error(td_dict_set(d, TD_KEY("new"), t, &err), TD_ERR_LOCKED, "\"new\"", "reading only");
  expect_error(td_dict_set(d, TD_KEY("b", "new"), t, &err), TD_ERR_LOCKED, NULL, "reading only");
  expect_error(td_dict_copy_into(d, TD_KEY("a"), t, &err), TD_ERR_LOCKED, "\"a\"", "reading only");
  expect_error(td_dict_remove(d, TD_KEY("a"), &err), TD_ERR_LOCKED, "\"a\"", "reading only");
  expect_error(td_dict_clear(d, &err), TD_ERR_LOCKED, NULL, "reading only");
  expect_error(td_dict_rename_key_(d, TD_KEY("a"), TD_KEY("z"), 0, &err), TD_ERR_LOCKED, "\"a\"", "reading only");
  expect_error(td_dict_zero_(d, &err), TD_ERR_LOCKED, NULL, "reading only");
  expect_error(td_dict_set_at_value(d, first, 1, TD_VALUE(td_value_double(1)), &err), TD_ERR_LOCKED, NULL,
               "reading only");
  td_tensor_release(t), td_dict_release(d);
  char *after = file_bytes(path, &after_size);
  check(before_size == after_size && memcmp(before, after, before_size) == 0);
  free(before), free(after);
}

LeaklessTest(storage_save_hdf5, a_closed_file_answers_with_closed) {
  td_dict *d = open_h5(own_copy("basic"), TD_OPEN_READ_WRITE), *b = get_dict(d, TD_KEY("b"));
  td_tensor *t;
  must(td_persistent_close(b, &err));
  must(td_persistent_close(d, &err));
  expect_error(td_dict_get(d, TD_KEY("a"), &t, &err), TD_ERR_CLOSED, NULL, "closed");
  expect_error(td_dict_get(b, TD_KEY("c"), &t, &err), TD_ERR_CLOSED, NULL, "closed");
  expect_error(td_dict_remove(d, TD_KEY("a"), &err), TD_ERR_CLOSED, NULL, "closed");
  check(td_dict_count(d) == 0);
  expect_batch(d, TD_SHAPE(2));
  td_dict *plain = new_dict(TD_NO_DIMS);
  expect_error(td_persistent_close(plain, &err), TD_ERR_UNSUPPORTED, NULL, "not in a file");
  expect_error(td_persistent_close(NULL, &err), TD_ERR_ARGUMENT, NULL, NULL);
  td_dict_release(plain), td_dict_release(b), td_dict_release(d);
}

LeaklessTest(storage_save_hdf5, options_are_checked) {
  const char *path = path_of("%s/new.h5", test_dir);
  td_dict *d = NULL;
  td_persistent_options o = TD_PERSISTENT_OPTIONS_INIT;
  const int64_t negative[] = {-1}, zero[] = {0};
  o.mode = TD_OPEN_COW;
  expect_error(td_persistent_open(TD_STR(h5_fixture("basic")), &o, &d, &err), TD_ERR_ARGUMENT, NULL, "TD_OPEN_READ");
  o.mode = TD_OPEN_READ;
  o.compression = 10;
  expect_error(td_persistent_create(TD_STR(path), &o, &d, &err), TD_ERR_ARGUMENT, NULL, "compression level is 10");
  o.compression = 0, o.batch_size = negative, o.ndim = 1;
  expect_error(td_persistent_create(TD_STR(path), &o, &d, &err), TD_ERR_SHAPE, NULL, NULL);
  o.batch_size = NULL, o.ndim = 0, o.chunks = zero, o.n_chunks = 1;
  expect_error(td_persistent_create(TD_STR(path), &o, &d, &err), TD_ERR_ARGUMENT, NULL, "the size of a chunk is 0");
  o.chunks = NULL, o.n_chunks = 0, o.max_batch_dims = -2;
  expect_error(td_persistent_open(TD_STR(h5_fixture("basic")), &o, &d, &err), TD_ERR_ARGUMENT, NULL, "-2");
  expect_error(td_persistent_open(TD_STR(""), NULL, &d, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_persistent_open(TD_STR(h5_fixture("basic")), NULL, NULL, &err), TD_ERR_ARGUMENT, NULL, NULL);
  check(d == NULL && !there(path));
  const int64_t other[] = {3};
  o = (td_persistent_options)TD_PERSISTENT_OPTIONS_INIT;
  o.batch_size = other, o.ndim = 1;
  expect_error(td_persistent_open(TD_STR(h5_fixture("basic")), &o, &d, &err), TD_ERR_SHAPE, "\"a\"", "[2, 3]");
  expect_error(td_persistent_create(TD_STR(h5_fixture("basic")), NULL, &d, &err), TD_ERR_EXISTS, NULL, NULL);
}
