/* Functions of the caller's over the leaves of dicts. */
#include "support/td.h"

typedef struct {
  int calls, destroyed, fail_at, drop_at;
  char keys[200];
} seen;

static void note_destroyed(void *userdata) {
  ((seen *)userdata)->destroyed++;
}

/* Adds up the tensors there are; fails or drops the entry where it was told to. */
static td_status add_up(void *userdata, const td_key *key, td_tensor *const *tensors, size_t n, td_tensor **out,
                        td_error **error) {
  seen *s = userdata;
  s->calls++;
  for (size_t i = 0; i < key->n; ++i) {
    strncat(s->keys, key->parts[i].data, key->parts[i].size);
    strcat(s->keys, i + 1 < key->n ? "." : " ");
  }
  if (s->calls == s->fail_at) {
    if (error) *error = td_error_new(TD_ERR_IO, TD_STR("the disk is full"));
    td_tensor_retain(tensors[0]);
    *out = tensors[0]; /* a result beside the failure is not lost */
    return TD_ERR_IO;
  }
  if (s->calls == s->drop_at) return TD_OK;
  td_tensor_retain(tensors[0]);
  *out = tensors[0];
  for (size_t i = 1; i < n; ++i) {
    if (!tensors[i]) continue;
    td_tensor *sum = call("add", "Tensor", ARGS(td_value_tensor(*out), td_value_tensor(tensors[i])));
    td_tensor_release(*out);
    *out = sum;
  }
  return TD_OK;
}

static td_status sum_of_features(void *userdata, const td_key *key, td_tensor *const *tensors, size_t n,
                                 td_tensor **out, td_error **error) {
  (void)userdata, (void)key, (void)n, (void)error;
  *out = call("sum", "", ARGS(td_value_tensor(tensors[0])));
  return TD_OK;
}

static const td_map_function *adding(seen *s) {
  static td_map_function made;
  made = (td_map_function){sizeof made, add_up, s, note_destroyed};
  return &made;
}

static td_dict *tree(double value) {
  td_dict *td = new_dict(TD_SHAPE(2));
  put(td, TD_KEY("a"), full_f32(value, TD_SHAPE(2)));
  put(td, TD_KEY("n", "b"), full_f32(value + 1, TD_SHAPE(2, 2)));
  put_dict(td, TD_KEY("empty"), new_dict(TD_SHAPE(2)));
  return td;
}

LeaklessTest(dict_map, the_function_gets_the_key_and_that_leaf_of_every_dict) {
  td_dict *x = tree(1), *y = tree(10), *out;
  const td_dict *others[] = {y, y};
  put(y, TD_KEY("extra"), full_f32(0, TD_SHAPE(2)));
  must(td_dict_lock_(x, &err));
  seen s = {0};
  must(td_dict_map(x, adding(&s), others, 2, NULL, &out, &err));
  cr_assert_str_eq(s.keys, "a n.b ");
  check(s.destroyed == 1 && !td_dict_is_locked(out) && td_dict_count(out) == 3);
  expect_batch(out, TD_SHAPE(2));
  expect_entry(out, TD_KEY("a"), VALUES(21, 21));
  expect_entry(out, TD_KEY("n", "b"), VALUES(24, 24, 24, 24));
  td_dict_release(out);

  const td_map_function sums = {sizeof sums, sum_of_features, NULL, NULL};
  td_map_options options = TD_MAP_OPTIONS_INIT;
  const int64_t none[1] = {0};
  out = NULL;
  expect_error(td_dict_map(x, &sums, NULL, 0, NULL, &out, &err), TD_ERR_SHAPE, "\"a\"", "[2]");
  check(out == NULL);
  options.batch_size = none; /* [] */
  must(td_dict_map(x, &sums, NULL, 0, &options, &out, &err));
  td_dict *n = get_dict(out, TD_KEY("n"));
  expect_batch(out, TD_NO_DIMS);
  expect_batch(n, TD_NO_DIMS);
  expect_entry(out, TD_KEY("n", "b"), VALUES(8));
  td_dict_release(n);
  td_dict_release(out);
  td_dict_release(x);
  td_dict_release(y);
}

LeaklessTest(dict_map, entries_and_nodes_are_dropped_as_asked) {
  const struct {
    td_emptied emptied;
    td_entry_kind n, empty;
  } table[] = {{TD_EMPTIED_DROP, TD_ENTRY_NONE, TD_ENTRY_DICT},
               {TD_EMPTIED_DROP_ALL, TD_ENTRY_NONE, TD_ENTRY_NONE},
               {TD_EMPTIED_KEEP, TD_ENTRY_DICT, TD_ENTRY_DICT}};
  td_dict *x = tree(1);
  for (int i = 0; i < 3; ++i) {
    seen s = {0};
    s.drop_at = 2;
    td_map_options options = TD_MAP_OPTIONS_INIT;
    options.emptied = table[i].emptied;
    td_dict *out;
    must(td_dict_map(x, adding(&s), NULL, 0, &options, &out, &err));
    check(kind_at(out, TD_KEY("n")) == table[i].n && kind_at(out, TD_KEY("empty")) == table[i].empty);
    check(same_memory(x, TD_KEY("a"), out, TD_KEY("a")));
    td_dict_release(out);
  }
  td_dict_release(x);
}

LeaklessTest(dict_map, in_place_all_leaves_are_written_or_none) {
  td_dict *x = tree(1), *y = tree(10), *partial = new_dict(TD_SHAPE(2));
  const td_dict *others[] = {y};
  td_map_options options = TD_MAP_OPTIONS_INIT;
  options.in_place = 1;
  must(td_dict_lock_(x, &err));
  seen s = {0};
  must(td_dict_map(x, adding(&s), others, 1, &options, NULL, &err));
  expect_entry(x, TD_KEY("a"), VALUES(11, 11));
  memset(&s, 0, sizeof s);
  s.drop_at = 1; /* left as it is */
  td_dict *out = NULL;
  must(td_dict_map(x, adding(&s), others, 1, &options, &out, &err));
  expect_entry(x, TD_KEY("a"), VALUES(11, 11));
  expect_entry(x, TD_KEY("n", "b"), VALUES(24, 24, 24, 24));
  check(same_memory(x, TD_KEY("n", "b"), out, TD_KEY("n", "b")));
  td_dict_release(out);
  memset(&s, 0, sizeof s);
  s.fail_at = 2;
  expect_error(td_dict_map(x, adding(&s), others, 1, &options, NULL, &err), TD_ERR_CALLBACK, "(\"n\", \"b\")",
               "the disk is full");
  check(s.destroyed == 1);
  put(y, TD_KEY("n", "b"), range_f32(TD_SHAPE(2, 1, 2))); /* broadcasts to a shape that the leaf has not */
  memset(&s, 0, sizeof s);
  expect_error(td_dict_map(x, adding(&s), others, 1, &options, NULL, &err), TD_ERR_SHAPE, "(\"n\", \"b\")", NULL);
  expect_entry(x, TD_KEY("a"), VALUES(11, 11)); /* though its call went well */

  put(partial, TD_KEY("a"), full_f32(1, TD_SHAPE(2)));
  others[0] = partial;
  memset(&s, 0, sizeof s);
  expect_error(td_dict_map(x, adding(&s), others, 1, NULL, &out, &err), TD_ERR_KEY, "(\"n\", \"b\")", NULL);
  check(s.calls == 0 && s.destroyed == 1);
  options.missing_as_null = 1;
  must(td_dict_map(x, adding(&s), others, 1, &options, NULL, &err));
  expect_entry(x, TD_KEY("a"), VALUES(12, 12));
  expect_entry(x, TD_KEY("n", "b"), VALUES(24, 24, 24, 24));
  td_dict_release(partial);
  td_dict_release(x);
  td_dict_release(y);
}

/* A function that changes the dict it runs over. */
static td_status intrude(void *userdata, const td_key *key, td_tensor *const *tensors, size_t n, td_tensor **out,
                         td_error **error) {
  (void)key, (void)n, (void)error;
  td_tensor_retain(tensors[0]);
  *out = tensors[0];
  td_dict_remove(userdata, TD_KEY("n"), NULL); /* the second time it is gone */
  return TD_OK;
}

LeaklessTest(dict_map, the_userdata_is_destroyed_once_also_when_the_call_fails) {
  td_dict *x = tree(1), *out = NULL;
  const td_dict *none[] = {NULL};
  const int64_t batch[] = {-1};
  td_map_options unknown = TD_MAP_OPTIONS_INIT, negative = TD_MAP_OPTIONS_INIT, both = TD_MAP_OPTIONS_INIT;
  unknown.emptied = 9;
  negative.batch_size = both.batch_size = batch;
  negative.ndim = 1;
  both.in_place = 1;
  seen s = {0};
  const td_map_function no_function = {sizeof no_function, NULL, &s, note_destroyed};
  expect_error(td_dict_map(NULL, adding(&s), NULL, 0, NULL, &out, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_dict_map(x, &no_function, NULL, 0, NULL, &out, &err), TD_ERR_ARGUMENT, NULL, "fn");
  expect_error(td_dict_map(x, adding(&s), none, 1, NULL, &out, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_dict_map(x, adding(&s), NULL, 1, NULL, &out, &err), TD_ERR_ARGUMENT, NULL, "others");
  expect_error(td_dict_map(x, adding(&s), NULL, 0, NULL, NULL, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_dict_map(x, adding(&s), NULL, 0, &unknown, &out, &err), TD_ERR_ARGUMENT, NULL, "td_emptied");
  expect_error(td_dict_map(x, adding(&s), NULL, 0, &negative, &out, &err), TD_ERR_SHAPE, NULL, "negative");
  expect_error(td_dict_map(x, adding(&s), NULL, 0, &both, &out, &err), TD_ERR_ARGUMENT, NULL, "batch size");
  check(s.destroyed == 8 && s.calls == 0 && out == NULL);

  const td_map_function intruder = {sizeof intruder, intrude, x, NULL};
  must(td_dict_map(x, &intruder, NULL, 0, NULL, &out, &err)); /* the result is that of the leaves there were */
  check(kind_at(x, TD_KEY("n")) == TD_ENTRY_NONE);
  expect_entry(out, TD_KEY("n", "b"), VALUES(2, 2, 2, 2));
  td_dict_release(out);
  td_dict_release(x);
}
