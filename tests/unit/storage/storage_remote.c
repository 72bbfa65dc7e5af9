/* Dicts on servers: what is set comes back, laid out as Python's TensorDictStore does it. */
#include "support/redis_server.h"

TestSuite(storage_remote, .init = open_server, .fini = close_server);

LeaklessTest(storage_remote, the_server_has_the_keys_that_python_reads) {
  td_dict *d = create_remote("T1", TD_SHAPE(4));
  check(td_dict_kind_of(d) == TD_DICT_KIND_PERSISTENT && td_persistent_is_writable(d));
  expect_raw("[4]", "GET tensordict:{T1}:__batch_size__");
  expect_raw("", "GET tensordict:{T1}:__device__");
  put(d, TD_KEY("obs"), range_f32(TD_SHAPE(4, 3)));
  put(d, TD_KEY("next", "reward"), counted(TD_DTYPE_INT8, TD_SHAPE(4)));
  must(td_dict_set_data(d, TD_KEY("note"), TD_DATA(TEXT("hi")), &err));
  const td_data texts[] = {TEXT("a"), TEXT("b"), TEXT("c"), TEXT("d")};
  must(td_dict_set_data_stack(d, TD_KEY("texts"), texts, 4, &err));
  expect_raw("next.reward note obs texts", "SORT tensordict:{T1}:__keys__ ALPHA");
  expect_raw("shape [4, 3] dtype torch.float32", "HGETALL tensordict:{T1}:m:obs");
  expect_raw("shape [4] dtype torch.int8", "HGETALL tensordict:{T1}:m:next.reward");
  expect_raw(":48", "STRLEN tensordict:{T1}:d:obs");
  check(strcmp(raw("GET tensordict:{T1}:d:next.reward"), "$4\r\n") == 0); /* then a zero */
  check(memcmp(raw("GET tensordict:{T1}:d:next.reward"), "$4\r\n\0\1\2\3\r\n", 10) == 0);
  expect_raw("is_non_tensor 1 encoding json", "HGETALL tensordict:{T1}:m:note");
  expect_raw("\"hi\"", "GET tensordict:{T1}:d:note");
  expect_raw("is_non_tensor 1 encoding json_array", "HGETALL tensordict:{T1}:m:texts");
  expect_raw("[\"a\",\"b\",\"c\",\"d\"]", "GET tensordict:{T1}:d:texts");
  expect_raw(":0", "EXISTS tensordict:{T1}:__labels__");
  td_dict_release(d);
}

LeaklessTest(storage_remote, what_python_wrote_is_read_and_nothing_is_written_by_that) {
  raw("SET tensordict:{P}:__batch_size__ \"[2]\"");
  raw("SET tensordict:{P}:__device__ cuda:0");
  raw("SADD tensordict:{P}:__keys__ a n.b s l set");
  raw("SET tensordict:{P}:d:a \"\\x00\\x00\\x80\\x3f\\x00\\x00\\x00\\x40\"");
  raw("HSET tensordict:{P}:m:a shape \"[2]\" dtype torch.float32");
  raw("SET tensordict:{P}:d:n.b \"\\x80\\x3f\\x00\\x40\"");
  raw("HSET tensordict:{P}:m:n.b shape \"[2, 1]\" dtype torch.bfloat16");
  raw("SET tensordict:{P}:d:s \"\\\"h\\\\u00e9\\\"\"");
  raw("HSET tensordict:{P}:m:s is_non_tensor 1 encoding json");
  raw("SET tensordict:{P}:d:l \"[1, {\\\"k\\\": null}]\"");
  raw("HSET tensordict:{P}:m:l is_non_tensor 1 encoding json_array");
  raw("SET tensordict:{P}:d:set \"\\x80\\x04\\x8f\\x94.\"");
  raw("HSET tensordict:{P}:m:set is_non_tensor 1 encoding pickle");
  char before[200], after[200];
  snprintf(before, sizeof before, "%.30s", strstr(raw("INFO persistence"), "rdb_changes_since"));

  td_dict *d = open_remote("P", TD_OPEN_READ);
  expect_batch(d, TD_SHAPE(2));
  expect_entry(d, TD_KEY("a"), VALUES(1, 2));
  expect_entry(d, TD_KEY("n", "b"), VALUES(1, 2));
  expect_data(d, TD_KEY("s"), 0, TEXT("h\xc3\xa9"));
  expect_data(d, TD_KEY("l"), 0, td_data_int(1));
  expect_data(d, TD_KEY("l"), 1, td_data_json((td_str){"{\"k\":null}", 10}));
  td_data_list *list;
  td_data v;
  must(td_dict_get_data(d, TD_KEY("set"), &list, &err));
  must(td_data_list_get(list, 0, &v, &err));
  check(v.kind == TD_DATA_PICKLE);
  td_data_list_release(list);
  check(kind_at(d, TD_KEY("n.b")) == TD_ENTRY_NONE && kind_at(d, TD_KEY("")) == TD_ENTRY_NONE);
  check(version_of(d) == 0);
  expect_error(td_dict_fill_(d, TD_KEY("a"), TD_VALUE(td_value_double(3)), &err), TD_ERR_LOCKED, NULL, NULL);
  td_dict *copy = NULL;
  must(td_dict_clone(d, &copy, &err));
  expect_entry(copy, TD_KEY("n", "b"), VALUES(1, 2));
  td_dict_release(copy), td_dict_release(d);
  snprintf(after, sizeof after, "%.30s", strstr(raw("INFO persistence"), "rdb_changes_since"));
  check(strcmp(before, after) == 0);
}

LeaklessTest(storage_remote, tensors_of_every_dtype_and_layout_come_back) {
  td_dict *d = create_remote("all", TD_SHAPE(2));
  const td_dtype types[] = {TD_DTYPE_BOOL,      TD_DTYPE_UINT8,     TD_DTYPE_INT16,    TD_DTYPE_INT32,
                            TD_DTYPE_INT64,     TD_DTYPE_FLOAT16,   TD_DTYPE_BFLOAT16, TD_DTYPE_FLOAT64,
                            TD_DTYPE_COMPLEX64, TD_DTYPE_COMPLEX128};
  td_dict *filled = new_dict(TD_SHAPE(2));
  for (size_t i = 0; i < sizeof types / sizeof *types; ++i) {
    char key[8];
    snprintf(key, sizeof key, "t%d", types[i]);
    put(filled, TD_KEY("types", key), counted(types[i], TD_SHAPE(2, 3)));
  }
  put(filled, TD_KEY("\xd0\xb6 x"), transposed(range_f32(TD_SHAPE(3, 2))));
  put(filled, TD_KEY("none"), range_f32(TD_SHAPE(2, 0)));
  put(filled, TD_KEY("deep", "x"), range_f32(TD_SHAPE(2, 3)));
  must(td_dict_update(d, filled, NULL, &err));
  check(version_of(d) == 2); /* that of the new dict, and one update */

  td_dict *again = open_remote("all", TD_OPEN_READ);
  td_keys *keys;
  td_tensor_list *tensors;
  must(td_dict_leaves(filled, &keys, &tensors, &err));
  for (size_t i = 0; i < td_keys_size(keys); ++i) {
    td_key key;
    td_tensor *t;
    must(td_keys_get(keys, i, &key, &err));
    must(td_tensor_list_get(tensors, i, &t, &err));
    td_tensor *there = get(again, &key);
    check(same_values(t, there));
    td_tensor_release(t), td_tensor_release(there);
  }
  td_keys_release(keys), td_tensor_list_release(tensors);
  td_dict_release(again), td_dict_release(filled), td_dict_release(d);
}

LeaklessTest(storage_remote, nodes_names_and_data_come_back) {
  td_dict *d = create_remote("all", TD_SHAPE(2)), *filled = new_dict(TD_SHAPE(2)), *deep = new_dict(TD_SHAPE(2, 3));
  put_dict(filled, TD_KEY("empty"), new_dict(TD_SHAPE(2)));
  put(deep, TD_KEY("x"), range_f32(TD_SHAPE(2, 3)));
  must(td_dict_set_names(deep, (const td_str[]){{"t", 1}, {"u", 1}}, 2, &err));
  put_dict(filled, TD_KEY("deep"), deep);
  must(td_dict_set_data(filled, TD_KEY("by"), TD_DATA(td_data_bytes("x\0y", 3)), &err));
  const td_data blobs[] = {td_data_bytes("a", 1), td_data_bytes("bc", 2)};
  must(td_dict_set_data_stack(filled, TD_KEY("blobs"), blobs, 2, &err));
  must(td_dict_update(d, filled, NULL, &err));
  check(version_of(d) == 2); /* that of the new dict, and one update */

  td_dict *again = open_remote("all", TD_OPEN_READ);
  td_dict *n = get_dict(again, TD_KEY("empty"));
  expect_batch(n, TD_SHAPE(2));
  td_dict_release(n);
  n = get_dict(again, TD_KEY("deep"));
  expect_batch(n, TD_SHAPE(2, 3));
  td_string *name;
  must(td_dict_name(n, 1, &name, &err));
  expect_text(name, "u");
  td_dict_release(n);
  expect_data(again, TD_KEY("by"), 0, td_data_bytes("x\0y", 3));
  expect_data(again, TD_KEY("blobs"), 1, td_data_bytes("bc", 2));
  td_dict_release(again), td_dict_release(filled), td_dict_release(d);
}

LeaklessTest(storage_remote, entries_are_replaced_renamed_and_removed_with_all_that_was_there) {
  td_dict *d = create_remote("E", TD_SHAPE(2));
  put(d, TD_KEY("a", "x"), range_f32(TD_SHAPE(2)));
  put(d, TD_KEY("a", "y", "z"), range_f32(TD_SHAPE(2)));
  must(td_dict_rename_key_(d, TD_KEY("a"), TD_KEY("b"), 0, &err));
  expect_raw("b.x b.y.z", "SORT tensordict:{E}:__keys__ ALPHA");
  must(td_dict_rename_key_(d, TD_KEY("b", "y"), TD_KEY("b"), 0, &err));
  expect_raw("b.z", "SORT tensordict:{E}:__keys__ ALPHA");
  expect_entry(d, TD_KEY("b", "z"), VALUES(0, 1));
  put(d, TD_KEY("b"), counted(TD_DTYPE_INT32, TD_SHAPE(2)));
  expect_raw("b", "SORT tensordict:{E}:__keys__ ALPHA");
  must(td_dict_set_data(d, TD_KEY("b"), TD_DATA(td_data_int(3)), &err));
  expect_raw("is_non_tensor 1 encoding json", "HGETALL tensordict:{E}:m:b");
  must(td_dict_remove(d, TD_KEY("b"), &err));
  expect_raw("", "SORT tensordict:{E}:__keys__ ALPHA");
  expect_raw(":0", "EXISTS tensordict:{E}:m:b tensordict:{E}:d:b tensordict:{E}:d:b.z tensordict:{E}:d:a.x");
  put(d, TD_KEY("n", "x"), range_f32(TD_SHAPE(2)));
  must(td_dict_remove(d, TD_KEY("n", "x"), &err));
  check(kind_at(d, TD_KEY("n")) == TD_ENTRY_DICT); /* without entries */
  expect_error(td_dict_set_data(d, TD_KEY("p.q"), TD_DATA(td_data_int(3)), &err), TD_ERR_KEY, "\"p.q\"", "'.'");
  td_dict_release(d);
}

LeaklessTest(storage_remote, dicts_are_made_once_listed_and_removed) {
  td_dict *d = create_remote("one", TD_SHAPE(2)), *other = NULL;
  put(d, TD_KEY("n", "a"), range_f32(TD_SHAPE(2)));
  td_dict_release(d);
  td_dict_release(create_remote("two", TD_NO_DIMS));
  raw("SET tensordict:{old}:__type__ lazy_stack");
  raw("SET other:{three}:__batch_size__ \"[]\"");
  expect_error(td_remote_create(TD_STR(url_of("one")), NULL, &other, &err), TD_ERR_EXISTS, NULL, NULL);
  expect_error(td_remote_open(TD_STR(url_of("three")), NULL, &other, &err), TD_ERR_NOT_FOUND, NULL, NULL);
  expect_error(td_remote_open(TD_STR(url_of("old")), NULL, &other, &err), TD_ERR_CORRUPT, NULL, "number of members");
  td_keys *ids = NULL;
  must(td_remote_list(TD_STR(path_of("unix://%s", socket_path())), NULL, &ids, &err));
  check(td_keys_size(ids) == 3);
  td_key key;
  must(td_keys_get(ids, 1, &key, &err));
  check(key.n == 1 && says(key.parts[0], "one"));
  td_keys_release(ids);
  must(td_remote_remove(TD_STR(url_of("one")), NULL, &err));
  must(td_remote_remove(TD_STR(url_of("old")), NULL, &err));
  must(td_remote_remove(TD_STR(path_of("%s&prefix=other", url_of("three"))), NULL, &err));
  must(td_remote_remove(TD_STR(url_of("two")), NULL, &err));
  expect_error(td_remote_remove(TD_STR(url_of("one")), NULL, &err), TD_ERR_NOT_FOUND, NULL, NULL);
  expect_raw(":0", "DBSIZE");
  check(other == NULL);
}

LeaklessTest(storage_remote, an_url_says_what_is_wrong_with_it) {
  static const struct {
    const char *url, *says;
  } bad[] = {{"http://localhost?id=x", "scheme"},
             {"redis://localhost:6379/0", "no id"},
             {"redis://localhost:99999/0?id=x", "port"},
             {"redis://localhost:1:2/0?id=x", NULL},
             {"redis://:6379?id=x", "host"},
             {"redis://localhost/one?id=x", "database"},
             {"redis://localhost?id=x&colour=blue", "colour"},
             {"redis://localhost?id=x%4", "%"},
             {"redis://localhost?id=%00", "zero byte"},
             {"redis://localhost?id=x&prefix=", "prefix"},
             {"unix://relative?id=x", "absolute"}};
  td_dict *d = NULL;
  td_remote_options options = TD_REMOTE_OPTIONS_INIT;
  options.timeout_ms = 1000;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i)
    if (bad[i].says)
      expect_error(td_remote_open(TD_STR(bad[i].url), &options, &d, &err), TD_ERR_ARGUMENT, NULL, bad[i].says);
  expect_error(td_remote_open(TD_STR("rediss://localhost?id=x"), NULL, &d, &err), TD_ERR_UNSUPPORTED, NULL, NULL);
  expect_error(td_remote_open(TD_STR("redis://127.0.0.1:1?id=x"), NULL, &d, &err), TD_ERR_CLOSED, NULL, "reached");
  td_keys *ids = NULL;
  expect_error(td_remote_list(TD_STR(url_of("x")), NULL, &ids, &err), TD_ERR_ARGUMENT, NULL, "id");
  options.timeout_ms = -1;
  expect_error(td_remote_open(TD_STR(url_of("x")), &options, &d, &err), TD_ERR_ARGUMENT, NULL, "timeout");
  check(d == NULL && ids == NULL);
}

LeaklessTest(storage_remote, a_password_and_a_database_are_used_and_not_shown) {
  raw("CONFIG SET requirepass \"p@ss\"");
  td_dict *d = NULL;
  expect_error(td_remote_create(TD_STR(url_of("x")), NULL, &d, &err), TD_ERR_IO, NULL, "NOAUTH");
  const char *wrong = path_of("%s&password=no", url_of("x"));
  expect_error(td_remote_create(TD_STR(wrong), NULL, &d, &err), TD_ERR_IO, NULL, NULL);
  const char *url = path_of("unix://:p%%40ss@%s?db=3&id=x", socket_path());
  must(td_remote_create(TD_STR(url), NULL, &d, &err));
  td_string *file = NULL;
  must(td_persistent_file(d, &file, &err));
  expect_text(file, path_of("unix://%s?db=3&id=x", socket_path()));
  td_dict_release(d);
  must(td_remote_remove(TD_STR(url), NULL, &err));
}

static void expect_damage(const char *command, const char *key, td_status code) {
  td_dict *d = create_remote("D", TD_SHAPE(2));
  put(d, TD_KEY("n", "a"), range_f32(TD_SHAPE(2, 3)));
  raw("%s", command);
  td_tensor *t = NULL;
  td_dict *copy = NULL;
  const td_status status = td_dict_get(d, TD_KEY("n", "a"), &t, &err);
  if (status != code) fprintf(stderr, "after %s\n", command);
  /* What cannot be read is listed as data, and says why where its value is asked for. */
  if (status == TD_ERR_KEY && code == TD_ERR_CORRUPT)
    td_error_release(err), err = NULL;
  else
    expect_error(status, code, key, NULL);
  expect_error(td_dict_clone(d, &copy, &err), code, key, NULL);
  check(t == NULL && copy == NULL);
  td_dict_release(d);
  raw("FLUSHALL");
}

LeaklessTest(storage_remote, nothing_that_the_server_says_is_believed) {
  const char *const a = "(\"n\", \"a\")";
  expect_damage("SET tensordict:{D}:d:n.a 123", a, TD_ERR_CORRUPT);
  expect_damage("DEL tensordict:{D}:d:n.a", a, TD_ERR_CORRUPT);
  expect_damage("DEL tensordict:{D}:m:n.a", a, TD_ERR_CORRUPT);
  expect_damage("HSET tensordict:{D}:m:n.a shape \"[2, 4]\"", a, TD_ERR_CORRUPT);
  expect_damage("HSET tensordict:{D}:m:n.a shape \"[3, 2]\"", a, TD_ERR_CORRUPT);
  expect_damage("HSET tensordict:{D}:m:n.a shape \"[-2, -3]\"", a, TD_ERR_CORRUPT);
  expect_damage("HSET tensordict:{D}:m:n.a shape \"[2, 4611686018427387904, 4]\"", a, TD_ERR_CORRUPT);
  expect_damage("HSET tensordict:{D}:m:n.a shape \"os.system\"", a, TD_ERR_CORRUPT);
  expect_damage("HSET tensordict:{D}:m:n.a dtype torch.load", a, TD_ERR_DTYPE);
  expect_damage("HSET tensordict:{D}:m:n.a is_non_tensor 1", a, TD_ERR_CORRUPT);
  expect_damage("HSET tensordict:{D}:m:n.a is_non_tensor 1 encoding zip", a, TD_ERR_CORRUPT);
  expect_damage("SADD tensordict:{D}:__keys__ n.a.b", NULL, TD_ERR_CORRUPT);
  expect_damage("SADD tensordict:{D}:__keys__ \"\\xff\"", NULL, TD_ERR_CORRUPT);
  expect_damage("SET tensordict:{D}:__keys__ n.a", NULL, TD_ERR_CORRUPT);
  expect_damage("SET tensordict:{D}:__version__ many", NULL, TD_ERR_CORRUPT);
  expect_damage("SET tensordict:{D}:__batch_size__ \"[3]\"", NULL, TD_ERR_SHAPE);
  expect_damage("DEL tensordict:{D}:__batch_size__", NULL, TD_ERR_NOT_FOUND);
  expect_damage("HSET tensordict:{D}:__labels__ n \"[]\"", NULL, TD_ERR_CORRUPT);
}
