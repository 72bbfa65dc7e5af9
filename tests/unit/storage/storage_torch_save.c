/* Files of torch.save: what PyTorch 1.13 and 2.13 wrote opens as it was, and a pickle is data whatever it says. */
#include "support/expected.h"

TestSuite(storage_torch_save, .init = make_test_dir, .fini = remove_test_dir, .timeout = 120);

static const char *fixture(const char *name, const char *file) {
  return path_of("%s/fixtures/torch_save/%s/%s", TD_TEST_DATA, name, file);
}

static td_dict *open_file(const char *path, td_bool lenient) {
  td_open_options options = TD_OPEN_OPTIONS_INIT;
  td_dict *d = NULL;
  options.lenient = lenient;
  must(td_open(TD_STR(path), &options, &d, &err));
  return d;
}

Test(storage_torch_save, what_python_wrote_opens_as_it_was) {
  static const char *const names[] = {"state", "checkpoint", "views", "dtypes", "values", "protocol_4"};
  static const char *const versions[] = {"1_13", "2_13"};
  for (size_t i = 0; i < 12; ++i) {
    const char *name = path_of("%s_%s", names[i / 2], versions[i % 2]), *path = fixture(name, "data.pt");
    td_format format = TD_FORMAT_AUTO;
    must(td_format_detect(TD_STR(path), &format, &err));
    cr_expect_eq(format, TD_FORMAT_TORCH_SAVE);
    const int64_t mappings = td_live_objects(TD_OBJECT_MAPPING);
    td_dict *d = open_file(path, 0);
    cr_expect_leq(td_live_objects(TD_OBJECT_MAPPING), mappings + 1, "%s: more than one mapping", name);
    expect_as_in(fixture(name, "expected.json"), d);
    const char *copy = path_of("%s/%s.td", test_dir, name);
    must(td_save(d, TD_STR(copy), NULL, &err));
    td_dict_release(d);
    cr_expect_eq(td_live_objects(TD_OBJECT_MAPPING), mappings, "%s: something stays mapped", name);
    td_dict *again = open_file(copy, 0);
    expect_as_in(fixture(name, "expected.json"), again);
    td_dict_release(again);
  }
}

Test(storage_torch_save, views_of_one_storage_share_its_memory) {
  td_open_options options = TD_OPEN_OPTIONS_INIT;
  options.mode = TD_OPEN_COW;
  td_dict *d = NULL;
  const char *path = fixture("views_2_13", "data.pt");
  must(td_open(TD_STR(path), &options, &d, &err));
  td_tensor *row = tensor_at(d, TD_KEY("row")), *base = tensor_at(d, TD_KEY("base")),
            *turned = tensor_at(d, TD_KEY("t")), *parameter = tensor_at(d, TD_KEY("parameter"));
  const void *first = NULL, *second = NULL, *third = NULL;
  must(td_tensor_data(base, &first, &err));
  must(td_tensor_data(row, &second, &err));
  must(td_tensor_data(turned, &third, &err));
  cr_expect((const float *)second == (const float *)first + 4 && third == first);
  cr_expect(!td_tensor_requires_grad(parameter));
  td_tensor_release(row), td_tensor_release(base), td_tensor_release(turned), td_tensor_release(parameter);
  td_dict_release(d);
  td_dict *still = open_file(path, 0);
  td_tensor *read = tensor_at(still, TD_KEY("base"));
  cr_expect(td_tensor_is_read_only(read));
  td_tensor_release(read), td_dict_release(still);
}

Test(storage_torch_save, a_state_dict_goes_into_a_module) {
  td_module *layer = NULL;
  must(td_module_new(TD_STR("td.linear"), TD_STR("{\"in_features\": 3, \"out_features\": 2}"), NULL, &layer, &err));
  td_dict *d = open_file(fixture("state_1_13", "data.pt"), 0), *state = new_dict(NULL, 0), *held = NULL;
  td_tensor *weight = tensor_at(d, TD_KEY("0.weight")), *bias = tensor_at(d, TD_KEY("0.bias"));
  must(td_dict_set(state, TD_KEY("weight"), weight, &err));
  must(td_dict_set(state, TD_KEY("bias"), bias, &err));
  must(td_module_load_state_dict(layer, state, NULL, NULL, NULL, &err));
  must(td_module_state_dict(layer, TD_NO_STR, 0, &held, &err));
  td_tensor *now = tensor_at(held, TD_KEY("weight"));
  const void *a = NULL, *b = NULL;
  must(td_tensor_data(weight, &a, &err));
  must(td_tensor_data(now, &b, &err));
  cr_expect_eq(memcmp(a, b, 24), 0);
  td_tensor_release(now), td_tensor_release(weight), td_tensor_release(bias);
  td_dict_release(held), td_dict_release(state), td_dict_release(d), td_module_release(layer);
}

Test(storage_torch_save, it_is_not_written) {
  td_dict *d = small_dict(1);
  const char *path = path_of("%s/x.pt", test_dir);
  td_format format = TD_FORMAT_AUTO;
  must(td_format_of_ending(TD_STR("x.pth"), &format, &err));
  cr_expect_eq(format, TD_FORMAT_TORCH_SAVE);
  expect_error(td_save(d, TD_STR(path), NULL, &err), TD_ERR_UNSUPPORTED, NULL, "safetensors");
  cr_expect_eq(size_of_tree(test_dir).entries, 1, "a refused save left something");
  td_dict_release(d);
}

/* ---- Files with any pickle ------------------------------------------------------------------------------------------ */

static size_t put_number(char *at, uint64_t n, size_t width) {
  for (size_t i = 0; i < width; ++i) at[i] = (char)(n >> 8 * i);
  return width;
}

typedef struct part {
  const char *name, *bytes;
  size_t size;
} part;

/* A zip file of stored entries. */
static const char *zip_of(const part *parts, size_t n) {
  static char bytes[1 << 16], records[1 << 12];
  size_t at = 0, end = 0;
  for (size_t i = 0; i < n; ++i) {
    const size_t name = strlen(parts[i].name), start = at;
    char fields[26] = {0};
    put_number(fields + 14, parts[i].size, 4), put_number(fields + 18, parts[i].size, 4);
    put_number(fields + 22, name, 2);
    memcpy(bytes + at, "PK\3\4", 4), memcpy(bytes + at + 4, fields, 26), memcpy(bytes + at + 30, parts[i].name, name);
    memcpy(bytes + at + 30 + name, parts[i].bytes, parts[i].size);
    at += 30 + name + parts[i].size;
    memset(records + end, 0, 46);
    memcpy(records + end, "PK\1\2", 4), memcpy(records + end + 6, fields, 26);
    put_number(records + end + 42, start, 4), memcpy(records + end + 46, parts[i].name, name);
    end += 46 + name;
  }
  memcpy(bytes + at, records, end);
  char last[22] = "PK\5\6";
  put_number(last + 8, n, 2), put_number(last + 10, n, 2), put_number(last + 12, end, 4), put_number(last + 16, at, 4);
  memcpy(bytes + at + end, last, 22);
  const char *path = path_of("%s/made.pt", test_dir);
  write_file(path, bytes, at + end + 22);
  return path;
}

/* With a storage of two floats, "0". */
static const char *file_of(const char *pickle, size_t size) {
  static const char two[] = {0, 0, -128, 63, 0, 0, 0, 64};
  const part parts[] = {{"x/data.pkl", pickle, size}, {"x/byteorder", "little", 6}, {"x/data/0", two, 8}};
  return zip_of(parts, 3);
}
#define FILE_OF(pickle) file_of(pickle, sizeof pickle - 1)

#define STORAGE(class, key, n) "(X\7\0\0\0storage" class "X\1\0\0\0" key "X\3\0\0\0cpu" n "tQ"
#define FLOATS STORAGE("ctorch\nFloatStorage\n", "0", "K\2")
#define REBUILD "ctorch._utils\n_rebuild_tensor_v2\n"
/* {"a": a tensor} */
#define TENSOR(storage, offset, sizes, strides)                \
  "\x80\2}X\1\0\0\0a" REBUILD "(" storage offset sizes strides \
  "\x89"                                                       \
  "ccollections\nOrderedDict\n)RtRs."

Test(storage_torch_save, a_pickle_by_hand_opens) {
  td_dict *d = open_file(FILE_OF(TENSOR(FLOATS, "K\0", "K\2\x85", "K\1\x85")), 0);
  cr_expect_eq(float_at(d, TD_KEY("a")), 1);
  td_dict_release(d);
  d = open_file(FILE_OF("\x80\2}X\1\0\0\0bc_codecs\nencode\nX\3\0\0\0a\xc3\xbfX\6\0\0\0latin1\x86Rs."), 0);
  td_data value;
  td_data_list *list = NULL;
  must(td_dict_get_data(d, TD_KEY("b"), &list, &err));
  must(td_data_list_get(list, 0, &value, &err));
  cr_expect(value.kind == TD_DATA_BYTES && value.text.size == 2 && !memcmp(value.text.data, "a\xff", 2));
  td_data_list_release(list), td_dict_release(d);
}

Test(storage_torch_save, what_only_python_can_make_is_named_and_lenient_leaves_it_out) {
  const char *path = FILE_OF(
      "\x80\2}(X\1\0\0\0fcposix\nsystem\nX\2\0\0\0id\x85RX\1\0\0\0aK\5X\1\0\0\0ncnumpy\nndarray\n)\x81}b"
      "X\1\0\0\0qctorch._utils\n_rebuild_tensor_v2\n(" STORAGE("ctorch\nQInt8Storage\n", "0", "K\10") "K\0))\x89NtRu.");
  td_dict *d = NULL;
  expect_error(td_open(TD_STR(path), NULL, &d, &err), TD_ERR_UNSUPPORTED, "\"f\"", "posix.system");
  d = open_file(path, 1);
  cr_expect_eq(td_dict_count(d), 1);
  td_dict_release(d);
}

#define TIMES_5(x) x x x x x
#define TIMES_8(x) x x x x x x x x

static const struct {
  const char *name, *pickle;
  size_t size;
  td_status status;
  const char *words;
} lies[] = {
#define CASE(name, pickle, status, words) \
  { name, pickle, sizeof pickle - 1, status, words }
    CASE("beyond", TENSOR(FLOATS, "K\1", "K\2\x85", "K\1\x85"), TD_ERR_CORRUPT, "beyond its storage"),
    CASE("beyond by its stride", TENSOR(FLOATS, "K\0", "K\2\x85", "K\2\x85"), TD_ERR_CORRUPT, "beyond its storage"),
    CASE("negative stride", TENSOR(FLOATS, "K\1", "K\2\x85", "J\xff\xff\xff\xff\x85"), TD_ERR_CORRUPT, "strides"),
    CASE("negative offset", TENSOR(FLOATS, "J\xff\xff\xff\xff", "K\1\x85", "K\1\x85"), TD_ERR_CORRUPT, "offset"),
    CASE("wrapping stride", TENSOR(FLOATS, "K\0", "K\3\x85", "\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7f\x85"),
         TD_ERR_CORRUPT, "strides"),
    CASE("wrapping sizes", TENSOR(FLOATS, "K\0", "\x8a\5\0\0\0\0\1\x8a\5\0\0\0\0\1\x86", "K\0K\0\x86"), TD_ERR_CORRUPT,
         "64 bits"),
    CASE("repeats", TENSOR(FLOATS, "K\0", "J\0\0\0\2\x85", "K\0\x85"), TD_ERR_UNSUPPORTED, "1032 times"),
    CASE("strides", TENSOR(FLOATS, "K\0", "K\2\x85", ")"), TD_ERR_CORRUPT, "strides"),
    CASE("storage missing", TENSOR(STORAGE("ctorch\nFloatStorage\n", "7", "K\2"), "K\0", ")", ")"), TD_ERR_CORRUPT,
         "missing"),
    CASE("storage longer", TENSOR(STORAGE("ctorch\nFloatStorage\n", "0", "K\3"), "K\0", ")", ")"), TD_ERR_CORRUPT,
         "8 bytes"),
    CASE("storage class", TENSOR(STORAGE("ctorch\nQInt8Storage\n", "0", "K\2"), "K\0", ")", ")"), TD_ERR_DTYPE,
         "QInt8Storage"),
    CASE("twice", "\x80\2}(X\1\0\0\0aK\1X\1\0\0\0aK\2u.", TD_ERR_CORRUPT, "twice"),
    CASE("cut", "\x80\2}(X\1\0\0", TD_ERR_CORRUPT, "too early"),
    CASE("long text",
         "\x80\2}X\xff\xff\xff\xff"
         "a",
         TD_ERR_CORRUPT, "too early"),
    CASE("no mark", "\x80\2}u.", TD_ERR_CORRUPT, "mark"),
    CASE("left over", "\x80\2}}.", TD_ERR_CORRUPT, "left over"),
    CASE("no value", "\x80\2s.", TD_ERR_CORRUPT, "missing"),
    CASE("no memo", "\x80\2h\7.", TD_ERR_CORRUPT, "not made"),
    CASE("old opcode", "\x80\2(iposix\nsystem\n.", TD_ERR_UNSUPPORTED, "opcode"),
    CASE("protocol", "\x80\11}.", TD_ERR_UNSUPPORTED, "protocol"),
    CASE("itself", "\x80\2}q\0X\1\0\0\0ah\0s.", TD_ERR_UNSUPPORTED, "nested too deeply"),
    CASE("key", "\x80\2}NK\1s.", TD_ERR_UNSUPPORTED, "key"),
    CASE("text", "\x80\2}X\1\0\0\0aX\1\0\0\0\xffs.", TD_ERR_CORRUPT, "UTF-8"),
    CASE("value", "\x80\2K\1.", TD_ERR_UNSUPPORTED, "not a dict"),
    CASE("nothing", "", TD_ERR_CORRUPT, "too early"),
    /* A list of two times the one before it, and so on: 2^40 values. */
    CASE("laughs", "\x80\2]q\0000" TIMES_8(TIMES_5("h\0h\0\x86q\0000")) "}X\1\0\0\0ah\0s.", TD_ERR_UNSUPPORTED,
         "memory"),
};

Test(storage_torch_save, lies_are_refused) {
  for (size_t i = 0; i < sizeof lies / sizeof *lies; ++i) {
    td_dict *d = NULL;
    td_error *error = NULL;
    const td_status got = td_open(TD_STR(file_of(lies[i].pickle, lies[i].size)), NULL, &d, &error);
    const char *text = error ? td_error_message(error).data : "";
    cr_expect_eq(got, lies[i].status, "%s: %s: %s", lies[i].name, td_status_name(got).data, text);
    cr_expect(strstr(text, lies[i].words), "%s: no '%s' in '%s'", lies[i].name, lies[i].words, text);
    td_error_release(error), td_dict_release(d);
  }
}

Test(storage_torch_save, other_files_are_told_apart) {
  td_dict *d = NULL;
  td_open_options options = TD_OPEN_OPTIONS_INIT;
  options.format = TD_FORMAT_TORCH_SAVE;
  static const char old[] = "\x80\2\x8a\nl\xfc\x9c\x46\xf9 j\xa8P\x19.\x80\2M\xe9\3.";
  const char *path = path_of("%s/old.pt", test_dir);
  write_file(path, old, sizeof old - 1);
  expect_error(td_open(TD_STR(path), NULL, &d, &err), TD_ERR_UNSUPPORTED, NULL, "torch.save(torch.load(path), path)");
  path = path_of("%s/torchscript/net.pt", TD_TEST_DATA);
  expect_error(td_open(TD_STR(path), NULL, &d, &err), TD_ERR_CORRUPT, NULL, "td.torchscript");
  expect_error(td_open(TD_STR(path), &options, &d, &err), TD_ERR_UNSUPPORTED, NULL, "td.torchscript");
  const part big[] = {{"x/data.pkl", "\x80\2}.", 4}, {"x/byteorder", "big", 3}};
  expect_error(td_open(TD_STR(zip_of(big, 2)), NULL, &d, &err), TD_ERR_UNSUPPORTED, NULL, "little-endian");
  const part late[] = {{"x/version", "3\n", 2}, {"x/data.pkl", "\x80\2}.", 4}};
  expect_error(td_open(TD_STR(zip_of(late, 2)), NULL, &d, &err), TD_ERR_CORRUPT, NULL, "TD_FORMAT_TORCH_SAVE");
  must(td_open(TD_STR(zip_of(late, 2)), &options, &d, &err));
  td_dict_release(d);
  const part none[] = {{"x/version", "3\n", 2}};
  expect_error(td_open(TD_STR(zip_of(none, 1)), &options, &d, &err), TD_ERR_CORRUPT, NULL, "data.pkl");
}
