/* The kinds of collection that a memmap directory may hold beside plain dicts, and what is kept of them. */
#include "support/files.h"
#include "support/saves.h"
#include "support/small_dicts.h"

TestSuite(storage_kinds, .init = make_test_dir, .fini = remove_test_dir);

static const char *fixture(const char *name) {
  return path_of("%s/fixtures/%s", TD_TEST_DATA, name);
}

static td_dict *open_dict(const char *path) {
  td_dict *d = NULL;
  must(td_open(TD_STR(path), NULL, &d, &err));
  return d;
}

static td_dict *dict_at(const td_dict *d, const td_key *key) {
  td_dict *child = NULL;
  must(td_dict_get_dict(d, key, &child, &err));
  return child;
}

static void expect_class(const td_dict *d, const char *want) {
  td_string *got = NULL;
  must(td_dict_python_class(d, &got, &err));
  cr_expect_eq(got == NULL, want == NULL);
  if (got && want) cr_expect_str_eq(td_string_view(got).data, want);
  td_string_release(got);
}

static void expect_fields(const td_dict *d, const char *want) {
  td_string *got = NULL;
  must(td_dict_python_fields(d, &got, &err));
  cr_expect_str_eq(td_string_view(got).data, want);
  td_string_release(got);
}

static void expect_floats(const td_dict *d, const td_key *key, const char *dims, size_t n, const float *want) {
  td_tensor *t = tensor_at(d, key);
  int64_t shape[8];
  char text[64] = "[";
  size_t rank = td_tensor_shape(t, shape, 8);
  for (size_t i = 0; i < rank; ++i) snprintf(text + strlen(text), 8, "%s%d", i ? "," : "", (int)shape[i]);
  strcat(text, "]");
  cr_expect_str_eq(text, dims);
  td_tensor *row_major = NULL;
  const void *data = NULL;
  must(td_tensor_contiguous(t, &row_major, &err));
  must(td_tensor_data(row_major, &data, &err));
  cr_expect(td_tensor_nbytes(t) == (int64_t)(n * sizeof *want) && memcmp(data, want, n * sizeof *want) == 0);
  td_tensor_release(t), td_tensor_release(row_major);
}

Test(storage_kinds, a_tensorclass_knows_its_class_and_keeps_it_through_operations_and_saves) {
  td_dict *d = open_dict(fixture("memmap/tensorclass")), *k = dict_at(d, TD_KEY("k")), *copy = NULL, *row = NULL;
  expect_class(d, NULL);
  expect_class(k, "__main__.Sample");
  expect_fields(k, "{\"o\":null}");
  must(td_dict_clone(d, &copy, &err));
  td_index first = {TD_INDEX_KIND_INT, 0, 0, 0, 0, NULL, NULL, 0};
  must(td_dict_index(copy, &first, 1, &row, &err));
  td_dict_release(k);
  k = dict_at(row, TD_KEY("k"));
  expect_class(k, "__main__.Sample");
  const char *path = path_of("%s/row", test_dir);
  must(td_save(row, TD_STR(path), NULL, &err));
  size_t n = 0;
  char *meta = file_bytes(path_of("%s/k/meta.json", path), &n);
  cr_expect_str_eq(meta, "{\"_type\":\"<class '__main__.Sample'>\",\"o\":null}");
  free(meta);
  cr_expect(there(path_of("%s/k/_tensordict/x.memmap", path)));

  /* A field that becomes an entry is no field any more. */
  must(td_dict_set_data(k, TD_KEY("o"), TD_DATA(td_data_int(7)), &err));
  must(td_save(k, TD_STR(path_of("%s/root", test_dir)), NULL, &err));
  meta = file_bytes(path_of("%s/root/meta.json", test_dir), &n);
  cr_expect_str_eq(meta, "{\"_type\":\"<class '__main__.Sample'>\"}");
  free(meta);
  td_dict *again = open_dict(path_of("%s/root", test_dir));
  expect_class(again, "__main__.Sample");
  td_dict_release(again), td_dict_release(k), td_dict_release(row), td_dict_release(copy), td_dict_release(d);
}

Test(storage_kinds, a_nested_tensor_is_a_stack_of_its_components) {
  td_dict *d = open_dict(fixture("memmap/nested_strided")), *b = dict_at(d, TD_KEY("b")), *row = NULL;
  expect_class(b, "torch.nested");
  cr_expect_eq(td_dict_kind_of(b), TD_DICT_KIND_LAZY_STACK);
  td_index last = {TD_INDEX_KIND_INT, 0, 1, 0, 0, NULL, NULL, 0};
  must(td_dict_index(d, &last, 1, &row, &err));
  expect_floats(row, TD_KEY("b", "values"), "[1,2]", 2, (float[]){0, 1});
  must(td_save(row, TD_STR(path_of("%s/row", test_dir)), NULL, &err));
  td_dict_release(row), td_dict_release(b), td_dict_release(d);
}

Test(storage_kinds, damaged_nested_tensors_are_refused) {
  static const struct {
    const char *shape;
    int64_t table[4];
    const char *words;
  } cases[] = {
      {"[2,2]", {1 << 20, -1, 1, 2}, "negative"},
      {"[2,2]", {INT64_C(1) << 62, 4, 1, 2}, "64 bits"},
      {"[2,2]", {INT64_C(1) << 60, 1, INT64_C(1) << 60, 1}, "large"},
      {"[2,2]", {2, 3, 2, 2}, "needs 40"},
      {"[3,2]", {2, 3, 1, 2}, "batch"},
      {"[2,3]", {2, 3, 1, 2}, "needs 48"},
      {"[2]", {2, 3, 1, 2}, "[components, dims]"},
      {"[2,0]", {2, 3, 1, 2}, ""},
      {"[-2,2]", {2, 3, 1, 2}, "negative"},
  };
  const char *path = path_of("%s/save", test_dir);
  copy_tree(fixture("memmap/nested_strided"), path);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char meta[512];
    snprintf(meta, sizeof meta,
             "{\"b\":{\"shape\":%s,\"dtype\":\"torch.float32\",\"is_nested\":true},\"shape\":[2],"
             "\"_type\":\"<class 'tensordict._td.TensorDict'>\"}",
             cases[i].shape);
    write_text(path_of("%s/meta.json", path), meta);
    write_file(path_of("%s/b.shape.memmap", path), cases[i].table, sizeof cases[i].table);
    td_dict *d = NULL;
    td_error *error = NULL;
    td_status status = td_open(TD_STR(path), NULL, &d, &error);
    if (cases[i].words[0]) {
      cr_expect_eq(status, TD_ERR_CORRUPT, "case %zu", i);
      cr_expect(error && strstr(td_error_message(error).data, cases[i].words), "case %zu: %s", i,
                error ? td_error_message(error).data : "");
    } else {
      cr_expect_eq(status, TD_OK, "components without dims have one element each");
    }
    td_error_release(error), td_dict_release(d);
  }
  cr_expect_eq(td_live_objects(TD_OBJECT_MAPPING), 0);
}

/* A view of x = [[0, 1], [2, 3], [4, 5]] with batch size [3, 2]. */
static const char *save_view(const char *meta) {
  const char *path = path_of("%s/view", test_dir);
  float x[] = {0, 1, 2, 3, 4, 5};
  if (!there(path)) {
    td_dict *d = new_dict(TD_SHAPE(3, 2));
    put(d, TD_KEY("x"), TD_DTYPE_FLOAT32, x, TD_SHAPE(3, 2));
    make_dir(path);
    must(td_save(d, TD_STR(path_of("%s/_source", path)), NULL, &err));
    td_dict_release(d);
  }
  write_text(path_of("%s/meta.json", path), meta);
  return path;
}

#define SUB(index) "{\"_type\":\"<class 'tensordict._td._SubTensorDict'>\",\"index\":" index "}"
#define VIEW(name, op, arguments)                                                                 \
  "{\"shape\":[1],\"device\":\"None\",\"_type\":\"<class 'tensordict._lazy._" name                \
  "TensorDict'>\",\"custom_op\":\"" op "\",\"inv_op\":\"" op "\",\"custom_op_kwargs\":" arguments \
  ",\"inv_op_kwargs\":{}}"

Test(storage_kinds, views_open_as_what_they_show) {
  static const struct {
    const char *meta, *dims;
    size_t n;
    float want[12];
  } cases[] = {
      {SUB("1"), "[2]", 2, {2, 3}},
      {SUB("-1"), "[2]", 2, {4, 5}},
      {SUB("[\"tuple\",[1]]"), "[2]", 2, {2, 3}},
      {SUB("[\"tuple\",[[\"slice\",{\"start\":null,\"stop\":null,\"step\":2}],1]]"), "[2]", 2, {1, 5}},
      {SUB("[\"slice\",{\"start\":-2,\"stop\":null,\"step\":null}]"), "[2,2]", 4, {2, 3, 4, 5}},
      {SUB("[\"tuple\",[[\"ellipsis\"],0]]"), "[3]", 3, {0, 2, 4}},
      {SUB("[\"list\",[2,0]]"), "[2,2]", 4, {4, 5, 0, 1}},
      {SUB("[\"list\",[true,false,true]]"), "[2,2]", 4, {0, 1, 4, 5}},
      {SUB("[\"list\",[[\"list\",[2]],[\"list\",[0]]]]"), "[2,1,2]", 4, {4, 5, 0, 1}},
      {SUB("[\"range\",{\"start\":2,\"stop\":-1,\"step\":-2}]"), "[2,2]", 4, {4, 5, 0, 1}},
      {SUB("[\"tensor\",[1,1],\"cuda:0\"]"), "[2,2]", 4, {2, 3, 2, 3}},
      {SUB("[\"tuple\",[[\"tensor\",[[true,false],[false,true],[false,false]],\"cpu\"]]]"), "[2]", 2, {0, 3}},
      {SUB("[\"tuple\",[[\"tensor\",2,\"cpu\"],null]]"), "[1,2]", 2, {4, 5}},
      {SUB("[null,0]"), "[1,2]", 2, {0, 1}}, /* without tags, as older versions wrote it */
      {SUB("[2,1]"), "[]", 1, {5}},
      {SUB("[]"), "[3,2]", 6, {0, 1, 2, 3, 4, 5}},
      {VIEW("Unsqueezed", "unsqueeze", "{\"dim\":1}"), "[3,1,2]", 6, {0, 1, 2, 3, 4, 5}},
      {VIEW("Permuted", "permute", "{\"dims\":[1,0]}"), "[2,3]", 6, {0, 2, 4, 1, 3, 5}},
      {VIEW("Transposed", "transpose", "{\"dim0\":0,\"dim1\":1}"), "[2,3]", 6, {0, 2, 4, 1, 3, 5}},
      {VIEW("Viewed", "view", "{\"size\":[6]}"), "[6]", 6, {0, 1, 2, 3, 4, 5}},
      {VIEW("Squeezed", "squeeze", "{}"), "[3,2]", 6, {0, 1, 2, 3, 4, 5}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    td_dict *d = NULL;
    td_error *error = NULL;
    td_status status = td_open(TD_STR(save_view(cases[i].meta)), NULL, &d, &error);
    cr_assert_eq(status, TD_OK, "%s: %s", cases[i].meta, error ? td_error_message(error).data : "");
    expect_floats(d, TD_KEY("x"), cases[i].dims, cases[i].n, cases[i].want);
    td_dict_release(d);
  }
}

Test(storage_kinds, bad_views_are_refused) {
  static const char *const cases[] = {
      SUB("3"),
      SUB("\"x\""),
      SUB("1.5"),
      SUB("{}"),
      SUB("[0,0,0]"),
      SUB("[\"tuple\",[[\"ellipsis\"],[\"ellipsis\"]]]"),
      SUB("[\"slice\",{\"start\":0,\"stop\":1}]"),
      SUB("[\"slice\",{\"start\":0,\"stop\":1,\"step\":-1}]"),
      SUB("[\"slice\",[0,1]]"),
      SUB("[\"range\",{\"start\":0,\"stop\":9223372036854775807,\"step\":1}]"),
      SUB("[\"range\",{\"start\":0,\"stop\":2,\"step\":0}]"),
      SUB("[\"tensor\",[[1],[1,2]],\"cpu\"]"),
      SUB("[\"tensor\",[1,true],\"cpu\"]"),
      SUB("[\"tensor\",[7],\"cpu\"]"),
      SUB("[\"tensor\",[true],\"cpu\"]"),
      SUB("[\"open\",\"/etc/passwd\"]"),
      SUB("[\"tensor\",[99999999999999999999],\"cpu\"]"),
      "{\"_type\":\"<class 'tensordict._td._SubTensorDict'>\"}",
      VIEW("Unsqueezed", "system", "{\"dim\":1}"),
      VIEW("Unsqueezed", "unsqueeze", "{\"dim\":9}"),
      VIEW("Unsqueezed", "unsqueeze", "{}"),
      VIEW("Permuted", "permute", "{\"dims\":[1,1]}"),
      VIEW("Viewed", "view", "{\"size\":[7]}"),
      VIEW("Viewed", "view", "{\"size\":\"7\"}"),
      VIEW("Viewed", "view", "[]"),
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    td_dict *d = NULL;
    td_error *error = NULL;
    cr_expect_eq(td_open(TD_STR(save_view(cases[i])), NULL, &d, &error), TD_ERR_CORRUPT, "%s", cases[i]);
    cr_expect(error && td_error_where(error).size > 0, "%s: no file is named", cases[i]);
    td_error_release(error);
  }
  const char *path = save_view(SUB("0"));
  remove_tree(path_of("%s/_source", path));
  expect_error(td_open(TD_STR(path), NULL, &(td_dict *){NULL}, &err), TD_ERR_CORRUPT, NULL, "_source");
  cr_expect_eq(td_live_objects(TD_OBJECT_MAPPING), 0);
}

#define DATA(name, more) "{\"_type\":\"<class 'tensordict.tensorclass." name "'>\"" more "}"

static void expect_value(const td_dict *d, size_t index, td_data_kind kind, const char *text) {
  td_data_list *list = NULL;
  td_data v;
  must(td_dict_get_data(d, TD_KEY("k"), &list, &err));
  must(td_data_list_get(list, index, &v, &err));
  cr_expect_eq(v.kind, kind);
  cr_expect(v.text.size >= strlen(text) && !memcmp(v.text.data, text, strlen(text)), "%.*s", (int)v.text.size,
            v.text.data);
  td_data_list_release(list);
}

Test(storage_kinds, non_tensor_data_opens_however_it_lies) {
  const char *path = path_of("%s/save", test_dir);
  copy_tree(fixture("memmap/nontensorstack_lists"), path); /* "k" in a dict of batch size [2] */
  write_text(path_of("%s/k/meta.json", path), DATA("MetaData", ",\"data\":\"m\",\"_is_non_tensor\":true"));
  td_dict *d = open_dict(path);
  expect_value(d, 0, TD_DATA_STR, "m");
  td_dict_release(d);

  write_text(path_of("%s/k/meta.json", path), DATA("NonTensorStack", ",\"stack_dim\":0,\"device\":null,\"data\":null"));
  for (int i = 0; i < 2; ++i) {
    make_dir(path_of("%s/k/%d", path, i));
    write_text(path_of("%s/k/%d/meta.json", path, i),
               i ? DATA("NonTensorData", ",\"data\":[1]") : DATA("NonTensorData", ",\"data\":\"zero\""));
  }
  d = open_dict(path);
  expect_value(d, 0, TD_DATA_STR, "zero");
  expect_value(d, 1, TD_DATA_JSON, "[1]");
  td_dict_release(d);
  remove_tree(path_of("%s/k/1", path));
  expect_error(td_open(TD_STR(path), NULL, &d, &err), TD_ERR_CORRUPT, NULL, "batch");
}

Test(storage_kinds, metadata_keeps_its_name) {
  const char *path = path_of("%s/save", test_dir);
  copy_tree(fixture("memmap/nontensorstack_lists"), path); /* "k" in a dict of batch size [2] */
  write_text(path_of("%s/k/meta.json", path), DATA("MetaData", ",\"data\":\"m\",\"_is_non_tensor\":true"));
  td_dict *d = open_dict(path), *row = NULL, *both = NULL, *again = NULL;
  td_index rows = {TD_INDEX_KIND_SLICE, 0, 0, 1, 1, NULL, NULL, 0};
  must(td_dict_index(d, &rows, 1, &row, &err));
  must(td_dict_stack((const td_dict *const[]){d, d}, 2, 0, &both, &err));
  must(td_save(both, TD_STR(path_of("%s/both", test_dir)), NULL, &err));
  again = open_dict(path_of("%s/both", test_dir));
  const td_dict *kept[] = {d, row, both, again};
  for (size_t i = 0; i < 4; ++i) {
    td_string *text = NULL;
    must(td_dict_repr(kept[i], 0, &text, &err));
    cr_expect_not_null(strstr(td_string_view(text).data, "k: MetaData(data=m, "), "%s", td_string_view(text).data);
    td_string_release(text);
  }
  must(td_dict_set_data(d, TD_KEY("k"), TD_DATA(td_data_str(TD_STR("m"))), &err)); /* another value: one of our own */
  td_string *text = NULL;
  must(td_dict_repr(d, 0, &text, &err));
  cr_expect_not_null(strstr(td_string_view(text).data, "k: NonTensorData(data=m, "));
  td_string_release(text);
  td_dict_release(d), td_dict_release(row), td_dict_release(both), td_dict_release(again);
}

Test(storage_kinds, pickles_are_kept_as_they_are_and_never_run) {
  const char *path = path_of("%s/save", test_dir), *evil =
                                                       "\x80\x04"
                                                       "cos\nsystem\n(S'touch pickled'\ntR.";
  copy_tree(fixture("memmap/nontensorstack_pickle"), path);
  write_text(path_of("%s/k/pickle.pkl", path), evil);
  td_dict *d = open_dict(path), *part = NULL;
  expect_value(d, 1, TD_DATA_PICKLE, evil);
  must(td_save(d, TD_STR(path_of("%s/again", test_dir)), NULL, &err));
  expect_same_save(path, path_of("%s/again", test_dir));
  td_index first = {TD_INDEX_KIND_INT, 0, 0, 0, 0, NULL, NULL, 0};
  must(td_dict_index(d, &first, 1, &part, &err));
  expect_error(td_save(part, TD_STR(path_of("%s/part", test_dir)), NULL, &err), TD_ERR_UNSUPPORTED, NULL, "pickled");
  td_dict_release(part);
  td_index one_row = {TD_INDEX_KIND_SLICE, 0, 0, 1, 1, NULL, NULL, 0};
  must(td_dict_index(d, &one_row, 1, &part, &err));
  expect_error(td_save(part, TD_STR(path_of("%s/part", test_dir)), NULL, &err), TD_ERR_UNSUPPORTED, NULL, "whole");
  td_dict_release(part), td_dict_release(d);
  cr_expect_not(there("pickled"));

  d = small_dict(1);
  char big[70000];
  memset(big, 'x', sizeof big);
  must(td_dict_set_data(d, TD_KEY("k"), TD_DATA(td_data_bytes(big, sizeof big)), &err));
  must(td_dict_set_data(d, TD_KEY("p"), TD_DATA(td_data_pickle("N.", 2)), &err));
  must(td_save(d, TD_STR(path_of("%s/bytes", test_dir)), NULL, &err));
  td_dict_release(d);
  d = open_dict(path_of("%s/bytes", test_dir));
  expect_value(d, 0, TD_DATA_BYTES, "xxx");
  td_dict_release(d);
  td_data odd = td_data_pickle("N.", 2);
  odd.i = 0;
  d = small_dict(1);
  expect_error(td_dict_set_data(d, TD_KEY("k"), &odd, &err), TD_ERR_ARGUMENT, NULL, "-1");
  td_dict_release(d);
}

Test(storage_kinds, leniency_leaves_out_what_is_missing) {
  td_open_options lenient = TD_OPEN_OPTIONS_INIT;
  lenient.lenient = 1;
  td_dict *d = NULL;
  td_keys *keys = NULL;
  must(td_open(TD_STR(fixture("hostile/missing_leaf")), &lenient, &d, &err));
  must(td_dict_keys(d, TD_KEYS_NESTED, &keys, &err));
  cr_expect_eq(td_keys_size(keys), 2); /* n and n, b: not a */
  td_keys_release(keys), td_dict_release(d);

  const char *path = path_of("%s/lazy", test_dir);
  copy_tree(fixture("memmap/lazy_hetero"), path);
  remove_tree(path_of("%s/l/1", path));
  expect_error(td_open(TD_STR(path), NULL, &d, &err), TD_ERR_CORRUPT, NULL, "member 2");
  expect_error(td_open(TD_STR(path), &lenient, &d, &err), TD_ERR_CORRUPT, NULL,
               "batch"); /* one member in a dict of three */
  must(td_open(TD_STR(path_of("%s/l", path)), &lenient, &d, &err));
  int64_t batch = 0;
  cr_expect_eq(td_dict_batch_size(d, &batch, 1), 1);
  cr_expect_eq(batch, 1);
  td_dict_release(d);
  static const char *const refused[] = {"short_file", "bad_dtype", "batch_mismatch", "deep_json", "shape_wraps_to_0"};
  for (size_t i = 0; i < sizeof refused / sizeof *refused; ++i)
    cr_expect_neq(td_open(TD_STR(fixture(path_of("hostile/%s", refused[i]))), &lenient, &d, NULL), TD_OK);
}

Test(storage_kinds, names_of_dims_are_read_where_newer_versions_wrote_them) {
  const char *path = path_of("%s/save", test_dir);
  make_dir(path);
  write_text(path_of("%s/meta.json", path),
             "{\"shape\": [2, 3], \"device\": \"cpu\", \"_type\": \"<class 'tensordict._td.TensorDict'>\", "
             "\"_format_version\": 1, \"_class\": \"tensordict:TensorDict\", \"_names\": [\"time\", null]}");
  td_dict *d = open_dict(path);
  td_string *text = NULL;
  must(td_dict_name(d, 0, &text, &err));
  cr_expect_str_eq(td_string_view(text).data, "time");
  td_string_release(text), td_dict_release(d);
}

static void expect_name(const td_dict *d, int64_t dim, const char *name) {
  td_string *text = NULL;
  must(td_dict_name(d, dim, &text, &err));
  cr_expect(name ? text && !strcmp(td_string_view(text).data, name) : !text, "dim %d", (int)dim);
  td_string_release(text);
}

Test(storage_kinds, names_of_dims_are_written_as_newer_versions_do) {
  td_dict *d = new_dict(TD_SHAPE(2, 1)), *n = new_dict(TD_SHAPE(2, 1, 3)), *got = NULL;
  must(td_dict_set_dict(d, TD_KEY("n"), n, &err));
  must(td_dict_set_names(d, (const td_str[]){TD_STR("time"), TD_NO_STR}, 2, &err));
  td_dict *stack = NULL;
  must(td_dict_lazy_stack(&d, 1, 1, &stack, &err));
  must(td_dict_set_names(stack, (const td_str[]){TD_STR("time"), TD_STR("of"), TD_NO_STR}, 3, &err));
  static const char *const endings[] = {"", ".tdz"};
  for (size_t i = 0; i < sizeof endings / sizeof *endings; ++i) {
    if (i && !td_has_feature(TD_STR("archive"))) continue;
    const char *path = path_of("%s/dict%s", test_dir, endings[i]), *lazy = path_of("%s/lazy%s", test_dir, endings[i]);
    must(td_save(d, TD_STR(path), NULL, &err));
    must(td_save(stack, TD_STR(lazy), NULL, &err));
    got = open_dict(path);
    expect_name(got, 0, "time"), expect_name(got, 1, NULL);
    td_dict *below = NULL;
    must(td_dict_get_dict(got, TD_KEY("n"), &below, &err));
    expect_name(below, 0, "time"), expect_name(below, 2, NULL);
    td_dict_release(below), td_dict_release(got);
    got = open_dict(lazy);
    expect_name(got, 0, "time"), expect_name(got, 1, "of"), expect_name(got, 2, NULL);
    td_dict_release(got);
  }
  size_t size = 0;
  char *meta = file_bytes(path_of("%s/dict/meta.json", test_dir), &size);
  cr_expect_str_eq(meta,
                   "{\"n\":{\"type\":\"TensorDict\"},\"shape\":[2,1],\"device\":\"cpu\","
                   "\"_type\":\"<class 'tensordict._td.TensorDict'>\",\"_format_version\":1,"
                   "\"_class\":\"tensordict:TensorDict\",\"_names\":[\"time\",null]}");
  free(meta);
  meta = file_bytes(path_of("%s/lazy/meta.json", test_dir), &size);
  cr_expect_str_eq(meta,
                   "{\"_type\":\"<class 'tensordict._lazy.LazyStackedTensorDict'>\",\"_format_version\":1,"
                   "\"_class\":\"tensordict:LazyStackedTensorDict\",\"stack_dim\":1,\"stack_dim_name\":\"of\"}");
  free(meta);
  td_dict_release(d), td_dict_release(n), td_dict_release(stack);
}
