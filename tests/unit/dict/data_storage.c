/* Non-tensor data in files and segments. */
#include "support/files.h"
#include "support/saves.h"
#include "support/small_dicts.h"

TestSuite(data_storage, .init = make_test_dir, .fini = remove_test_dir);

static const char *fixture(const char *name) {
  return path_of("%s/fixtures/%s", TD_TEST_DATA, name);
}

static td_dict *open_dict(const char *path) {
  td_dict *d = NULL;
  must(td_open(TD_STR(path), NULL, &d, &err));
  return d;
}

static void set(td_dict *d, const td_key *key, td_data value) {
  must(td_dict_set_data(d, key, &value, &err));
}

/* Expects value `index` under `key` to be of that kind, with that text. */
static void expect_value(const td_dict *d, const td_key *key, size_t index, td_data_kind kind, const char *text) {
  td_data_list *list = NULL;
  td_data v;
  must(td_dict_get_data(d, key, &list, &err));
  must(td_data_list_get(list, index, &v, &err));
  cr_expect_eq(v.kind, kind, "%s is of kind %d", key->parts[key->n - 1].data, v.kind);
  cr_expect(v.text.size == strlen(text) && memcmp(v.text.data, text, v.text.size) == 0, "%.*s instead of %s",
            (int)v.text.size, v.text.data, text);
  td_data_list_release(list);
}

/* "[2,3]" for a stack, "{2,3}" for one value. */
static void expect_shape(const td_dict *d, const td_key *key, const char *shape) {
  td_data_list *list = NULL;
  int64_t dims[8];
  char got[64];
  must(td_dict_get_data(d, key, &list, &err));
  size_t ndim = td_data_list_shape(list, dims, 8), at = 0;
  got[at++] = td_data_list_is_stack(list) ? '[' : '{';
  for (size_t i = 0; i < ndim; ++i) at += (size_t)sprintf(got + at, "%s%d", i ? "," : "", (int)dims[i]);
  strcpy(got + at, td_data_list_is_stack(list) ? "]" : "}");
  cr_expect_str_eq(got, shape);
  td_data_list_release(list);
}

/* A dict of batch size [2] with data of every kind that a format holds. */
static td_dict *example(void) {
  td_dict *d = small_dict(1);
  td_data two[] = {td_data_str(TD_STR("a")), td_data_json(TD_STR("[1]"))},
          four[] = {td_data_int(1), td_data_none(), td_data_bool(1), td_data_double(0.5)};
  td_dict *deep = new_dict(TD_SHAPE(2, 2));
  set(d, TD_KEY("s"), td_data_str(TD_STR("h\xC3\xA9\n")));
  set(d, TD_KEY("n", "j"), td_data_json(TD_STR("{\"k\":[1,null]}")));
  set(d, TD_KEY("nan"), td_data_double(-1e300 * 1e300));
  must(td_dict_set_data_stack(d, TD_KEY("n", "two"), two, 2, &err));
  must(td_dict_set_data_stack(deep, TD_KEY("four"), four, 4, &err));
  must(td_dict_set_dict(d, TD_KEY("deep"), deep, &err));
  td_dict_release(deep);
  return d;
}

static void expect_example(const td_dict *d) {
  td_string *text = NULL;
  td_dict *same = example();
  expect_value(d, TD_KEY("s"), 0, TD_DATA_STR, "h\xC3\xA9\n");
  expect_value(d, TD_KEY("n", "j"), 0, TD_DATA_JSON, "{\"k\":[1,null]}");
  expect_value(d, TD_KEY("nan"), 0, TD_DATA_DOUBLE, "");
  expect_value(d, TD_KEY("n", "two"), 0, TD_DATA_STR, "a");
  expect_value(d, TD_KEY("n", "two"), 1, TD_DATA_JSON, "[1]");
  expect_value(d, TD_KEY("deep", "four"), 1, TD_DATA_NONE, "");
  expect_value(d, TD_KEY("deep", "four"), 3, TD_DATA_DOUBLE, "");
  expect_shape(d, TD_KEY("s"), "{2}");
  expect_shape(d, TD_KEY("n", "two"), "[2]");
  expect_shape(d, TD_KEY("deep", "four"), "[2,2]");
  must(td_dict_repr(d, 0, &text, &err));
  cr_expect(strstr(td_string_view(text).data, "[[1, None], [True, 0.5]]"));
  cr_expect(strstr(td_string_view(text).data, "data=-inf"));
  td_string_release(text), td_dict_release(same);
}

Test(data_storage, what_python_wrote_is_written_again_as_python_writes_it_now) {
  static const char *const cases[] = {"nontensor_json",      "nontensor_str_int_json", "nontensor_batch",
                                      "nontensor_nan",       "nontensorstack",         "nontensorstack_nested",
                                      "nontensorstack_lists"};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    const char *from = fixture(path_of("memmap/%s", cases[i])), *to = path_of("%s/%s", test_dir, cases[i]);
    td_dict *d = open_dict(from);
    must(td_save(d, TD_STR(to), NULL, &err));
    td_dict_release(d);
    expect_same_save(from, to);
    cr_expect_eq(size_of_tree(to).entries, size_of_tree(from).entries, "%s has other files", cases[i]);
  }
}

Test(data_storage, values_are_those_that_python_saved) {
  td_dict *d = open_dict(fixture("memmap/nontensor_json"));
  expect_value(d, TD_KEY("unicode"), 0, TD_DATA_STR,
               "h\xC3\xA9 \xE4\xB8\x96\xE7\x95\x8C \xF0\x9F\x98\x80 \"q\" \\ / \n\t\x01\x7F");
  expect_value(d, TD_KEY("u64"), 0, TD_DATA_JSON, "18446744073709551615");
  expect_value(d, TD_KEY("negint"), 0, TD_DATA_INT, "");
  expect_value(d, TD_KEY("float_big"), 0, TD_DATA_DOUBLE, "");
  expect_value(d, TD_KEY("none"), 0, TD_DATA_NONE, "");
  expect_value(d, TD_KEY("list"), 0, TD_DATA_JSON, "[1,\"x\",null,[2.5]]");
  td_dict_release(d);

  d = open_dict(fixture("memmap/json_stdlib_backend")); /* escapes, NaN and integers of any length */
  expect_value(d, TD_KEY("u"), 0, TD_DATA_STR, "\xC3\xA9\xF0\x9F\x98\x80");
  expect_value(d, TD_KEY("nan"), 0, TD_DATA_DOUBLE, "");
  expect_value(d, TD_KEY("inf"), 0, TD_DATA_DOUBLE, "");
  expect_value(d, TD_KEY("big"), 0, TD_DATA_JSON, "1180591620717411303424");
  td_dict_release(d);

  d = open_dict(fixture("memmap/nontensor_batch"));
  expect_shape(d, TD_KEY("k"), "{2,3}");
  td_dict_release(d);
  d = open_dict(fixture("memmap/nontensorstack_nested"));
  expect_shape(d, TD_KEY("k"), "[2,3]");
  expect_value(d, TD_KEY("k"), 5, TD_DATA_STR, "f");
  td_dict_release(d);
  d = open_dict(fixture("memmap/nontensorstack_lists")); /* deeper than its dict, as in Python */
  expect_shape(d, TD_KEY("k"), "[2,2]");
  td_dict_release(d);
}

Test(data_storage, a_save_gives_back_what_was_put_in) {
  td_dict *d = example(), *empty = new_dict(TD_SHAPE(0, 3));
  const char *path = path_of("%s/save", test_dir);
  must(td_save(d, TD_STR(path), NULL, &err));
  td_dict_release(d);
  d = open_dict(path);
  expect_example(d);
  must(td_dict_set_data_stack(empty, TD_KEY("none"), NULL, 0, &err));
  path = path_of("%s/empty", test_dir);
  must(td_save(empty, TD_STR(path), NULL, &err));
  td_dict_release(empty);
  empty = open_dict(path);
  expect_shape(empty, TD_KEY("none"), "[0,3]");
  td_dict_release(d), td_dict_release(empty);
}

Test(data_storage, a_pickle_beside_the_value_is_ignored_and_never_run) {
  const char *copy = path_of("%s/copy", test_dir);
  copy_tree(fixture("memmap/nontensor_batch"), copy);
  write_text(path_of("%s/k/other.pickle", copy), "cos\nsystem\n(S'touch pickled'\ntR.");
  td_dict *d = open_dict(copy), *none = NULL;
  expect_value(d, TD_KEY("k"), 0, TD_DATA_STR, "v");
  td_dict_release(d);
  expect_error(td_open(TD_STR(fixture("hostile/nts_pickle_name")), NULL, &none, &err), TD_ERR_CORRUPT, NULL,
               "s/meta.json");
  cr_expect_null(none);
}

#define CLASS(name) "\"_type\":\"<class 'tensordict.tensorclass." name "'>\""

Test(data_storage, bad_metadata_of_data_is_refused) {
  static const struct {
    const char *meta;
    td_status status;
    const char *words;
  } cases[] = {
      {"{" CLASS("NonTensorData") "}", TD_ERR_CORRUPT, "data is missing"},
      {"{" CLASS("NonTensorData") ",\"data\":[1}", TD_ERR_CORRUPT, "JSON"},
      {"{" CLASS("NonTensorData") ",\"data\":{\"a\":1,\"a\":2}}", TD_ERR_CORRUPT, "\"a\""},
      {"{" CLASS("NonTensorData") ",\"data\":1,\"_format_version\":2}", TD_ERR_VERSION, "version 2"},
      {"{" CLASS("MetaData") "}", TD_ERR_CORRUPT, "data is missing"},
      {"{" CLASS("NonTensorStack") ",\"data\":[1,2,3]}", TD_ERR_CORRUPT, "batch"},
      {"{" CLASS("NonTensorStack") ",\"data\":[]}", TD_ERR_CORRUPT, "batch"},
      {"{" CLASS("NonTensorStack") ",\"data\":{}}", TD_ERR_CORRUPT, "list"},
      {"{" CLASS("NonTensorStack") ",\"data\":NaN}", TD_ERR_CORRUPT, "list"},
      {"{" CLASS("NonTensorStack") ",\"data\":null}", TD_ERR_CORRUPT, "directory 0"},
      {"{" CLASS("NonTensorStack") ",\"data\":\"pickle.pkl\"}", TD_ERR_CORRUPT, "pickle.pkl"},
      {"{" CLASS("NonTensorStack") ",\"data\":\"../pickle.pkl\"}", TD_ERR_CORRUPT, "list"},
  };
  const char *path = path_of("%s/save", test_dir);
  copy_tree(fixture("memmap/nontensorstack_lists"), path);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    td_dict *none = NULL;
    write_text(path_of("%s/k/meta.json", path), cases[i].meta);
    expect_error(td_open(TD_STR(path), NULL, &none, &err), cases[i].status, NULL, cases[i].words);
    expect_error(td_open(TD_STR(path), NULL, &none, &err), cases[i].status, NULL, "\"k\"");
  }
  expect_error(td_open(TD_STR(fixture("memmap/nontensor_batch/k")), NULL, &(td_dict *){NULL}, &err), TD_ERR_UNSUPPORTED,
               NULL, "non-tensor data");
}

Test(data_storage, what_no_format_can_hold_is_refused_before_anything_is_written) {
  char deep[2 * 254 + 1];
  memset(deep, '[', 254), memset(deep + 254, ']', 254);
  deep[2 * 254] = 0;
  const td_data values[] = {td_data_bytes("\xFF", 1), td_data_json(TD_STR(deep))};
  const char *path = path_of("%s/refused", test_dir), *words[] = {"pickled", "deeply"};
  for (int i = 0; i < 2; ++i) {
    td_dict *d = small_dict(1);
    td_segment *s = NULL;
    td_data two[] = {td_data_none(), values[i]};
    set(d, TD_KEY("n", "v"), values[i]);
    expect_error(td_segment_create(TD_STR("td-data-refused"), d, NULL, &s, &err), TD_ERR_UNSUPPORTED, NULL, words[i]);
    must(td_dict_set_data_stack(d, TD_KEY("n", "v"), two, 2, &err));
    expect_error(td_save(d, TD_STR(path), NULL, &err), TD_ERR_UNSUPPORTED, NULL, words[i]);
    expect_error(td_segment_create(TD_STR("td-data-refused"), d, NULL, &s, &err), TD_ERR_UNSUPPORTED, NULL,
                 "(\"n\", \"v\")");
    td_dict_release(d);
  }
  cr_expect_eq(size_of_tree(test_dir).entries, 1, "something was left behind");
}

Test(data_storage, a_segment_holds_data_and_keeps_it) {
  const char *name = path_of("td-data-%d", (int)getpid());
  td_dict *d = example(), *views = NULL, *changed = NULL;
  td_segment *owner = NULL, *reader = NULL;
  must(td_segment_create(TD_STR(name), d, NULL, &owner, &err));
  must(td_segment_open(TD_STR(name), NULL, &reader, &err));
  must(td_segment_dict(reader, &views, &err));
  expect_example(views);
  td_dict_release(views);

  uint64_t version = td_segment_version(owner);
  must(td_segment_update(owner, d, &err));
  cr_expect_eq(td_segment_version(owner), version + 2);
  must(td_dict_clone(d, &changed, &err));
  float twos[] = {2, 2, 2, 2, 2, 2};
  put(changed, TD_KEY("a"), TD_DTYPE_FLOAT32, twos, TD_SHAPE(2, 3));
  set(changed, TD_KEY("n", "j"), td_data_int(3));
  expect_error(td_segment_update(owner, changed, &err), TD_ERR_UNSUPPORTED, NULL, "(\"n\", \"j\")");
  must(td_dict_remove(changed, TD_KEY("n", "j"), &err));
  expect_error(td_segment_update(owner, changed, &err), TD_ERR_KEY, NULL, "(\"n\", \"j\")");
  set(changed, TD_KEY("n", "j"), td_data_json(TD_STR("{\"k\": [1, null]}")));
  set(changed, TD_KEY("more"), td_data_none());
  expect_error(td_segment_update(owner, changed, &err), TD_ERR_KEY, NULL, "more");
  must(td_dict_remove(changed, TD_KEY("more"), &err));
  cr_expect_eq(td_segment_version(owner), version + 2, "a refused update wrote something");
  must(td_segment_update(owner, changed, &err));
  must(td_segment_dict(reader, &views, &err));
  cr_expect_eq(float_at(views, TD_KEY("a")), 2);
  expect_example(views);
  td_dict_release(views), td_dict_release(changed), td_dict_release(d);
  td_segment_release(reader), td_segment_release(owner);
}
