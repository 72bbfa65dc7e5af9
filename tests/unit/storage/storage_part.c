/* Parts of saves: the dict at a key, without what lies around it. */
#include "support/open.h"
#include "support/small_stacks.h"

TestSuite(storage_part, .init = make_test_dir, .fini = remove_test_dir);

static bool has(const td_dict *d, const td_key *key) {
  td_entry_kind kind = TD_ENTRY_NONE;
  must(td_dict_entry_kind(d, key, &kind, &err));
  return kind != TD_ENTRY_NONE;
}

static td_status open_part(const char *path, const td_key *part, td_open_mode mode, td_dict **out, td_error **err) {
  td_open_options options = TD_OPEN_OPTIONS_INIT;
  options.part = part, options.mode = mode;
  return td_open(TD_STR(path), &options, out, err);
}

/* {a, n: {b, "x/y": {c}, s: data}, l: lazy stack of {a}} */
static const char *saved(const char *name) {
  td_dict *d = small_dict(1), *members[2] = {small_dict(2), small_dict(3)}, *stack = NULL;
  const char *path = path_of("%s/%s", test_dir, name);
  put(d, TD_KEY("n", "x/y", "c"), TD_DTYPE_FLOAT32, (float[]){4, 5}, TD_SHAPE(2));
  must(td_dict_set_data(d, TD_KEY("n", "s"), TD_DATA(td_data_str(TD_STR("text"))), &err));
  must(td_dict_lazy_stack(members, 2, 0, &stack, &err));
  must(td_dict_set_dict(d, TD_KEY("l"), stack, &err));
  must(td_save(d, TD_STR(path), NULL, &err));
  td_dict_release(d), td_dict_release(members[0]), td_dict_release(members[1]), td_dict_release(stack);
  return path;
}

Test(storage_part, a_part_of_a_directory_or_an_archive_is_the_dict_at_its_key) {
  static const char *const names[] = {"dict", "dict.tdz"};
  for (size_t i = 0; i < 2; ++i) {
    if (i && !td_has_feature(TD_STR("archive"))) continue;
    const char *path = saved(names[i]);
    td_dict *d = NULL;
    must(open_part(path, TD_KEY("n", "x/y"), TD_OPEN_READ, &d, &err));
    cr_expect_eq(float_at(d, TD_KEY("c")), 4);
    cr_expect_eq(td_live_objects(TD_OBJECT_MAPPING), 1, "more is mapped than the part");
    td_dict_release(d);
    must(open_part(path, TD_KEY("n"), TD_OPEN_COW, &d, &err));
    cr_expect(has(d, TD_KEY("b")) && has(d, TD_KEY("s")) && !has(d, TD_KEY("a")));
    td_dict_release(d);
    must(open_part(path, TD_KEY("l"), TD_OPEN_READ, &d, &err));
    cr_expect_eq(td_dict_kind_of(d), TD_DICT_KIND_LAZY_STACK);
    td_dict_release(d);
    must(open_part(path, TD_KEY("l", "1"), TD_OPEN_READ, &d, &err));
    cr_expect_eq(float_at(d, TD_KEY("a")), 3);
    td_dict_release(d);
    must(open_part(path, TD_KEY("l", "0", "n"), TD_OPEN_READ, &d, &err));
    cr_expect(has(d, TD_KEY("b")));
    td_dict_release(d);
  }
}

Test(storage_part, damage_elsewhere_is_not_met) {
  const char *path = saved("dict");
  cr_assert_eq(unlink(path_of("%s/a.memmap", path)), 0);
  td_dict *d = NULL;
  expect_error(open_part(path, NULL, TD_OPEN_READ, &d, &err), TD_ERR_CORRUPT, NULL, "a.memmap");
  must(open_part(path, TD_KEY("n"), TD_OPEN_READ, &d, &err));
  td_dict_release(d);
}

Test(storage_part, a_part_that_is_opened_to_be_written_lives_in_its_directory) {
  const char *path = saved("dict");
  td_dict *d = NULL, *all = NULL;
  must(open_part(path, TD_KEY("n"), TD_OPEN_READ_WRITE, &d, &err));
  cr_expect(td_dict_is_locked(d) && td_dict_is_memmap(d));
  td_string *text = NULL;
  must(td_dict_saved_path(d, &text, &err));
  cr_expect_str_eq(td_string_view(text).data, path_of("%s/n", path));
  must(td_dict_make_memmap(d, TD_KEY("new"), TD_SHAPE(2), TD_DTYPE_FLOAT32, NULL, &err));
  all = open_with(path, TD_OPEN_READ);
  cr_expect(has(all, TD_KEY("n", "new")));
  td_string_release(text), td_dict_release(d), td_dict_release(all);
}

Test(storage_part, a_part_of_a_tensorclass_is_in_its_dict) {
  const char *path = path_of("%s/fixtures/memmap/tensorclass", TD_TEST_DATA);
  td_dict *d = NULL;
  td_string *class = NULL;
  must(open_part(path, TD_KEY("k"), TD_OPEN_READ, &d, &err));
  must(td_dict_python_class(d, &class, &err));
  cr_expect_str_eq(td_string_view(class).data, "__main__.Sample");
  td_string_release(class), td_dict_release(d);
  must(open_part(path, TD_KEY("k", "_tensordict"), TD_OPEN_READ, &d, &err));
  must(td_dict_python_class(d, &class, &err));
  cr_expect_null(class);
  td_dict_release(d);
  expect_error(open_part(path, TD_KEY("k", "x"), TD_OPEN_READ, &d, &err), TD_ERR_NOT_FOUND, NULL, "tensor");
}

Test(storage_part, what_is_no_dict_there_is_refused_with_its_key) {
  const char *path = saved("dict");
  td_dict *none = NULL;
  expect_error(open_part(path, TD_KEY("m"), TD_OPEN_READ, &none, &err), TD_ERR_NOT_FOUND, NULL,
               "the dicts there are: n, l");
  expect_error(open_part(path, TD_KEY("a"), TD_OPEN_READ, &none, &err), TD_ERR_NOT_FOUND, NULL, "\"a\"");
  expect_error(open_part(path, TD_KEY("n", "x/y", "c"), TD_OPEN_READ, &none, &err), TD_ERR_NOT_FOUND, NULL, "a tensor");
  expect_error(open_part(path, TD_KEY("n", "x"), TD_OPEN_READ, &none, &err), TD_ERR_NOT_FOUND, NULL, "");
  expect_error(open_part(path, TD_KEY("l", "2"), TD_OPEN_READ, &none, &err), TD_ERR_NOT_FOUND, NULL, "number");
  expect_error(open_part(path, TD_KEY("l", "a"), TD_OPEN_READ, &none, &err), TD_ERR_NOT_FOUND, NULL, "number");
  expect_error(open_part(path, TD_KEY("..", "dict"), TD_OPEN_READ, &none, &err), TD_ERR_NOT_FOUND, NULL, "");
  expect_error(open_part(path, TD_KEY("meta.json"), TD_OPEN_READ, &none, &err), TD_ERR_NOT_FOUND, NULL, "");
  expect_error(open_part(path, TD_KEY("a.memmap"), TD_OPEN_READ, &none, &err), TD_ERR_NOT_FOUND, NULL, "");
  expect_error(open_part(path, TD_KEY("n", "s"), TD_OPEN_READ, &none, &err), TD_ERR_UNSUPPORTED, NULL, "non-tensor");
  expect_error(open_part(path, &(td_key){NULL, 0}, TD_OPEN_READ, &none, &err), TD_ERR_ARGUMENT, NULL, "part");
  td_dict *d = small_dict(1);
  static const char *const files[] = {"x.td", "x.safetensors"};
  for (size_t i = 0; i < 2; ++i) {
    const char *file = path_of("%s/%s", test_dir, files[i]);
    must(td_save(d, TD_STR(file), NULL, &err));
    expect_error(open_part(file, TD_KEY("n"), TD_OPEN_READ, &none, &err), TD_ERR_UNSUPPORTED, NULL, "part");
  }
  td_dict_release(d);
}

Test(storage_part, callers_with_the_shorter_struct_open_everything) {
  const char *path = saved("dict");
  struct {
    size_t struct_size;
    td_open_mode mode;
    td_format format;
    td_bool lenient, trusted;
    uint8_t reserved[6];
  } old = {offsetof(td_open_options, part), TD_OPEN_READ, TD_FORMAT_AUTO, 0, 0, TD_RESERVED};
  td_dict *d = NULL;
  must(td_open(TD_STR(path), (const td_open_options *)&old, &d, &err));
  cr_expect(has(d, TD_KEY("a")));
  td_dict_release(d);
}
