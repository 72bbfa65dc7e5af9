/* safetensors: files of Python's tensordict keep their tree, those of others are trees of their names. */
#include "support/expected.h"
#include "support/open.h"

TestSuite(storage_safetensors, .init = make_test_dir, .fini = remove_test_dir, .timeout = 120);

static const char *fixture(const char *name) {
  return path_of("%s/fixtures/safetensors/%s/data.safetensors", TD_TEST_DATA, name);
}

Test(storage_safetensors, what_python_wrote_opens_as_it_was) {
  static const char *const names[] = {"tree", "lazy", "checkpoint"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    const char *expected = path_of("%s/fixtures/safetensors/%s/expected.json", TD_TEST_DATA, names[i]);
    const char *copy = path_of("%s/%s.safetensors", test_dir, names[i]);
    td_dict *d = open_with(fixture(names[i]), i % 2 ? TD_OPEN_COW : TD_OPEN_READ);
    expect_as_in(expected, d);
    must(td_save(d, TD_STR(copy), NULL, &err));
    td_dict *again = open_with(copy, TD_OPEN_READ);
    expect_as_in(expected, again);
    td_dict_release(again), td_dict_release(d);
  }
}

Test(storage_safetensors, keys_with_dots_and_every_dtype_come_back) {
  const int64_t raw[4] = {1, 2, 3, 4};
  td_dict *d = new_dict(TD_NO_DIMS);
  for (td_dtype t = TD_DTYPE_BOOL; t <= TD_DTYPE_COMPLEX64; ++t) {
    if (t == TD_DTYPE_COMPLEX32 || (t >= TD_DTYPE_UINT16 && t <= TD_DTYPE_UINT64 && !td_has_feature(TD_STR("uint16"))))
      continue;
    const char *name = path_of("t%d", (int)t);
    put(d, TD_KEY("all", name), t, raw, TD_SHAPE(2));
  }
  put(d, TD_KEY("a.b", "c"), TD_DTYPE_FLOAT32, (float[]){1}, TD_SHAPE(1));
  put(d, TD_KEY("none"), TD_DTYPE_FLOAT32, raw, TD_SHAPE(0, 3));
  const char *path = path_of("%s/x.safetensors", test_dir);
  must(td_save(d, TD_STR(path), NULL, &err));
  td_dict *again = open_with(path, TD_OPEN_READ_WRITE);
  cr_expect_eq(count_leaves(again), count_leaves(d));
  td_tensor *c = tensor_at(again, TD_KEY("a.b", "c"));
  cr_expect_eq(td_tensor_dtype(c), TD_DTYPE_FLOAT32);
  cr_expect_not(td_tensor_is_read_only(c));
  td_format format = 0;
  must(td_format_detect(TD_STR(path), &format, &err));
  cr_expect_eq(format, TD_FORMAT_SAFETENSORS);
  td_tensor_release(c), td_dict_release(again), td_dict_release(d);
}

Test(storage_safetensors, what_the_format_cannot_hold_is_named) {
  const char *path = path_of("%s/no.safetensors", test_dir);
  td_dict *d = small_dict(1);
  put(d, TD_KEY("z"), TD_DTYPE_COMPLEX128, (double[]){1, 2, 3, 4}, TD_SHAPE(2));
  expect_error(td_save(d, TD_STR(path), NULL, &err), TD_ERR_UNSUPPORTED, NULL, "complex128");
  must(td_dict_remove(d, TD_KEY("z"), &err));
  put(d, TD_KEY("n.b"), TD_DTYPE_FLOAT32, (float[]){1, 2}, TD_SHAPE(2));
  expect_error(td_save(d, TD_STR(path), NULL, &err), TD_ERR_KEY, NULL, "n.b");
  must(td_dict_remove(d, TD_KEY("n.b"), &err));
  const td_data two[] = {td_data_int(1), td_data_int(2)};
  must(td_dict_set_data_stack(d, TD_KEY("s"), two, 2, &err));
  expect_error(td_save(d, TD_STR(path), NULL, &err), TD_ERR_UNSUPPORTED, NULL, "stacks of non-tensor data");
  cr_expect_eq(size_of_tree(test_dir).entries, 1, "a refused save left something");
  td_dict_release(d);
}

static const char *file_of(const char *json, size_t payload) {
  static char bytes[1 << 16];
  const int64_t n = (int64_t)strlen(json);
  memset(bytes, 0, sizeof bytes);
  memcpy(bytes, &n, 8);
  memcpy(bytes + 8, json, (size_t)n);
  const char *path = path_of("%s/made.safetensors", test_dir);
  write_file(path, bytes, 8 + (size_t)n + payload);
  return path;
}

#define T(name, shape, extent) "\"" name "\":{\"dtype\":\"F32\",\"shape\":[" shape "],\"data_offsets\":[" extent "]}"
Test(storage_safetensors, names_behind_the_name_of_a_tensor_are_not_taken_apart) {
  td_dict *d = NULL, *layer = NULL;
  must(td_open(
      TD_STR(file_of("{" T("l.w", "2", "0,8") "," T("l.w.q.m", "2", "8,16") "," T("l.b", "1", "16,20") "}", 20)), NULL,
      &d, &err));
  must(td_dict_get_dict(d, TD_KEY("l"), &layer, &err));
  cr_expect_eq(td_dict_count(d), 1);
  cr_expect_eq(td_dict_count(layer), 3);
  td_tensor_release(tensor_at(layer, TD_KEY("w")));
  td_tensor_release(tensor_at(layer, TD_KEY("w.q.m")));
  td_tensor_release(tensor_at(layer, TD_KEY("b")));
  td_dict_release(layer), td_dict_release(d);
}

Test(storage_safetensors, lenient_leaves_out_dtypes_that_are_unknown) {
  td_open_options options = TD_OPEN_OPTIONS_INIT;
  options.lenient = 1;
  options.format = TD_FORMAT_SAFETENSORS;
  td_dict *d = NULL;
  const char *path =
      file_of("{" T("a", "2", "0,8") ",\"q\":{\"dtype\":\"F6_E2M3\",\"shape\":[2],\"data_offsets\":[8,10]}}", 10);
  expect_error(td_open(TD_STR(path), NULL, &d, &err), TD_ERR_DTYPE, NULL, "F6_E2M3");
  must(td_open(TD_STR(path), &options, &d, &err));
  cr_expect_eq(td_dict_count(d), 1);
  td_tensor_release(tensor_at(d, TD_KEY("a")));
  td_dict_release(d);
}

#define TREE(text) "{\"__metadata__\":{\"tensordict\":\"" text "\"}," T("a", "2", "0,8") "}"

static const struct {
  const char *name, *json;
  size_t payload;
  td_status status;
  const char *words;
} lies[] = {
    {"overlap", "{" T("a", "2", "0,8") "," T("b", "2", "4,12") "}", 12, TD_ERR_CORRUPT, "overlap"},
    {"hole", "{" T("a", "2", "0,8") "," T("b", "2", "12,20") "}", 20, TD_ERR_CORRUPT, "hole"},
    {"tail", "{" T("a", "2", "0,8") "}", 9, TD_ERR_CORRUPT, "fill"},
    {"cut", "{" T("a", "2", "0,8") "}", 7, TD_ERR_CORRUPT, "outside"},
    {"size", "{" T("a", "3", "0,8") "}", 8, TD_ERR_CORRUPT, "size"},
    {"wide", "{" T("a", "4611686018427387904", "0,0") "}", 0, TD_ERR_CORRUPT, "64 bits"},
    {"backwards", "{" T("a", "0", "8,0") "}", 8, TD_ERR_CORRUPT, "outside"},
    {"negative", "{" T("a", "2", "-8,0") "}", 8, TD_ERR_CORRUPT, "negative"},
    {"dtype", "{\"a\":{\"dtype\":\"F6_E2M3\",\"shape\":[2],\"data_offsets\":[0,2]}}", 2, TD_ERR_DTYPE, "F6_E2M3"},
    {"twice", "{" T("a", "2", "0,8") "," T("a", "2", "8,16") "}", 16, TD_ERR_CORRUPT, "two members"},
    {"number", "{\"a\":3}", 0, TD_ERR_CORRUPT, "object"},
    {"metadata", "{\"__metadata__\":{\"x\":3}}", 0, TD_ERR_CORRUPT, "strings"},
    {"dtype below", "{\"a.b\":{\"dtype\":\"F8\",\"shape\":[2],\"data_offsets\":[0,2]}}", 2, TD_ERR_DTYPE, "at \"a.b\""},
    {"tree version", TREE("{\\\"version\\\":2,\\\"root\\\":{}}"), 8, TD_ERR_VERSION, "2"},
    {"tree cut", TREE("{\\\"version\\\":1"), 8, TD_ERR_CORRUPT, "JSON"},
    {"tree without it", TREE("{\\\"version\\\":1,\\\"root\\\":{\\\"batch_size\\\":[],\\\"keys\\\":{}}}"), 8,
     TD_ERR_CORRUPT, "not in the tree"},
    {"tree of another",
     TREE("{\\\"version\\\":1,\\\"root\\\":{\\\"batch_size\\\":[],\\\"keys\\\":{\\\"x\\\":{\\\"tensor\\\":"
          "\\\"b\\\"}}}}"),
     8, TD_ERR_CORRUPT, "missing"},
    {"batch",
     TREE("{\\\"version\\\":1,\\\"root\\\":{\\\"batch_size\\\":[3],\\\"keys\\\":{\\\"x\\\":{\\\"tensor\\\":\\\"a\\\"}"
          "}}}"),
     8, TD_ERR_CORRUPT, "batch"},
};

Test(storage_safetensors, lies_are_refused) {
  td_open_options options = TD_OPEN_OPTIONS_INIT;
  options.format = TD_FORMAT_SAFETENSORS;
  for (size_t i = 0; i < sizeof lies / sizeof *lies; ++i) {
    td_dict *d = NULL;
    td_error *error = NULL;
    const td_status got = td_open(TD_STR(file_of(lies[i].json, lies[i].payload)), &options, &d, &error);
    const char *text = error ? td_error_message(error).data : "";
    cr_expect_eq(got, lies[i].status, "%s: %s: %s", lies[i].name, td_status_name(got).data, text);
    cr_expect(strstr(text, lies[i].words), "%s: no '%s' in '%s'", lies[i].name, lies[i].words, text);
    td_error_release(error), td_dict_release(d);
  }
  td_dict *d = NULL;
  const int64_t long_header = 1000;
  const char *path = path_of("%s/long", test_dir);
  write_file(path, &long_header, 8);
  expect_error(td_open(TD_STR(path), &options, &d, &err), TD_ERR_CORRUPT, NULL, "header");
}
