/* Consolidated files: what Python wrote opens and is written again; what nobody should have written is refused. */
#include "support/expected.h"
#include "support/open.h"

TestSuite(storage_consolidated, .init = make_test_dir, .fini = remove_test_dir, .timeout = 120);

static const char *fixture(const char *name) {
  return path_of("%s/fixtures/consolidated/%s/data.bin", TD_TEST_DATA, name);
}

static const char *expectation(const char *name) {
  return path_of("%s/fixtures/consolidated/%s/expected.json", TD_TEST_DATA, name);
}

static void save_as(const td_dict *d, const char *path) {
  td_save_options options = TD_SAVE_OPTIONS_INIT;
  options.format = TD_FORMAT_CONSOLIDATED;
  options.overwrite = 1;
  must(td_save(d, TD_STR(path), &options, &err));
}

/* Those of 0.14, whose JSON has no spaces. */
static const char *const compact[] = {"basic",       "small", "names",    "lazy",     "nontensor", "nontensorstack",
                                      "empty_batch", "empty", "allempty", "zero_dim", "dtypes"};
static const char *const spaced[] = {"jagged",         "jagged_transposed", "jagged_holes", "jagged_none",
                                     "jagged_batches", "lazy_hetero",       "lazy_names",   "locked",
                                     "nested_first"};

Test(storage_consolidated, what_python_wrote_opens_as_it_was) {
  for (size_t i = 0; i < sizeof compact / sizeof *compact + sizeof spaced / sizeof *spaced; ++i) {
    const size_t first = sizeof compact / sizeof *compact;
    const char *name = i < first ? compact[i] : spaced[i - first];
    const int64_t objects = td_live_objects(TD_OBJECT_MAPPING);
    td_dict *d = open_with(fixture(name), i % 2 ? TD_OPEN_COW : TD_OPEN_READ);
    expect_as_in(expectation(name), d);
    cr_expect_leq(td_live_objects(TD_OBJECT_MAPPING), objects + 1, "%s: more than one mapping", name);
    /* and what is written again, opens again */
    const char *copy = path_of("%s/%s.td", test_dir, name);
    save_as(d, copy);
    cr_expect_eq(size_of_tree(test_dir).entries, 2, "%s: something stands beside the file", name);
    td_dict *again = open_with(copy, TD_OPEN_READ);
    expect_as_in(expectation(name), again);
    td_dict_release(again), td_dict_release(d);
    cr_expect_eq(td_live_objects(TD_OBJECT_MAPPING), objects, "%s: something stays mapped", name);
    if (i < first) expect_same_files(fixture(name), copy);
    unlink(copy);
  }
}

Test(storage_consolidated, locks_names_and_order_survive) {
  td_dict *locked = open_with(fixture("locked"), TD_OPEN_READ), *n = NULL;
  cr_expect(td_dict_is_locked(locked));
  must(td_dict_get_dict(locked, TD_KEY("n"), &n, &err));
  cr_expect(td_dict_is_locked(n));
  td_dict_release(n), td_dict_release(locked);
  td_dict *basic = open_with(fixture("basic"), TD_OPEN_READ);
  cr_expect_not(td_dict_is_locked(basic));
  td_dict_release(basic);

  td_dict *outer = small_dict(1);
  must(td_dict_get_dict(outer, TD_KEY("n"), &n, &err));
  must(td_dict_lock_(n, &err));
  must(td_dict_set_names(outer, &TD_STR("row"), 1, &err));
  const char *path = path_of("%s/inner.td", test_dir);
  save_as(outer, path);
  td_dict *again = open_with(path, TD_OPEN_COW), *m = NULL;
  must(td_dict_get_dict(again, TD_KEY("n"), &m, &err));
  cr_expect(td_dict_is_locked(m) && !td_dict_is_locked(again));
  td_string *name = NULL;
  must(td_dict_name(m, 0, &name, &err));
  cr_expect_str_eq(td_string_view(name).data, "row");
  td_string_release(name), td_dict_release(m), td_dict_release(again), td_dict_release(n), td_dict_release(outer);
}

Test(storage_consolidated, modes_decide_who_sees_a_write) {
  const char *path = path_of("%s/modes.td", test_dir);
  td_dict *one = small_dict(1), *two = small_dict(2);
  save_as(one, path);
  td_tensor *value = tensor_at(two, TD_KEY("a"));
  td_dict *read = open_with(path, TD_OPEN_READ), *cow = open_with(path, TD_OPEN_COW);
  expect_error(td_dict_copy_into(read, TD_KEY("a"), value, &err), TD_ERR_LOCKED, NULL, "read-only");
  must(td_dict_copy_into(cow, TD_KEY("a"), value, &err));
  cr_expect_eq(float_at(cow, TD_KEY("a")), 2);
  cr_expect_eq(float_at(read, TD_KEY("a")), 1);
  td_dict *live = open_with(path, TD_OPEN_READ_WRITE);
  must(td_dict_copy_into(live, TD_KEY("a"), value, &err));
  cr_expect_eq(float_at(read, TD_KEY("a")), 2);
  td_dict_release(read), td_dict_release(cow), td_dict_release(live);
  read = open_with(path, TD_OPEN_READ);
  cr_expect_eq(float_at(read, TD_KEY("a")), 2);
  /* A save over the file that is open leaves those who have it with what they had. */
  save_as(one, path);
  cr_expect_eq(float_at(read, TD_KEY("a")), 2);
  td_dict_release(read);
  read = open_with(path, TD_OPEN_READ);
  save_as(read, path);
  td_dict_release(read);
  read = open_with(path, TD_OPEN_READ);
  cr_expect_eq(float_at(read, TD_KEY("a")), 1);
  td_dict_release(read), td_dict_release(one), td_dict_release(two), td_tensor_release(value);
}

Test(storage_consolidated, nothing_is_replaced_unless_asked) {
  const char *path = path_of("%s/there.td", test_dir), *dir = path_of("%s/dir.td", test_dir);
  td_dict *d = small_dict(1);
  must(td_save(d, TD_STR(path), NULL, &err)); /* the ending says which format */
  td_format format = 0;
  must(td_format_detect(TD_STR(path), &format, &err));
  cr_expect_eq(format, TD_FORMAT_CONSOLIDATED);
  expect_error(td_save(d, TD_STR(path), NULL, &err), TD_ERR_EXISTS, NULL, "something exists at this path");
  make_dir(dir);
  td_save_options options = TD_SAVE_OPTIONS_INIT;
  options.overwrite = 1;
  expect_error(td_save(d, TD_STR(dir), &options, &err), TD_ERR_EXISTS, NULL, "not a file");
  options.compression = TD_COMPRESSION_DEFLATE;
  expect_error(td_save(d, TD_STR(path), &options, &err), TD_ERR_UNSUPPORTED, NULL, "compressed");
  expect_error(td_save(d, TD_STR(path_of("%s/no/such.td", test_dir)), NULL, &err), TD_ERR_NOT_FOUND, NULL, "");
  /* A leftover of a killed save goes with the next one. */
  write_text(path_of("%s/.there.td.writing-0123", test_dir), "half");
  options.compression = TD_COMPRESSION_NONE;
  options.sync = 1;
  must(td_save(d, TD_STR(path), &options, &err));
  cr_expect_eq(size_of_tree(test_dir).entries, 3);
  td_dict_release(d);
}

Test(storage_consolidated, what_the_format_cannot_hold_is_named) {
  const char *path = path_of("%s/no.td", test_dir);
  td_dict *d = small_dict(1), *empty = NULL;
  must(td_dict_lazy_new(TD_SHAPE(2), 0, &empty, &err));
  td_dict *holder = new_dict(TD_NO_DIMS);
  must(td_dict_set_dict(holder, TD_KEY("empty"), empty, &err));
  expect_error(td_save(holder, TD_STR(path), NULL, &err), TD_ERR_UNSUPPORTED, NULL, "without members");
  put(d, TD_KEY("leaves", "x"), TD_DTYPE_FLOAT32, (float[]){1, 2}, TD_SHAPE(2));
  expect_error(td_save(d, TD_STR(path), NULL, &err), TD_ERR_KEY, NULL, "itself");
  cr_expect_eq(size_of_tree(test_dir).entries, 1, "a refused save left something");
  td_dict_release(d), td_dict_release(empty), td_dict_release(holder);
}

Test(storage_consolidated, complex128_lies_at_16_whatever_comes_before) {
  td_dict *d = new_dict(TD_NO_DIMS);
  put(d, TD_KEY("a"), TD_DTYPE_FLOAT32, (float[]){1, 2}, TD_SHAPE(2));
  put(d, TD_KEY("z"), TD_DTYPE_COMPLEX128, (double[]){1, 2, 3, 4}, TD_SHAPE(2));
  const char *path = path_of("%s/z.td", test_dir);
  save_as(d, path);
  size_t n = 0;
  char *bytes = file_bytes(path, &n);
  cr_expect_eq(((double *)(void *)(bytes + 16))[3], 4);
  free(bytes);
  td_dict *again = open_with(path, TD_OPEN_READ_WRITE); /* needs no copy */
  td_tensor *z = tensor_at(again, TD_KEY("z"));
  const void *data = NULL;
  must(td_tensor_data(z, &data, &err));
  cr_expect_eq(((const double *)data)[2], 3);
  td_tensor_release(z), td_dict_release(again), td_dict_release(d);
}

/* ---- Hostile files ---------------------------------------------------------------------------------------------------- */

static const char *hostile(const char *name) {
  return path_of("%s/fixtures/hostile_files/consolidated_%s/data.bin", TD_TEST_DATA, name);
}

Test(storage_consolidated, hostile_files_of_python_are_refused_or_read_safely) {
  expect_refused(hostile("len_huge"), "len_huge", TD_FORMAT_CONSOLIDATED, TD_ERR_CORRUPT, "footer");
  expect_refused(hostile("too_short"), "too_short", TD_FORMAT_CONSOLIDATED, TD_ERR_CORRUPT, "too short");
  expect_refused(hostile("negative_start"), "negative_start", TD_FORMAT_CONSOLIDATED, TD_ERR_CORRUPT, "outside");
  expect_refused(hostile("stop_past_end"), "stop_past_end", TD_FORMAT_CONSOLIDATED, TD_ERR_CORRUPT, "outside");
  /* Two saves in one file cannot be told from one; misaligned tensors are copied. */
  static const char *const read[] = {"stale_overwrite", "misaligned", "complex128_at_8"};
  for (size_t i = 0; i < sizeof read / sizeof *read; ++i) {
    td_dict *d = open_with(hostile(read[i]), TD_OPEN_READ);
    cr_expect(count_leaves(d) > 0);
    td_dict_release(d);
  }
  td_open_options options = TD_OPEN_OPTIONS_INIT;
  options.mode = TD_OPEN_READ_WRITE;
  const char *copy = path_of("%s/misaligned", test_dir);
  copy_tree(hostile("misaligned"), copy);
  td_dict *none = NULL;
  expect_error(td_open(TD_STR(copy), &options, &none, &err), TD_ERR_UNSUPPORTED, NULL, "aligned");
}

#define META "\"cls_metadata\":{\"device\":null,\"names\":[],\"batch_size\":[],\"is_locked\":false}"
#define NODE(leaves, more) "{\"cls\":\"TensorDict\",\"non_tensors\":{},\"leaves\":{" leaves "}," META more "}"
#define STACK(dim, members)                                                                                  \
  "{\"cls\":\"LazyStackedTensorDict\",\"non_tensors\":{},\"leaves\":{},\"cls_metadata\":{\"stack_dim\":" dim \
  "}" members "}"
#define OFFSETS(shape, extent, index) "\"<NJT_OFFSETS>j\":[\"torch.int64\",[" shape "]," extent ",0," index "]"
#define VALUES "\"<NJT_VALUES>j\":[\"torch.float32\",[4],0,16,0]"

static const struct {
  const char *name, *json;
  td_status status;
  const char *words;
} metadata_lies[] = {
    {"overlap", NODE("\"a\":[\"torch.float32\",[2],0,8,0],\"b\":[\"torch.float32\",[2],4,12,0]", ""), TD_ERR_CORRUPT,
     "overlaps"},
    {"long pad", NODE("\"a\":[\"torch.float32\",[2],0,16,8]", ""), TD_ERR_CORRUPT, "size"},
    {"negative pad", NODE("\"a\":[\"torch.float32\",[2],0,4,-4]", ""), TD_ERR_CORRUPT, "size"},
    {"wide shape", NODE("\"a\":[\"torch.float32\",[4611686018427387904],0,0,0]", ""), TD_ERR_CORRUPT, "64 bits"},
    {"minus one", NODE("\"a\":[\"torch.float32\",[-1],0,8,0]", ""), TD_ERR_CORRUPT, "negative"},
    {"bool size", NODE("\"a\":[\"torch.float32\",[true],0,4,0]", ""), TD_ERR_CORRUPT, "integer"},
    {"float8", NODE("\"a\":[\"torch.float8_e5m2\",[3],0,8,6]", ""), TD_ERR_CORRUPT, "size"},
    {"qint8", NODE("\"a\":[\"torch.qint8\",[2],0,8,6]", ""), TD_ERR_DTYPE, "qint8"},
    {"doubled", NODE("\"a\":[\"torch.float32\",[2],0,8,0],\"a\":[\"torch.float32\",[2],8,16,0]", ""), TD_ERR_CORRUPT,
     "two members"},
    {"leaf and node", NODE("\"a\":[\"torch.float32\",[2],0,8,0]", ",\"a\":" NODE("", "")), TD_ERR_CORRUPT, "two"},
    {"class", "{\"cls\":\"Params\",\"non_tensors\":{},\"leaves\":{}," META "}", TD_ERR_UNSUPPORTED, "Params"},
    {"list", "[]", TD_ERR_CORRUPT, "not an object"},
    {"no batch size", "{\"cls\":\"TensorDict\",\"non_tensors\":{},\"leaves\":{},\"cls_metadata\":{}}", TD_ERR_CORRUPT,
     "batch_size"},
    {"wide batch",
     "{\"cls\":\"TensorDict\",\"non_tensors\":{},\"leaves\":{},\"cls_metadata\":{\"names\":[null,null],"
     "\"batch_size\":[9223372036854775807,9223372036854775807]}}",
     TD_ERR_CORRUPT, "64 bits"},
    {"wide batch of data",
     "{\"cls\":\"TensorDict\",\"non_tensors\":{\"a\":[\"x\",[4611686018427387904,4611686018427387904],null]},"
     "\"leaves\":{}," META "}",
     TD_ERR_CORRUPT, "at \"a\""},
    {"data as root", "{\"cls\":\"NonTensorStack\",\"non_tensors\":{},\"leaves\":{}," META "}", TD_ERR_UNSUPPORTED,
     "put it into a dict"},
    {"empty stack", STACK("0", ""), TD_ERR_CORRUPT, "no members"},
    {"gap in a stack", STACK("0", ",\"1\":" NODE("", "")), TD_ERR_CORRUPT, "numbered"},
    {"stack dim", STACK("3", ",\"0\":" NODE("", "")), TD_ERR_CORRUPT, "stack_dim"},
    {"tensor as member",
     "{\"cls\":\"LazyStackedTensorDict\",\"non_tensors\":{},\"leaves\":{\"0\":[\"torch.float32\",[2],0,8,"
     "0]},\"cls_metadata\":{\"stack_dim\":0}}",
     TD_ERR_CORRUPT, "member of the stack"},
    {"values only", NODE(VALUES, ""), TD_ERR_CORRUPT, "offsets of a jagged tensor are missing"},
    {"offsets only", NODE(OFFSETS("3", "16,40", "1"), ""), TD_ERR_CORRUPT, "do not follow"},
    {"between", NODE(VALUES ",\"b\":[\"torch.float32\",[2],0,8,0]," OFFSETS("3", "16,40", "1"), ""), TD_ERR_CORRUPT,
     "do not follow"},
    {"ragged index", NODE(VALUES "," OFFSETS("3", "16,40", "2"), ""), TD_ERR_CORRUPT, "ragged_idx"},
    {"no offsets", NODE(VALUES "," OFFSETS("0", "16,16", "1"), ""), TD_ERR_CORRUPT, "empty"},
    {"offsets beyond", NODE(VALUES "," OFFSETS("3", "40,64", "1"), ""), TD_ERR_CORRUPT, "outside its values"},
    {"offsets that fall", NODE(VALUES "," OFFSETS("3", "64,88", "1"), ""), TD_ERR_CORRUPT, "outside its values"},
};

Test(storage_consolidated, lies_in_the_metadata_are_refused) {
  const int64_t payload[11] = {0, 0, 0, 2, 4, 0, 2, 5, 0, 3, 2};
  for (size_t i = 0; i < sizeof metadata_lies / sizeof *metadata_lies; ++i)
    expect_refused(consolidated_file(metadata_lies[i].json, payload, sizeof payload), metadata_lies[i].name,
                   TD_FORMAT_CONSOLIDATED, metadata_lies[i].status, metadata_lies[i].words);
  td_dict *fine = open_with(consolidated_file(NODE(VALUES "," OFFSETS("3", "16,40", "1"), ""), payload, sizeof payload),
                            TD_OPEN_READ);
  td_dict_release(fine);
}

/* ---- Segments --------------------------------------------------------------------------------------------------------- */

static const char *const with_stacks[] = {"lazy",   "lazy_hetero",       "lazy_names",
                                          "jagged", "jagged_transposed", "jagged_batches"};

static void in_a_segment(const char *kind, const char *unlike, int snapshots) {
  const char *wanted = expectation(kind), *name = path_of("td-single-%d-%s", (int)getpid(), kind);
  td_dict *d = open_with(fixture(kind), TD_OPEN_READ), *views = NULL;
  td_segment *owner = NULL, *reader = NULL;
  td_segment_options o = TD_SEGMENT_OPTIONS_INIT;
  o.snapshots = snapshots;
  must(td_segment_create(TD_STR(name), d, &o, &owner, &err));
  must(td_segment_open(TD_STR(name), NULL, &reader, &err));
  must(td_segment_dict(reader, &views, &err));
  expect_as_in(wanted, views);
  must(td_segment_update(owner, d, &err));
  expect_as_in(wanted, views);
  td_dict_release(views), views = NULL;
  if (snapshots) {
    must(td_segment_snapshot(reader, &views, &err));
    expect_as_in(wanted, views);
    td_dict_release(views);
  }
  td_dict *other = open_with(fixture(unlike), TD_OPEN_READ);
  td_error *error = NULL;
  const td_status status = td_segment_update(owner, other, &error);
  cr_expect(status == TD_ERR_SHAPE || status == TD_ERR_KEY, "%s: %s", kind, td_status_name(status).data);
  td_error_release(error), td_dict_release(other);
  td_segment_release(reader), td_segment_release(owner), td_dict_release(d);
}

Test(storage_consolidated, segments_hold_stacks_and_jagged_tensors) {
  for (size_t i = 0; i < sizeof with_stacks / sizeof *with_stacks; ++i) {
    const char *unlike = i < 3 ? "basic" : "jagged_holes";
    in_a_segment(with_stacks[i], unlike, 0);
    in_a_segment(with_stacks[i], unlike, 2);
  }
  in_a_segment("jagged_none", "jagged_holes", 0);
}

Test(storage_consolidated, channels_hold_them_too) {
  for (size_t i = 0; i < sizeof with_stacks / sizeof *with_stacks; ++i) {
    td_dict *d = open_with(fixture(with_stacks[i]), TD_OPEN_READ), *views = NULL;
    td_channel *ch = NULL;
    td_message *m = NULL;
    td_channel_options o = TD_CHANNEL_OPTIONS_INIT;
    o.roles = TD_CHANNEL_ROLE_PRODUCES + TD_CHANNEL_ROLE_CONSUMES;
    must(td_channel_create(TD_STR(path_of("td-single-%d-%zu", (int)getpid(), i)), d, &o, &ch, &err));
    must(td_channel_acquire(ch, 0, NULL, &m, &err));
    must(td_message_dict(m, &views, &err));
    must(td_dict_update_(views, d, &err));
    must(td_message_publish(m, &err));
    td_dict_release(views), td_message_release(m), m = NULL, views = NULL;
    must(td_channel_take(ch, 0, NULL, &m, &err));
    must(td_message_dict(m, &views, &err));
    expect_as_in(expectation(with_stacks[i]), views);
    td_dict_release(views), td_message_release(m), td_channel_release(ch), td_dict_release(d);
  }
}
