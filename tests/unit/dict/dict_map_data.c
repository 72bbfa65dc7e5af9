/* Functions of the caller's over non-tensor entries, entries merged by one, data written in place. */
#include "support/h5_files.h"

TestSuite(dict_map_data, .init = make_test_dir, .fini = remove_test_dir);

/* {"a": [2], "s": "x", "n": {"t": ["p", "q"]}} of batch size [2]. */
static td_dict *sample(void) {
  td_dict *td = new_dict(TD_SHAPE(2));
  const td_data two[] = {TEXT("p"), TEXT("q")};
  put(td, TD_KEY("a"), range_f32(TD_SHAPE(2)));
  must(td_dict_set_data(td, TD_KEY("s"), TD_DATA(TEXT("x")), &err));
  put_dict(td, TD_KEY("n"), new_dict(TD_SHAPE(2)));
  must(td_dict_set_data_stack(td, TD_KEY("n", "t"), two, 2, &err));
  return td;
}

typedef struct calls {
  int tensors, data, destroyed;
  char what; /* to do: 1 one value, 2 a value each, t a tensor, n nothing, f fail, b both, w of another batch */
  char keys[64];
  size_t n;
  int nulls;
} calls;

static td_status same(void *userdata, const td_key *key, td_tensor *const *tensors, size_t n, td_tensor **out,
                      td_error **error) {
  (void)key, (void)n, (void)error;
  ++((calls *)userdata)->tensors;
  td_tensor_retain(*out = tensors[0]);
  return TD_OK;
}

static td_status on_data(void *userdata, const td_key *key, td_data_list *const *lists, size_t n,
                         td_data_list **out_data, td_tensor **out_tensor, td_error **error) {
  calls *c = userdata;
  const td_data values[] = {td_data_int(1), td_data_int(2), td_data_int(3)};
  ++c->data, c->n = n;
  strcat(strcat(c->keys, key->parts[key->n - 1].data), " ");
  for (size_t i = 0; i < n; ++i) c->nulls += lists[i] == NULL;
  if (c->what == '1' || c->what == 'b') must(td_data_list_new(values, NULL, 0, out_data, &err));
  if (c->what == '2') must(td_data_list_new(values, TD_SHAPE(2), out_data, &err));
  if (c->what == 'w') must(td_data_list_new(values, TD_SHAPE(3), out_data, &err));
  if (c->what == 't' || c->what == 'b') *out_tensor = range_f32(TD_SHAPE(2, 2));
  if (c->what != 'f') return TD_OK;
  *error = td_error_new(TD_ERR_ARGUMENT, TD_STR("not today"));
  return TD_ERR_ARGUMENT;
}

static void destroyed(void *userdata) {
  ++((calls *)userdata)->destroyed;
}

static td_status mapped(const td_dict *td, const td_dict *const *others, size_t n, calls *c, td_map_options o,
                        td_dict **out) {
  const td_map_data_function data = {sizeof data, on_data, c, destroyed};
  const td_map_function function = {sizeof function, same, c, NULL};
  o.data = &data;
  c->tensors = c->data = c->destroyed = c->nulls = 0, c->keys[0] = 0;
  const td_status status = td_dict_map(td, &function, others, n, &o, out, &err);
  check(c->destroyed == 1);
  return status;
}

LeaklessTest(dict_map_data, the_function_sees_each_entry_and_says_what_it_becomes) {
  td_dict *td = sample(), *out = NULL;
  const td_map_options o = TD_MAP_OPTIONS_INIT;
  calls c = {.what = '1'};
  must(td_dict_lock_(td, &err));
  must(mapped(td, NULL, 0, &c, o, &out));
  check(c.tensors == 1 && c.data == 2 && c.n == 1 && strcmp(c.keys, "s t ") == 0 && !td_dict_is_locked(out));
  expect_data(out, TD_KEY("s"), 0, td_data_int(1));
  expect_data(out, TD_KEY("n", "t"), 0, td_data_int(1));
  expect_data(td, TD_KEY("s"), 0, TEXT("x"));
  td_dict_release(out);
  c.what = '2';
  must(mapped(td, NULL, 0, &c, o, &out));
  expect_data(out, TD_KEY("s"), 1, td_data_int(2));
  td_dict_release(out);
  c.what = 't';
  must(mapped(td, NULL, 0, &c, o, &out));
  expect_entry(out, TD_KEY("n", "t"), VALUES(0, 1, 2, 3));
  td_dict_release(out);
  c.what = 'n';
  must(mapped(td, NULL, 0, &c, o, &out));
  expect_keys(out, TD_KEYS_NESTED, "a"); /* the node that it leaves empty goes too */
  td_dict_release(out);
  out = NULL;
  c.what = 'f';
  expect_error(mapped(td, NULL, 0, &c, o, &out), TD_ERR_CALLBACK, "\"s\"", "not today");
  c.what = 'b';
  expect_error(mapped(td, NULL, 0, &c, o, &out), TD_ERR_CALLBACK, "\"s\"", "a tensor and non-tensor data");
  c.what = 'w';
  expect_error(mapped(td, NULL, 0, &c, o, &out), TD_ERR_SHAPE, "\"s\"", "[3]");
  check(out == NULL);
  td_map_options none = TD_MAP_OPTIONS_INIT;
  const td_map_data_function nothing = {sizeof nothing, NULL, &c, destroyed};
  none.data = &nothing, c.destroyed = 0;
  expect_error(td_dict_map(td, TD_CALLBACKS(td_map_function, same, &c, NULL), NULL, 0, &none, &out, &err),
               TD_ERR_ARGUMENT, NULL, "NULL");
  check(c.destroyed == 1);
  td_dict_release(td);
}

LeaklessTest(dict_map_data, entries_of_others_stand_beside_and_may_lack) {
  td_dict *td = sample(), *other = sample(), *out = NULL;
  td_map_options o = TD_MAP_OPTIONS_INIT;
  calls c = {.what = '1'};
  must(mapped(td, (const td_dict *const[]){other}, 1, &c, o, &out));
  check(c.n == 2 && c.nulls == 0);
  td_dict_release(out);
  out = NULL;
  must(td_dict_remove(other, TD_KEY("n", "t"), &err));
  expect_error(mapped(td, (const td_dict *const[]){other}, 1, &c, o, &out), TD_ERR_KEY, "(\"n\", \"t\")", NULL);
  check(out == NULL);
  o.missing_as_null = 1;
  must(mapped(td, (const td_dict *const[]){other}, 1, &c, o, &out));
  check(c.nulls == 1);
  td_dict_release(out), td_dict_release(td), td_dict_release(other);
}

LeaklessTest(dict_map_data, in_place_data_become_other_data) {
  td_dict *td = sample(), *stack, *two = sample();
  td_map_options o = TD_MAP_OPTIONS_INIT;
  calls c = {.what = '1'};
  o.in_place = 1;
  must(td_dict_lock_(td, &err));
  must(mapped(td, NULL, 0, &c, o, NULL));
  expect_data(td, TD_KEY("n", "t"), 0, td_data_int(1));
  c.what = 'n';
  must(mapped(td, NULL, 0, &c, o, NULL)); /* stays */
  expect_data(td, TD_KEY("s"), 0, td_data_int(1));
  c.what = 't';
  expect_error(mapped(td, NULL, 0, &c, o, NULL), TD_ERR_ARGUMENT, "\"s\"", "in place");
  must(td_dict_unlock_(td, &err));
  must(td_dict_lazy_stack((td_dict *const[]){td, two}, 2, 0, &stack, &err));
  c.what = '2';
  must(mapped(stack, NULL, 0, &c, o, NULL)); /* member by member */
  check(c.data == 4);
  expect_data(two, TD_KEY("s"), 1, td_data_int(2));
  td_dict_release(stack), td_dict_release(td), td_dict_release(two);
}

LeaklessTest(dict_map_data, lists_of_data_are_made_of_values) {
  const td_data values[] = {TEXT("a"), td_data_none(), {TD_DATA_JSON, 0, 0, 0, {"{", 1}}};
  td_data_list *list = NULL;
  td_data value;
  must(td_data_list_new(values, NULL, 0, &list, &err));
  check(!td_data_list_is_stack(list) && td_data_list_size(list) == 1 && td_data_list_shape(list, NULL, 0) == 0);
  td_data_list_release(list);
  must(td_data_list_new(values, TD_SHAPE(1, 2), &list, &err));
  must(td_data_list_get(list, 1, &value, &err));
  check(td_data_list_is_stack(list) && td_data_list_shape(list, NULL, 0) == 2 && value.kind == TD_DATA_NONE);
  td_data_list_release(list);
  list = NULL;
  expect_error(td_data_list_new(values, TD_SHAPE(3), &list, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_data_list_new(values, TD_SHAPE(-1), &list, &err), TD_ERR_SHAPE, NULL, NULL);
  expect_error(td_data_list_new(values, TD_SHAPE(INT64_MAX), &list, &err), TD_ERR_SHAPE, NULL, NULL);
  expect_error(td_data_list_new(NULL, NULL, 0, &list, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  check(list == NULL);
}

static td_status sum(void *userdata, const td_key *key, td_tensor *const *tensors, size_t n, td_tensor **out,
                     td_error **error) {
  calls *c = userdata;
  (void)key, (void)error;
  ++c->tensors, c->n = n;
  if (c->what == 's') *out = call("add", "Tensor", ARGS(td_value_tensor(tensors[0]), td_value_tensor(tensors[1])));
  if (c->what == 'w') *out = range_f32(TD_SHAPE(3));
  return TD_OK;
}

LeaklessTest(dict_map_data, tensors_that_all_dicts_have_are_merged_by_a_function) {
  td_dict *x = sample(), *y = sample(), *out = NULL;
  const td_dict *both[] = {x, y};
  calls c = {.what = 's'};
  const td_map_function function = {sizeof function, sum, &c, destroyed};
  put(x, TD_KEY("n", "only"), range_f32(TD_SHAPE(2)));
  put(y, TD_KEY("other"), range_f32(TD_SHAPE(2)));
  must(td_dict_merge_with(both, 2, &function, &out, &err));
  check(c.tensors == 1 && c.n == 2 && c.destroyed == 1);
  expect_entry(out, TD_KEY("a"), VALUES(0, 2));
  expect_entry(out, TD_KEY("n", "only"), VALUES(0, 1));
  expect_entry(out, TD_KEY("other"), VALUES(0, 1));
  expect_entry(x, TD_KEY("a"), VALUES(0, 1));
  td_dict_release(out);
  c.what = 'n';
  must(td_dict_merge_with(both, 2, &function, &out, &err)); /* nothing: the first */
  expect_entry(out, TD_KEY("a"), VALUES(0, 1));
  td_dict_release(out);
  out = NULL;
  c.what = 'w';
  expect_error(td_dict_merge_with(both, 2, &function, &out, &err), TD_ERR_SHAPE, "\"a\"", NULL);
  expect_error(td_dict_merge_with(both, 0, &function, &out, &err), TD_ERR_ARGUMENT, NULL, "nothing");
  expect_error(td_dict_merge_with(NULL, 2, &function, &out, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_dict_merge_with(both, 2, TD_CALLBACKS(td_map_function, NULL, NULL, NULL), &out, &err),
               TD_ERR_ARGUMENT, NULL, "NULL");
  check(out == NULL && c.destroyed == 5);
  td_dict_release(x), td_dict_release(y);
}

LeaklessTest(dict_map_data, separating_fills_what_is_missing_and_keeps_nodes) {
  td_dict *td = sample(), *out = NULL;
  td_tensor *fill = full_f32(7, TD_SHAPE(2)), *wrong = full_f32(7, TD_SHAPE(3));
  const td_key keys[] = {*TD_KEY("n", "t"), *TD_KEY("m", "z")};
  td_separate_options o = TD_SEPARATE_OPTIONS_INIT;
  expect_error(td_dict_separate(td, keys, 2, NULL, &out, &err), TD_ERR_KEY, "(\"m\", \"z\")", NULL);
  o.fill = wrong;
  expect_error(td_dict_separate(td, keys, 2, &o, &out, &err), TD_ERR_SHAPE, "(\"m\", \"z\")", NULL);
  expect_keys(td, TD_KEYS_NESTED, "a s n n.t"); /* nothing has changed */
  o.fill = fill, o.keep_empty = 1;
  must(td_dict_separate(td, keys, 2, &o, &out, &err));
  expect_entry(out, TD_KEY("m", "z"), VALUES(7, 7));
  expect_keys(td, TD_KEYS_NESTED, "a s n");
  td_dict_release(out);
  o.fill = NULL, o.lenient = 1;
  must(td_dict_separate(td, keys, 2, &o, &out, &err));
  check(td_dict_count(out) == 0);
  td_tensor_release(fill), td_tensor_release(wrong), td_dict_release(out), td_dict_release(td);
}

LeaklessTest(dict_map_data, data_is_written_in_place_also_when_locked) {
  td_dict *td = sample(), *two = sample(), *stack;
  must(td_dict_lock_(td, &err));
  must(td_dict_set_data_(td, TD_KEY("s"), TD_DATA(td_data_int(3)), &err));
  must(td_dict_set_data_(td, TD_KEY("n", "t"), TD_DATA(TEXT("z")), &err));
  expect_data(td, TD_KEY("s"), 0, td_data_int(3));
  expect_data(td, TD_KEY("n", "t"), 1, TEXT("z")); /* still one for each element */
  expect_error(td_dict_set_data_(td, TD_KEY("a"), TD_DATA(TEXT("z")), &err), TD_ERR_KEY, "\"a\"", NULL);
  expect_error(td_dict_set_data_(td, TD_KEY("none"), TD_DATA(TEXT("z")), &err), TD_ERR_KEY, "\"none\"", NULL);
  expect_error(td_dict_set_data_(td, TD_KEY("n"), TD_DATA(TEXT("z")), &err), TD_ERR_KEY, "\"n\"", NULL);
  expect_error(td_dict_set_data_(td, TD_KEY("s"), &(td_data){99, 0, 0, 0, {NULL, 0}}, &err), TD_ERR_ARGUMENT, NULL,
               NULL);
  expect_error(td_dict_set_data_(NULL, TD_KEY("s"), TD_DATA(TEXT("z")), &err), TD_ERR_ARGUMENT, NULL, "NULL");
  must(td_dict_unlock_(td, &err));
  must(td_dict_lazy_stack((td_dict *const[]){td, two}, 2, 0, &stack, &err));
  must(td_dict_set_data_(stack, TD_KEY("n", "t"), TD_DATA(TEXT("all")), &err));
  expect_data(two, TD_KEY("n", "t"), 0, TEXT("all"));
  td_dict_release(stack), td_dict_release(td), td_dict_release(two);
  if (!td_has_feature(TD_STR("hdf5"))) return;
  td_dict *file = create_h5(path_of("%s/data.h5", test_dir), TD_SHAPE(2));
  must(td_dict_set_data(file, TD_KEY("s"), TD_DATA(TEXT("x")), &err));
  must(td_dict_set_data_(file, TD_KEY("s"), TD_DATA(TEXT("yz")), &err));
  close_h5(file);
  file = open_h5(path_of("%s/data.h5", test_dir), TD_OPEN_READ);
  expect_data(file, TD_KEY("s"), 0, TEXT("yz"));
  close_h5(file);
}
