/* What can be saved can be opened: every limit of a reader is one of its writer, which refuses first and leaves nothing. */
#include "support/files.h"
#include "support/td.h"

TestSuite(storage_extreme, .init = make_test_dir, .fini = remove_test_dir, .timeout = 120);

static const struct {
  const char *name, *ending, *feature;
} forms[] = {{"directory", "", NULL},
             {"consolidated", ".td", NULL},
             {"archive", ".tdz", "archive"},
             {"safetensors", ".safetensors", NULL},
             {"HDF5", ".h5", "hdf5"}};
enum { FORMS = sizeof forms / sizeof *forms };

/* Both have the same keys, and the same tensors under them. */
static int same_leaves(const td_dict *a, const td_dict *b) {
  td_keys *ka, *kb;
  must(td_dict_keys(a, TD_KEYS_NESTED | TD_KEYS_LEAVES | TD_KEYS_DATA, &ka, &err));
  must(td_dict_keys(b, TD_KEYS_NESTED | TD_KEYS_LEAVES | TD_KEYS_DATA, &kb, &err));
  int same = td_keys_size(ka) == td_keys_size(kb);
  for (size_t i = 0; same && i < td_keys_size(ka); ++i) {
    td_key key;
    must(td_keys_get(ka, i, &key, &err));
    same = kind_at(a, &key) == kind_at(b, &key);
    if (!same || kind_at(a, &key) != TD_ENTRY_TENSOR) continue;
    td_tensor *x = get(a, &key), *y = get(b, &key);
    same = same_values(x, y);
    td_tensor_release(x), td_tensor_release(y);
  }
  td_keys_release(ka), td_keys_release(kb);
  return same;
}

static void through_file(const td_dict *d, const char *what, size_t form) {
  td_open_options trusted = TD_OPEN_OPTIONS_INIT;
  trusted.trusted = 1;
  const char *path = path_of("%s/save%s", test_dir, forms[form].ending);
  td_error *error = NULL;
  const td_status saved = td_save(d, TD_STR(path), NULL, &error);
  if (saved != TD_OK) {
    const char *why = td_error_message(error).data;
    cr_expect(saved == TD_ERR_UNSUPPORTED || saved == TD_ERR_KEY || saved == TD_ERR_SHAPE || saved == TD_ERR_DTYPE,
              "%s as %s: %s", what, forms[form].name, why);
    cr_expect_not(there(path), "%s as %s: refused, but something is there", what, forms[form].name);
  } else {
    td_dict *again = NULL;
    const td_status opened = td_open(TD_STR(path), &trusted, &again, &error);
    cr_expect_eq(opened, TD_OK, "%s as %s was saved, but: %.300s", what, forms[form].name,
                 error ? td_error_message(error).data : "");
    if (opened == TD_OK) cr_expect(same_leaves(d, again), "%s as %s is another dict", what, forms[form].name);
    td_dict_release(again);
  }
  td_error_release(error);
  remove_tree(path);
}

static void through_segment(const td_dict *d, const char *what) {
  td_segment *owner = NULL, *reader = NULL;
  td_dict *again = NULL;
  td_error *error = NULL;
  const char *name = path_of("td-extreme-%d", (int)getpid());
  if (!td_has_feature(TD_STR("segment"))) return;
  if (td_segment_create(TD_STR(name), d, NULL, &owner, &error) == TD_OK) {
    const td_status opened = td_segment_open(TD_STR(name), NULL, &reader, &error);
    cr_expect_eq(opened, TD_OK, "%s is in a segment, but: %.300s", what, error ? td_error_message(error).data : "");
    if (opened == TD_OK) {
      must(td_segment_dict(reader, &again, &err));
      cr_expect(same_leaves(d, again), "%s in a segment is another dict", what);
    }
  }
  td_error_release(error), td_dict_release(again), td_segment_release(reader), td_segment_release(owner);
}

/* In every format; takes the dict over. */
static void saves_or_is_refused(td_dict *d, const char *what) {
  for (size_t i = 0; i < FORMS; ++i)
    if (!forms[i].feature || td_has_feature(TD_STR(forms[i].feature))) through_file(d, what, i);
  through_segment(d, what);
  td_dict_release(d);
}

/* ---- Depth ---------------------------------------------------------------------------------------------------------------- */

enum { DEEPEST = 250 };

static td_key deep_key(td_str *parts, size_t n, const char *part) {
  for (size_t i = 0; i < n; ++i) parts[i] = TD_STR(part);
  return (td_key){parts, n};
}

static td_dict *deep(size_t n, const char *part, const td_data *value) {
  td_str parts[DEEPEST];
  const td_key key = deep_key(parts, n, part);
  td_dict *d = new_dict(TD_NO_DIMS);
  td_tensor *t = full_f32(1, TD_SHAPE(2));
  if (value)
    must(td_dict_set_data(d, &key, &*value, &err));
  else
    must(td_dict_set(d, &key, t, &err));
  td_tensor_release(t);
  return d;
}

static const size_t depths[] = {2, 83, 84, 85, 86, 124, 126, 200, 248, 249, DEEPEST};
enum { DEPTHS = sizeof depths / sizeof *depths };

LeaklessTest(storage_extreme, deep_dicts) {
  for (size_t i = 0; i < DEPTHS; ++i) saves_or_is_refused(deep(depths[i], "n", NULL), path_of("depth %zu", depths[i]));
  saves_or_is_refused(deep(200, "a rather long key, so that the whole path is longer than any path", NULL), "long");
}

LeaklessTest(storage_extreme, data_deep_in_a_dict) {
  char json[2 * 260 + 1];
  for (size_t i = 0; i < DEPTHS; ++i) {
    const td_data text = td_data_str(TD_STR("text"));
    saves_or_is_refused(deep(depths[i], "n", &text), path_of("text at depth %zu", depths[i]));
    for (size_t nested = 1; nested <= 255; nested += 127) {
      memset(json, '[', nested), memset(json + nested, ']', nested), json[2 * nested] = '\0';
      const td_data value = td_data_json(TD_STR(json));
      saves_or_is_refused(deep(depths[i], "n", &value), path_of("%zu lists at depth %zu", nested, depths[i]));
    }
  }
}

LeaklessTest(storage_extreme, stacks_of_stacks) {
  for (size_t n = 1; n <= 61; n += 20) { /* with "n" below the stack dims of the members */
    td_dict *d = deep(3, "n", NULL);
    for (size_t i = 0; i < n; ++i) {
      td_dict *stack;
      must(td_dict_lazy_stack(&d, 1, 0, &stack, &err));
      td_dict_release(d);
      d = stack;
    }
    saves_or_is_refused(d, path_of("%zu stacks", n));
  }
  for (size_t i = 0; i < DEPTHS; ++i) { /* a stack at the bottom of a dict, and a stack of data in it */
    td_dict *d = new_dict(TD_NO_DIMS), *member = new_dict(TD_NO_DIMS), *other, *stack;
    td_str parts[DEEPEST];
    const td_key key = deep_key(parts, depths[i] < 3 ? 1 : depths[i] - 2, "n"); /* the stack counts twice */
    const td_data one = td_data_str(TD_STR("one")), two = td_data_str(TD_STR("two"));
    must(td_dict_set_data(member, TD_KEY("x"), &one, &err));
    must(td_dict_copy(member, &other, &err));
    must(td_dict_set_data(other, TD_KEY("x"), &two, &err));
    td_dict *members[] = {member, other};
    must(td_dict_lazy_stack(members, 2, 0, &stack, &err));
    must(td_dict_set_dict(d, &key, stack, &err));
    td_dict_release(stack), td_dict_release(other), td_dict_release(member);
    saves_or_is_refused(d, path_of("a stack at depth %zu", depths[i]));
  }
}

/* ---- Keys ----------------------------------------------------------------------------------------------------------------- */

static const char *const odd_keys[] = {"",
                                       ".",
                                       "..",
                                       "/",
                                       "a/b",
                                       "%",
                                       "%2e",
                                       "\n",
                                       "\x7f",
                                       "a.b",
                                       "meta.json",
                                       "_tensordict",
                                       "x.memmap",
                                       "0",
                                       "_type",
                                       "shape",
                                       "type",
                                       "__metadata__",
                                       "_source",
                                       "leaves",
                                       "cls",
                                       "\\",
                                       "\"",
                                       "h\xc3\xa9",
                                       "\xf0\x9f\x98\x80",
                                       "meta.pt",
                                       "other.pickle",
                                       "_names",
                                       "names",
                                       " "};

LeaklessTest(storage_extreme, long_and_odd_keys) {
  static const size_t lengths[] = {84, 85, 200, 246, 247, 248, 254, 255, 256, 1000, 70000};
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; ++i) {
    char *key = malloc(lengths[i] + 1);
    memset(key, 'k', lengths[i]), key[lengths[i]] = '\0';
    for (size_t depth = 1; depth <= 2; ++depth)
      saves_or_is_refused(deep(depth, key, NULL), path_of("a key of %zu bytes", lengths[i]));
    free(key);
  }
  for (size_t i = 0; i < sizeof odd_keys / sizeof *odd_keys; ++i) {
    const td_data text = td_data_str(TD_STR("text"));
    for (size_t depth = 1; depth <= 2; ++depth) {
      saves_or_is_refused(deep(depth, odd_keys[i], NULL), path_of("the key '%s'", odd_keys[i]));
      saves_or_is_refused(deep(depth, odd_keys[i], &text), path_of("text under the key '%s'", odd_keys[i]));
    }
  }
}

/* ---- Sizes ---------------------------------------------------------------------------------------------------------------- */

LeaklessTest(storage_extreme, many_dims) {
  int64_t ones[66];
  for (size_t i = 0; i < 66; ++i) ones[i] = 1;
  for (size_t batch = 0; batch <= 64; batch += 32) {
    td_dict *d = new_dict(ones, batch), *more = NULL, *stack = NULL;
    td_tensor *t = full_f32(1, ones, 64);
    must(td_dict_set(d, TD_KEY("a"), t, &err));
    const td_dict *two[] = {d, d};
    expect_error(td_dict_unsqueeze(d, 0, &more, &err), TD_ERR_SHAPE, NULL, "more than 64 dims");
    expect_error(td_dict_stack(two, 2, 0, &stack, &err), TD_ERR_SHAPE, NULL, "more than 64 dims");
    check(!more && !stack);
    td_tensor_release(t);
    saves_or_is_refused(d, path_of("64 dims, %zu of them of the batch", batch));
  }
  td_tensor *t = full_f32(1, ones, 64), *wider = NULL;
  td_op *unsqueeze;
  const td_value args[] = {td_value_tensor(t), td_value_int(0)};
  td_value result;
  must(td_op_find(TD_STR("unsqueeze"), TD_NO_STR, &unsqueeze, &err));
  must(td_op_call(unsqueeze, args, 2, NULL, 0, &result, 1, &err));
  wider = result.as.tensor;
  td_dict *d = new_dict(TD_NO_DIMS);
  must(td_dict_set(d, TD_KEY("a"), wider, &err));
  saves_or_is_refused(d, "65 dims");
  td_tensor_release(wider), td_tensor_release(t), td_op_release(unsqueeze);
}

LeaklessTest(storage_extreme, huge_and_empty_sizes) {
  static const struct {
    int64_t dims[3];
    size_t n;
  } batches[] = {{{0}, 1},
                 {{1LL << 31}, 1},
                 {{INT64_MAX}, 1},
                 {{INT64_MAX, 0}, 2},
                 {{0, INT64_MAX}, 2},
                 {{1LL << 31, 1LL << 31, 1}, 3}};
  for (size_t i = 0; i < sizeof batches / sizeof *batches; ++i) {
    td_dict *d = NULL, *below;
    const td_status made = td_dict_new(batches[i].dims, batches[i].n, NULL, &d, &err);
    td_error_release(err), err = NULL;
    if (made != TD_OK) continue;
    must(td_dict_new(batches[i].dims, batches[i].n, NULL, &below, &err));
    must(td_dict_set_dict(d, TD_KEY("empty"), below, &err));
    td_dict_release(below);
    if (batches[i].dims[0] == 0) {
      td_tensor *t = full_f32(1, batches[i].dims, 1);
      if (batches[i].n == 1) must(td_dict_set(d, TD_KEY("a"), t, &err));
      td_tensor_release(t);
    }
    saves_or_is_refused(d, path_of("batch %zu", i));
  }
  td_dict *d = NULL;
  const int64_t overflow[] = {INT64_MAX, 2};
  expect_error(td_dict_new(overflow, 2, NULL, &d, &err), TD_ERR_SHAPE, NULL, NULL);
  saves_or_is_refused(new_dict(TD_NO_DIMS), "nothing");
}

/* ---- Files of others ------------------------------------------------------------------------------------------------------ */

LeaklessTest(storage_extreme, a_file_whose_keys_are_too_deep_is_corrupt_and_said_so_in_few_words) {
  enum { PARTS = 20000 };
  char *file = calloc(1, 2 * PARTS + 200), *json = file + 8;
  strcpy(json, "{\"");
  for (size_t i = 0; i < PARTS; ++i) memcpy(json + 2 + 2 * i, i ? ".k" : "kk", 2);
  strcat(json, "\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}");
  const size_t size = strlen(json);
  memcpy(file, &(int64_t){(int64_t)size}, 8);
  const char *path = path_of("%s/deep.safetensors", test_dir);
  write_file(path, file, 8 + size + 4);
  free(file);
  td_dict *d = NULL;
  check(td_open(TD_STR(path), NULL, &d, &err) == TD_ERR_CORRUPT);
  check(td_error_message(err).size < 8192 && strstr(td_error_message(err).data, "levels deep"));
  td_error_release(err), err = NULL;
}

LeaklessTest(storage_extreme, no_message_is_longer_than_8_KiB) {
  enum { PARTS = 249 };
  static char part[3000];
  td_str parts[PARTS];
  for (size_t i = 0; i + 3 < sizeof part; i += 3) memcpy(part + i, "\xe2\x82\xac", 3); /* never cut in the middle */
  for (size_t i = 0; i < PARTS; ++i) parts[i] = TD_STR(part);
  td_dict *d = new_dict(TD_NO_DIMS);
  td_tensor *t;
  check(td_dict_get(d, &(td_key){parts, PARTS}, &t, &err) == TD_ERR_KEY);
  const td_str message = td_error_message(err);
  check(message.size > 500 && message.size <= 8192 && strstr(message.data, " ... "));
  for (size_t i = 0; i < message.size; ++i)
    if ((unsigned char)message.data[i] == 0xe2)
      check(strncmp(message.data + i, "\xe2\x82\xac", 3) == 0), i += 2;
    else
      check((unsigned char)message.data[i] < 0x80);
  check(td_error_key(err).size > sizeof part * PARTS); /* all of it is there */
  td_error_release(err), err = NULL;
  td_dict_release(d);
}
