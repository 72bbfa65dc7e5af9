/* Non-tensor data: what goes in comes out, wherever the batch elements go. */
#include "support/td.h"

static td_data_list *data_at(const td_dict *d, const td_key *key) {
  td_data_list *list = NULL;
  must(td_dict_get_data(d, key, &list, &err));
  return list;
}

static void set_text(td_dict *d, const td_key *key, const char *text) {
  must(td_dict_set_data(d, key, TD_DATA(td_data_str(TD_STR(text))), &err));
}

/* One text for each batch element, from "a,b,c". */
static void set_texts(td_dict *d, const td_key *key, const char *commas) {
  td_data values[16];
  size_t n = 0;
  for (const char *p = commas; *p; p += *p == ',') {
    size_t size = strcspn(p, ",");
    values[n++] = td_data_str((td_str){p, size});
    p += size;
  }
  must(td_dict_set_data_stack(d, key, values, n, &err));
}

/* What stands under `key`: "[2]:a,b" for a stack, "{2}:a" for one value. Text and JSON only. */
static void expect_data_at(const char *file, int line, const td_dict *d, const td_key *key, const char *expected) {
  td_data_list *list = data_at(d, key);
  const td_bool stack = td_data_list_is_stack(list);
  char got[512];
  int64_t dims[8];
  size_t ndim = td_data_list_shape(list, dims, 8), at = (size_t)sprintf(got, stack ? "[" : "{");
  for (size_t i = 0; i < ndim; ++i) at += (size_t)sprintf(got + at, "%s%lld", i ? "," : "", (long long)dims[i]);
  at += (size_t)sprintf(got + at, stack ? "]:" : "}:");
  for (size_t i = 0; i < td_data_list_size(list); ++i) {
    td_data v;
    must(td_data_list_get(list, i, &v, &err));
    at += (size_t)sprintf(got + at, "%s%.*s", i ? "," : "", (int)v.text.size, v.text.data);
  }
  td_data_list_release(list);
  if (strcmp(got, expected) == 0) return;
  fprintf(stderr, "%s:%d: got %s instead of %s\n", file, line, got, expected);
  failed_at(file, line, "the data are the expected ones", NULL);
}
#define expect_data(d, key, expected) expect_data_at(__FILE__, __LINE__, (d), (key), (expected))

static td_string *repr(const td_dict *d) {
  td_string *text = NULL;
  must(td_dict_repr(d, 0, &text, &err));
  return text;
}

static td_dict *indexed(const td_dict *d, td_index index) {
  td_dict *out = NULL;
  must(td_dict_index(d, &index, 1, &out, &err));
  return out;
}

LeaklessTest(data, every_kind_of_value_comes_back) {
  static const char text[] = "a\0h\xC3\xA9", bytes[] = "\xFF\0";
  const td_data values[] = {td_data_none(),
                            td_data_bool(7),
                            td_data_int(INT64_MIN),
                            td_data_double(-0.5),
                            td_data_str((td_str){text, 5}),
                            td_data_str(TD_NO_STR),
                            td_data_bytes(bytes, 2)};
  const size_t sizes[] = {0, 0, 0, 0, 5, 0, 2};
  td_dict *d = new_dict(TD_SHAPE(2));
  for (size_t i = 0; i < sizeof values / sizeof *values; ++i) {
    td_data v;
    must(td_dict_set_data(d, TD_KEY("n", "v"), &values[i], &err));
    td_data_list *list = data_at(d, TD_KEY("n", "v"));
    check(!td_data_list_is_stack(list) && td_data_list_size(list) == 1 && td_data_list_shape(list, NULL, 0) == 1);
    must(td_data_list_get(list, 0, &v, &err));
    check(v.kind == values[i].kind && v.i == values[i].i && v.f == values[i].f && v.text.size == sizes[i]);
    check(v.text.size == 0 || memcmp(v.text.data, values[i].text.data, v.text.size) == 0);
    td_data_list_retain(list);
    td_data_list_release(list);
    td_data_list_release(list);
  }
  td_dict_release(d);
}

LeaklessTest(data, json_becomes_the_kind_it_is_and_keeps_no_spaces) {
  static const struct {
    const char *json;
    td_data_kind kind;
    const char *text;
    double number;
  } table[] = {
      {" null ", TD_DATA_NONE, "", 0},
      {"true", TD_DATA_BOOL, "", 1},
      {"-3", TD_DATA_INT, "", -3},
      {"2.50", TD_DATA_DOUBLE, "", 2.5},
      {"-Infinity", TD_DATA_DOUBLE, "", -1e300 * 1e300},
      {"\"\\u00e9\\ud83d\\ude00\\n\"", TD_DATA_STR, "\xC3\xA9\xF0\x9F\x98\x80\n", 0},
      {"[ 1, \"x\", null, [ 2.5 ] ]", TD_DATA_JSON, "[1,\"x\",null,[2.5]]", 0},
      {"{\"b\": {\"z\": NaN, \"\\u0001\": -0.0}, \"a\": []}", TD_DATA_JSON,
       "{\"b\":{\"z\":NaN,\"\\u0001\":-0.0},\"a\":[]}", 0},
      {"[1e16,1e15,0.00001,1e-7,5e-324,1.50e+300,100.0,1E2]", TD_DATA_JSON,
       "[1e16,1000000000000000.0,0.00001,1e-7,5e-324,1.5e300,100.0,100.0]", 0},
      {"18446744073709551615", TD_DATA_JSON, "18446744073709551615", 0},
      {"[-1180591620717411303424]", TD_DATA_JSON, "[-1180591620717411303424]", 0},
  };
  td_dict *d = new_dict(TD_NO_DIMS);
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
    td_data v;
    must(td_dict_set_data(d, TD_KEY("j"), TD_DATA(td_data_json(TD_STR(table[i].json))), &err));
    td_data_list *list = data_at(d, TD_KEY("j"));
    must(td_data_list_get(list, 0, &v, &err));
    if (v.kind != table[i].kind || !says(v.text, table[i].text))
      fprintf(stderr, "%s gave kind %d '%s'\n", table[i].json, v.kind, v.text.data);
    check(v.kind == table[i].kind && says(v.text, table[i].text));
    check(v.kind == TD_DATA_JSON || v.kind == TD_DATA_STR ||
          (v.kind == TD_DATA_DOUBLE ? v.f : (double)v.i) == table[i].number);
    td_data_list_release(list);
  }
  td_dict_release(d);
}

LeaklessTest(data, what_cannot_be_data_is_refused_and_changes_nothing) {
  td_dict *d = new_dict(TD_SHAPE(2));
  put(d, TD_KEY("x"), full_f32(1, TD_SHAPE(2)));
  set_text(d, TD_KEY("s"), "old");
  td_data odd = td_data_none(), reserved = td_data_none(), two[] = {td_data_int(1), td_data_json(TD_STR("[1"))};
  odd.kind = 8;
  reserved.reserved = 1;
  const struct {
    td_data value;
    const char *says;
  } bad[] = {{odd, "kind of data 8"},
             {reserved, "reserved"},
             {td_data_str(TD_STR("\xFF")), "UTF-8"},
             {td_data_str((td_str){NULL, 3}), "no data"},
             {td_data_json(TD_STR("")), "JSON"},
             {td_data_json(TD_STR("{\"a\":1,\"a\":2}")), "\"a\""},
             {td_data_json(TD_STR("[1]x")), "JSON"},
             {td_data_json(TD_STR("nul")), "JSON"},
             {td_data_json(TD_STR("\"\xFF\"")), "JSON"},
             {td_data_json(TD_STR("'a'")), "JSON"}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i)
    expect_error(td_dict_set_data(d, TD_KEY("s"), &bad[i].value, &err), TD_ERR_ARGUMENT, NULL, bad[i].says);
  expect_error(td_dict_set_data_stack(d, TD_KEY("s"), two, 2, &err), TD_ERR_ARGUMENT, NULL, "JSON");
  expect_error(td_dict_set_data_stack(d, TD_KEY("s"), two, 1, &err), TD_ERR_SHAPE, NULL, "batch size [2]");
  expect_error(td_dict_set_data_stack(d, TD_KEY("s"), NULL, 2, &err), TD_ERR_ARGUMENT, NULL, "values");
  expect_error(td_dict_set_data(d, TD_KEY("x", "y"), TD_DATA(td_data_int(1)), &err), TD_ERR_KEY, "(\"x\", \"y\")",
               "tensor");
  expect_error(td_dict_set_data(d, TD_KEY("s", "y"), TD_DATA(td_data_int(1)), &err), TD_ERR_KEY, "(\"s\", \"y\")",
               "data");
  expect_error(td_dict_set_data(d, NULL, TD_DATA(td_data_int(1)), &err), TD_ERR_ARGUMENT, NULL, "key");
  expect_error(td_dict_set_data(NULL, TD_KEY("s"), TD_DATA(td_data_int(1)), &err), TD_ERR_ARGUMENT, NULL, "dict");
  must(td_dict_lock_(d, &err));
  expect_error(td_dict_set_data(d, TD_KEY("s"), TD_DATA(td_data_int(1)), &err), TD_ERR_LOCKED, "\"s\"", NULL);
  expect_data(d, TD_KEY("s"), "{2}:old");
  check(td_dict_count(d) == 2);
  td_dict_release(d);
}

LeaklessTest(data, each_getter_names_the_right_one_for_another_kind) {
  td_dict *d = new_dict(TD_SHAPE(2)), *node = NULL;
  td_data_list *list = NULL;
  td_tensor *t = NULL;
  td_data v;
  put(d, TD_KEY("n", "x"), full_f32(1, TD_SHAPE(2)));
  set_text(d, TD_KEY("s"), "old");
  expect_error(td_dict_get(d, TD_KEY("s"), &t, &err), TD_ERR_KEY, "\"s\"", "td_dict_get_data");
  expect_error(td_dict_get_dict(d, TD_KEY("s"), &node, &err), TD_ERR_KEY, "\"s\"", "td_dict_get_data");
  expect_error(td_dict_get_data(d, TD_KEY("n"), &list, &err), TD_ERR_KEY, "\"n\"", "td_dict_get_dict");
  expect_error(td_dict_get_data(d, TD_KEY("n", "x"), &list, &err), TD_ERR_KEY, "(\"n\", \"x\")", "td_dict_get");
  expect_error(td_dict_get_data(d, TD_KEY("z"), &list, &err), TD_ERR_KEY, "\"z\"", "n, s");
  expect_error(td_dict_get_data(NULL, TD_KEY("s"), &list, &err), TD_ERR_ARGUMENT, NULL, "dict");
  expect_error(td_dict_get_data(d, TD_KEY("s"), NULL, &err), TD_ERR_ARGUMENT, NULL, "output");
  list = data_at(d, TD_KEY("s"));
  expect_error(td_data_list_get(list, 1, &v, &err), TD_ERR_INDEX, NULL, "1 is out of range for 1");
  expect_error(td_data_list_get(list, 0, NULL, &err), TD_ERR_ARGUMENT, NULL, "output");
  expect_error(td_data_list_get(NULL, 0, &v, &err), TD_ERR_ARGUMENT, NULL, "data list");
  check(td_data_list_size(NULL) == 0 && td_data_list_shape(NULL, NULL, 0) == 0 && !td_data_list_is_stack(NULL));
  td_data_list_retain(NULL);
  td_data_list_release(NULL);
  td_data_list_release(list);
  td_dict_release(d);
}

LeaklessTest(data, keys_and_kinds_tell_data_from_tensors) {
  const struct {
    uint64_t flags;
    size_t n;
  } table[] = {{0, 3},
               {TD_KEYS_NESTED, 5},
               {TD_KEYS_LEAVES, 1},
               {TD_KEYS_NESTED | TD_KEYS_LEAVES, 2},
               {TD_KEYS_LEAVES | TD_KEYS_DATA, 2},
               {TD_KEYS_NESTED | TD_KEYS_LEAVES | TD_KEYS_DATA, 4}};
  td_dict *d = new_dict(TD_SHAPE(2));
  put(d, TD_KEY("x"), full_f32(1, TD_SHAPE(2)));
  put(d, TD_KEY("n", "y"), full_f32(1, TD_SHAPE(2)));
  set_text(d, TD_KEY("s"), "a");
  set_texts(d, TD_KEY("n", "t"), "a,b");
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
    td_keys *keys = NULL;
    must(td_dict_keys(d, table[i].flags, &keys, &err));
    check(td_keys_size(keys) == table[i].n);
    td_keys_release(keys);
  }
  td_entry_kind kind;
  must(td_dict_entry_kind(d, TD_KEY("n", "t"), &kind, &err));
  check(kind == TD_ENTRY_DATA);
  must(td_dict_entry_kind(d, TD_KEY("s", "t"), &kind, &err));
  check(kind == TD_ENTRY_NONE);
  must(td_dict_remove(d, TD_KEY("s"), &err));
  must(td_dict_entry_kind(d, TD_KEY("s"), &kind, &err));
  check(kind == TD_ENTRY_NONE && td_dict_nbytes(d) == 16);
  td_dict_release(d);
}

/* Of batch size [3]: a text for each element below "n", and one for all. */
static td_dict *three_texts(const char *each, const char *one) {
  td_dict *d = new_dict(TD_SHAPE(3));
  set_texts(d, TD_KEY("n", "t"), each);
  set_text(d, TD_KEY("s"), one);
  return d;
}

LeaklessTest(data, a_clone_has_values_of_its_own) {
  td_dict *d = three_texts("a,b,c", "u"), *other = NULL;
  must(td_dict_clone(d, &other, &err));
  set_texts(other, TD_KEY("n", "t"), "d,e,f");
  set_text(other, TD_KEY("s"), "v");
  expect_data(d, TD_KEY("n", "t"), "[3]:a,b,c");
  td_dict_release(d);
  td_dict_release(other);
}

LeaklessTest(data, values_follow_an_index) {
  td_dict *d = three_texts("a,b,c", "u"), *out = NULL;
  for (td_fast_level level = TD_FAST_NONE; level <= TD_FAST_ARENA; ++level) {
    must(td_set_fast_level(level, &err));
    td_tensor *rows = vector_of(TD_DTYPE_INT64, (const int64_t[]){2, 0, 2, -2}, 4),
              *mask = vector_of(TD_DTYPE_BOOL, (const int64_t[]){0, 1, 1}, 3);
    const struct {
      td_index index;
      const char *texts, *text;
    } table[] = {{TD_INT(-1), "{}:c", "{}:u"},
                 {TD_SLICE(1, TD_END), "[2]:b,c", "{2}:u"},
                 {TD_STEP_SLICE(0, TD_END, 2), "[2]:a,c", "{2}:u"},
                 {TD_SLICE(0, 0), "[0]:", "{0}:u"},
                 {TD_TENSOR(rows), "[4]:c,a,c,b", "{4}:u"},
                 {TD_TENSOR(mask), "[2]:b,c", "{2}:u"}};
    for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
      out = indexed(d, table[i].index);
      expect_data(out, TD_KEY("n", "t"), table[i].texts);
      expect_data(out, TD_KEY("s"), table[i].text);
      td_dict_release(out);
    }
    td_tensor_release(rows);
    td_tensor_release(mask);
  }
  td_dict_release(d);
}

LeaklessTest(data, values_of_stacked_dicts_are_stacked) {
  td_dict *d = three_texts("a,b,c", "u"), *other = three_texts("d,e,f", "v"), *out = NULL, *deep = NULL;
  for (td_fast_level level = TD_FAST_NONE; level <= TD_FAST_ARENA; ++level) {
    must(td_set_fast_level(level, &err));
    const td_dict *both[] = {d, other};
    must(td_dict_stack(both, 2, 1, &out, &err));
    expect_data(out, TD_KEY("n", "t"), "[3,2]:a,d,b,e,c,f");
    expect_data(out, TD_KEY("s"), "[3,2]:u,v,u,v,u,v");
    must(td_dict_stack((const td_dict *const[]){out, out}, 2, 0, &deep, &err));
    expect_data(deep, TD_KEY("n", "t"), "[2,3,2]:a,d,b,e,c,f,a,d,b,e,c,f");
    td_dict_release(deep);
    td_dict_release(out);
  }
  td_dict_release(d);
  td_dict_release(other);
}

LeaklessTest(data, the_batch_size_may_change_around_it) {
  td_dict *d = new_dict(TD_SHAPE(2, 2)), *copy = NULL, *row = NULL, *parent = new_dict(TD_SHAPE(2));
  set_texts(d, TD_KEY("t"), "a,b,c,d");
  set_text(d, TD_KEY("s"), "u");
  expect_error(td_dict_set_batch_size(d, TD_SHAPE(4), &err), TD_ERR_SHAPE, "\"t\"", "[2, 2]");
  must(td_dict_set_batch_size(d, TD_SHAPE(2), &err));
  must(td_dict_copy(d, &copy, &err)); /* a stack stays deeper than the dict it is in */
  expect_data(copy, TD_KEY("t"), "[2,2]:a,b,c,d");
  row = indexed(copy, (td_index)TD_INT(1));
  expect_data(row, TD_KEY("t"), "[2]:c,d");
  must(td_dict_set_dict(parent, TD_KEY("n"), copy, &err));
  expect_data(parent, TD_KEY("n", "t"), "[2,2]:a,b,c,d");
  td_dict_release(row);
  td_dict_release(parent);
  td_dict_release(copy);
  td_dict_release(d);

  d = new_dict(TD_NO_DIMS);
  set_texts(d, TD_KEY("t"), "a"); /* without dims a stack is one value */
  expect_data(d, TD_KEY("t"), "{}:a");
  must(td_dict_set_batch_size(d, TD_SHAPE(3), &err));
  expect_data(d, TD_KEY("t"), "{3}:a");
  td_dict_release(d);
}

LeaklessTest(data, operators_leave_it_alone) {
  td_dict *d = new_dict(TD_SHAPE(2)), *out = NULL;
  td_op *neg = NULL;
  put(d, TD_KEY("x"), full_f32(1, TD_SHAPE(2)));
  set_texts(d, TD_KEY("t"), "a,b");
  must(td_op_find(TD_STR("neg"), TD_NO_STR, &neg, &err));
  td_value argument = td_value_dict(d);
  must(td_dict_apply_op(neg, &argument, 1, NULL, 0, &out, 1, &err));
  expect_data(out, TD_KEY("t"), "[2]:a,b");
  td_op_release(neg);
  td_dict_release(out);
  td_dict_release(d);
}

/* Texts of stock Python, with set_printoptions(compact=False), in this test and the next two. */
LeaklessTest(data, repr_of_one_value_is_what_python_prints) {
  td_dict *d = new_dict(TD_SHAPE(2));
  must(td_dict_set_data(d, TD_KEY("by"), TD_DATA(td_data_bytes("a\0'\"\xFF", 5)), &err));
  must(td_dict_set_data(d, TD_KEY("d"), TD_DATA(td_data_json(TD_STR("{\"k\":[1,2],\"it's\":{\"z\":null}}"))), &err));
  must(td_dict_set_data(d, TD_KEY("f"), TD_DATA(td_data_double(0.1)), &err));
  must(td_dict_set_data(d, TD_KEY("b"), TD_DATA(td_data_bool(1)), &err));
  must(td_dict_set_data(d, TD_KEY("l"), TD_DATA(td_data_json(TD_STR("[1,\"x\",null,[2.5,1e16,1e-5,true]]"))), &err));
  must(td_dict_set_data(d, TD_KEY("n"), TD_DATA(td_data_none()), &err));
  set_text(d, TD_KEY("nl"), "a\nb'c");
  expect_text(
      repr(d),
      "TensorDict(\n    fields={\n"
      "        b: NonTensorData(data=True, batch_size=torch.Size([2]), device=None),\n"
      "        by: NonTensorData(data=b'a\\x00\\'\"\\xff', batch_size=torch.Size([2]), device=None),\n"
      "        d: NonTensorData(data={'k': [1, 2], \"it's\": {'z': None}}, batch_size=torch.Size([2]), device=None),\n"
      "        f: NonTensorData(data=0.1, batch_size=torch.Size([2]), device=None),\n"
      "        l: NonTensorData(data=[1, 'x', None, [2.5, 1e+16, 1e-05, True]], batch_size=torch.Size([2]), "
      "device=None),\n"
      "        n: NonTensorData(data=None, batch_size=torch.Size([2]), device=None),\n"
      "        nl: NonTensorData(data=a\n        b'c, batch_size=torch.Size([2]), device=None)},\n"
      "    batch_size=torch.Size([2]),\n    device=None,\n    is_shared=False)");
  td_dict_release(d);
}

static td_dict *on_cpu(void) {
  td_dict_options options = TD_DICT_OPTIONS_INIT;
  options.device = TD_STR("cpu");
  td_dict *d = NULL;
  must(td_dict_new(TD_SHAPE(2), &options, &d, &err));
  return d;
}

LeaklessTest(data, repr_cuts_long_text_as_python_does) {
  td_dict *m = on_cpu();
  char text[512];
  sprintf(text, "%s", "");
  for (int i = 0; i < 201; ++i) strcat(text, "\xC3\xA9");
  set_text(m, TD_KEY("long"), text);
  text[40] = ',';
  text[81] = 0;
  memcpy(text + 41, text, 40);
  set_texts(m, TD_KEY("st2"), text);
  set_texts(m, TD_KEY("n", "x"), "a,it's\n");
  set_text(m, TD_KEY("n", "y"), "\xC2\xA0\x01");
#define E5 "\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9"
#define E20 E5 E5 E5 E5
  expect_text(repr(m),
              "TensorDict(\n    fields={\n"
              "        long: NonTensorData(data=" E20 "  ...  " E20
              ", batch_size=torch.Size([2]), device=cpu),\n"
              "        n: TensorDict(\n            fields={\n"
              "                x: NonTensorStack(\n                    ['a', \"it's\\n\"],\n"
              "                    batch_size=torch.Size([2]),\n                    device=cpu),\n"
              "                y: NonTensorData(data=\xC2\xA0\x01, batch_size=torch.Size([2]), device=cpu)},\n"
              "            batch_size=torch.Size([2]),\n            device=cpu,\n            is_shared=False),\n"
              "        st2: NonTensorStack(\n            ['" E20 "', '" E20
              "'],\n"
              "            batch_size=torch.Size([2]),\n            device=cpu)},\n"
              "    batch_size=torch.Size([2]),\n    device=cpu,\n    is_shared=False)");
  td_dict_release(m);
}

LeaklessTest(data, repr_escapes_the_texts_of_a_stack_as_python_does) {
  td_dict *m = on_cpu();
  set_texts(m, TD_KEY("st2"), "\xC2\xA0\x01\\\xE2\x80\xA8\xF0\x9F\x98\x80,0123456789012345678901234567890123456789");
  expect_text(repr(m),
              "TensorDict(\n    fields={\n        st2: NonTensorStack(\n"
              "            ['\\xa0\\x01\\\\\\u2028\xF0\x9F\x98\x80', '012345678901234567890123456...,\n"
              "            batch_size=torch.Size([2]),\n            device=cpu)},\n"
              "    batch_size=torch.Size([2]),\n    device=cpu,\n    is_shared=False)");
  td_dict_release(m);
}

LeaklessTest(data, in_place_updates_replace_it_too) {
  td_dict *td = new_dict(TD_SHAPE(2)), *src = new_dict(TD_NO_DIMS);
  must(td_dict_set_data(td, TD_KEY("s"), TD_DATA(td_data_str(TD_STR("old"))), &err));
  must(td_dict_set_data(src, TD_KEY("s"), TD_DATA(td_data_str(TD_STR("new"))), &err));
  must(td_dict_lock_(td, &err));
  must(td_dict_update_(td, src, &err));
  expect_repr(
      td,
      "TensorDict(\n    fields={\n        s: NonTensorData(data=new, batch_size=torch.Size([2]), device=None)},\n"
      "    batch_size=torch.Size([2]),\n    device=None,\n    is_shared=False)");
  put(src, TD_KEY("z"), full_f32(9, TD_NO_DIMS));
  must(td_dict_set_data(src, TD_KEY("s"), TD_DATA(td_data_str(TD_STR("newer"))), &err));
  expect_error(td_dict_update_(td, src, &err), TD_ERR_KEY, "\"z\"", NULL);
  put(src, TD_KEY("s"), full_f32(9, TD_NO_DIMS));
  expect_error(td_dict_update_(td, src, &err), TD_ERR_KEY, "\"s\"", "different kinds");
  expect_repr(
      td,
      "TensorDict(\n    fields={\n        s: NonTensorData(data=new, batch_size=torch.Size([2]), device=None)},\n"
      "    batch_size=torch.Size([2]),\n    device=None,\n    is_shared=False)");
  td_dict_release(src);
  td_dict_release(td);
}

LeaklessTest(data, a_stack_has_the_batch_of_the_dict_that_holds_it) {
  td_dict *td = new_dict(TD_SHAPE(2)), *node = new_dict(TD_SHAPE(2, 2));
  must(td_dict_set_dict(td, TD_KEY("n"), node, &err));
  set_texts(td, TD_KEY("n", "s"), "a,b,c,d");
  expect_data(node, TD_KEY("s"), "[2,2]:a,b,c,d");
  const td_data two[] = {td_data_int(1), td_data_int(2)};
  expect_error(td_dict_set_data_stack(td, TD_KEY("n", "s"), two, 2, &err), TD_ERR_SHAPE, NULL, "[2, 2]");
  set_texts(td, TD_KEY("m", "s"), "a,b"); /* a node that is made has the batch of the dict above */
  expect_data(td, TD_KEY("m", "s"), "[2]:a,b");
  td_dict_release(node);
  td_dict_release(td);
}

LeaklessTest(data, one_value_of_an_empty_batch_stays_one_through_unsqueeze_and_squeeze) {
  td_dict *td = new_dict(TD_SHAPE(2, 0)), *longer, *back;
  set_text(td, TD_KEY("s"), "x");
  must(td_dict_unsqueeze(td, 0, &longer, &err));
  const int64_t first = 0;
  must(td_dict_squeeze(longer, &first, 1, &back, &err));
  expect_data(back, TD_KEY("s"), "{2,0}:x");
  td_dict_release(back);
  td_dict_release(longer);
  td_dict_release(td);
}

LeaklessTest(data, a_copy_gives_a_node_that_became_smaller_than_its_parent_its_dims_again) {
  td_dict *td = new_dict(TD_SHAPE(2, 3)), *node = new_dict(TD_SHAPE(2, 3)), *copy, *below;
  set_text(node, TD_KEY("one"), "x");
  set_texts(node, TD_KEY("many"), "a,b,c,d,e,f");
  must(td_dict_set_dict(td, TD_KEY("n"), node, &err));
  must(td_dict_set_batch_size(node, TD_SHAPE(2), &err));
  set_text(node, TD_KEY("new"), "y");
  set_texts(node, TD_KEY("rows"), "p,q");
  must(td_dict_copy(td, &copy, &err));
  below = get_dict(copy, TD_KEY("n"));
  expect_batch(below, TD_SHAPE(2, 3));
  expect_data(below, TD_KEY("one"), "{2,3}:x");
  expect_data(below, TD_KEY("new"), "{2,3}:y");
  expect_data(below, TD_KEY("many"), "[2,3]:a,b,c,d,e,f");
  expect_data(below, TD_KEY("rows"), "[2,3]:p,p,p,q,q,q");
  td_dict_release(below);
  td_dict_release(copy);
  td_dict_release(node);
  td_dict_release(td);
}
