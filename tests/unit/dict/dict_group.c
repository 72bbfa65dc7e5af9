/* Rows by the value of an entry. */
#include "support/h5_files.h"

TestSuite(dict_group, .init = make_test_dir, .fini = remove_test_dir);

/* Of the groups: their number, and the values of "i" in each. */
static void expect_groups(const td_dict *td, const td_key *key, size_t n, const double *rows, const size_t *sizes) {
  td_dict_list *groups = NULL;
  must(td_dict_group_by(td, key, NULL, NULL, &groups, &err));
  check(td_dict_list_size(groups) == n);
  for (size_t g = 0; g < n; rows += sizes[g++]) {
    td_dict *group;
    must(td_dict_list_get(groups, g, &group, &err));
    check((size_t)td_dict_len(group) == sizes[g]);
    expect_entry_at(__FILE__, __LINE__, group, TD_KEY("i"), rows, sizes[g]);
    td_dict_release(group);
  }
  td_dict_list_release(groups);
}
#define ROWS(...) ((const double[]){__VA_ARGS__})
#define SIZES(...) sizeof((const size_t[]){__VA_ARGS__}) / sizeof(size_t)
#define expect_grouped(td, key, rows, ...) \
  expect_groups((td), (key), SIZES(__VA_ARGS__), (rows), (const size_t[]){__VA_ARGS__})

static td_dict *numbered_rows(int64_t n) {
  td_dict *td = new_dict(TD_SHAPE(n));
  put(td, TD_KEY("i"), counted(TD_DTYPE_INT64, TD_SHAPE(n)));
  return td;
}

LeaklessTest(dict_group, equal_rows_are_one_group_in_their_order) {
  td_dict *td = numbered_rows(5), *first, *second;
  td_tensor *values = NULL;
  td_data_list *data = (td_data_list *)td;
  td_dict_list *groups;
  must(td_dict_set_names(td, (const td_str[]){TD_STR("t")}, 1, &err));
  put(td, TD_KEY("n", "u"), vector_of(TD_DTYPE_INT64, (const int64_t[]){2, 0, 2, 1, 0}, 5));
  must(td_dict_lock_(td, &err));
  must(td_dict_group_by(td, TD_KEY("n", "u"), &values, &data, &groups, &err));
  check(data == NULL && td_tensor_dtype(values) == TD_DTYPE_INT64);
  expect_values(values, VALUES(0, 1, 2));
  must(td_dict_list_get(groups, 0, &first, &err));
  must(td_dict_list_get(groups, 1, &second, &err));
  expect_entry(first, TD_KEY("i"), VALUES(1, 4));
  td_string *name;
  must(td_dict_name(first, 0, &name, &err));
  expect_text(name, "t");
  check(!td_dict_is_locked(first));
  td_tensor *a = get(first, TD_KEY("i")), *b = get(second, TD_KEY("i")); /* views of one copy */
  check((const int64_t *)address(b) == (const int64_t *)address(a) + 2 &&
        !same_memory(td, TD_KEY("i"), first, TD_KEY("i")));
  td_tensor_release(a), td_tensor_release(b), td_tensor_release(values);
  td_dict_release(first), td_dict_release(second), td_dict_list_release(groups);
  expect_grouped(td, TD_KEY("n", "u"), ROWS(1, 4, 3, 0, 2), 2, 1, 2);
  td_dict_release(td);
}

LeaklessTest(dict_group, rows_of_every_dtype_are_sorted) {
  static const td_dtype types[] = {TD_DTYPE_UINT8,   TD_DTYPE_INT8,    TD_DTYPE_INT16,    TD_DTYPE_INT32,
                                   TD_DTYPE_INT64,   TD_DTYPE_FLOAT16, TD_DTYPE_BFLOAT16, TD_DTYPE_FLOAT32,
                                   TD_DTYPE_FLOAT64, TD_DTYPE_UINT16,  TD_DTYPE_UINT32,   TD_DTYPE_UINT64};
  for (size_t i = 0; i < sizeof types / sizeof *types; ++i) {
    if (types[i] >= TD_DTYPE_UINT16 && types[i] <= TD_DTYPE_UINT64) continue;
    td_dict *td = numbered_rows(4);
    put(td, TD_KEY("u"), vector_of(types[i], (const int64_t[]){3, 100, 3, 1}, 4));
    expect_grouped(td, TD_KEY("u"), ROWS(3, 0, 2, 1), 1, 2, 1);
    td_dict_release(td);
  }
  td_dict *td = numbered_rows(4);
  put(td, TD_KEY("u"), counted(TD_DTYPE_BOOL, TD_SHAPE(4)));
  expect_grouped(td, TD_KEY("u"), ROWS(0, 2, 1, 3), 2, 2);
  td_tensor *wide;
  const double nan = 0.0 / 0.0, rows[] = {1, nan, 1, 0, 1, nan, 1, 0}; /* [4, 2]: NaN is no other row's */
  must(td_tensor_copy_from(rows, TD_DTYPE_FLOAT64, TD_SHAPE(4, 2), &wide, &err));
  put(td, TD_KEY("u"), wide);
  expect_grouped(td, TD_KEY("u"), ROWS(1, 3, 0, 2), 2, 1, 1);
  td_dict_release(td);
}

#define VALUES_OF(...)                                           \
  do {                                                           \
    const td_data all[] = {__VA_ARGS__};                         \
    must(td_dict_set_data_stack(td, TD_KEY("s"), all, 4, &err)); \
  } while (0)

LeaklessTest(dict_group, the_value_of_each_group_of_data_is_given) {
  td_dict *td = numbered_rows(4);
  td_data_list *data;
  td_dict_list *groups;
  td_tensor *values = (td_tensor *)td;
  VALUES_OF(td_data_str(TD_STR("b")), td_data_str(TD_STR("a")), td_data_str(TD_STR("b")), td_data_str(TD_STR("")));
  must(td_dict_group_by(td, TD_KEY("s"), &values, &data, &groups, &err));
  check(values == NULL && td_data_list_size(data) == 3 && td_data_list_is_stack(data));
  td_data value;
  must(td_data_list_get(data, 2, &value, &err));
  check(says(value.text, "b"));
  td_data_list_release(data), td_dict_list_release(groups), td_dict_release(td);
}

LeaklessTest(dict_group, data_is_compared_as_python_does) {
  td_dict *td = numbered_rows(4);
  VALUES_OF(td_data_str(TD_STR("b")), td_data_str(TD_STR("a")), td_data_str(TD_STR("b")), td_data_str(TD_STR("")));
  expect_grouped(td, TD_KEY("s"), ROWS(3, 1, 0, 2), 1, 1, 2);
  VALUES_OF(td_data_int(3), td_data_double(1.5), td_data_bool(1), td_data_double(1));
  expect_grouped(td, TD_KEY("s"), ROWS(2, 3, 1, 0), 2, 1, 1);
  VALUES_OF(td_data_json(TD_STR("[1,[2]]")), td_data_json(TD_STR("[1.0,[2]]")), td_data_json(TD_STR("[0,\"a\"]")),
            td_data_json(TD_STR("[1]")));
  expect_grouped(td, TD_KEY("s"), ROWS(2, 3, 0, 1), 1, 1, 2);
  VALUES_OF(td_data_json(TD_STR("1180591620717411303424")), td_data_double(1180591620717411303424.0), td_data_int(-1),
            td_data_json(TD_STR("-1180591620717411303425")));
  expect_grouped(td, TD_KEY("s"), ROWS(3, 2, 0, 1), 1, 1, 2);
  VALUES_OF(td_data_int(INT64_MAX), td_data_double(9223372036854775808.0), td_data_int(INT64_MAX - 1),
            td_data_int(INT64_MAX));
  expect_grouped(td, TD_KEY("s"), ROWS(2, 0, 3, 1), 1, 2, 1); /* which doubles cannot tell apart */
  VALUES_OF(td_data_none(), td_data_none(), td_data_none(), td_data_none());
  expect_grouped(td, TD_KEY("s"), ROWS(0, 1, 2, 3), 4);
  must(td_dict_set_data(td, TD_KEY("s"), TD_DATA(td_data_str(TD_STR("one"))), &err)); /* one value for all */
  expect_grouped(td, TD_KEY("s"), ROWS(0, 1, 2, 3), 4);
  td_dict_release(td);
}

LeaklessTest(dict_group, data_that_python_cannot_compare_is_refused) {
  td_dict *td = numbered_rows(4);
  td_dict_list *groups = NULL;
  VALUES_OF(td_data_int(1), td_data_str(TD_STR("a")), td_data_int(1), td_data_int(1));
  expect_error(td_dict_group_by(td, TD_KEY("s"), NULL, NULL, &groups, &err), TD_ERR_ARGUMENT, "\"s\"", "'a'");
  VALUES_OF(td_data_json(TD_STR("[{}]")), td_data_none(), td_data_none(), td_data_none());
  expect_error(td_dict_group_by(td, TD_KEY("s"), NULL, NULL, &groups, &err), TD_ERR_ARGUMENT, "\"s\"", "objects");
  VALUES_OF(td_data_pickle("N.", 2), td_data_none(), td_data_none(), td_data_none());
  expect_error(td_dict_group_by(td, TD_KEY("s"), NULL, NULL, &groups, &err), TD_ERR_ARGUMENT, "\"s\"", "pickled");
  check(groups == NULL);
  td_dict_release(td);
}

LeaklessTest(dict_group, what_has_no_rows_is_refused) {
  td_dict *td = numbered_rows(2), *none = new_dict(TD_NO_DIMS), *empty = numbered_rows(0);
  td_dict_list *groups = NULL;
  put(none, TD_KEY("u"), range_f32(TD_SHAPE(2)));
  put_dict(td, TD_KEY("n"), new_dict(TD_SHAPE(2)));
  put(td, TD_KEY("flat"), range_f32(TD_SHAPE(2, 0)));
  put(td, TD_KEY("c"), counted(TD_DTYPE_COMPLEX64, TD_SHAPE(2)));
  expect_error(td_dict_group_by(none, TD_KEY("u"), NULL, NULL, &groups, &err), TD_ERR_SHAPE, NULL, "rows");
  expect_error(td_dict_group_by(td, TD_KEY("z"), NULL, NULL, &groups, &err), TD_ERR_KEY, "\"z\"", NULL);
  expect_error(td_dict_group_by(td, TD_KEY("n"), NULL, NULL, &groups, &err), TD_ERR_KEY, "\"n\"", NULL);
  expect_error(td_dict_group_by(td, TD_KEY("flat"), NULL, NULL, &groups, &err), TD_ERR_SHAPE, "\"flat\"", "[2, 0]");
  expect_error(td_dict_group_by(td, TD_KEY("c"), NULL, NULL, &groups, &err), TD_ERR_DTYPE, "\"c\"", "complex64");
  expect_error(td_dict_group_by(td, NULL, NULL, NULL, &groups, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_dict_group_by(NULL, TD_KEY("i"), NULL, NULL, &groups, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_dict_group_by(td, TD_KEY("i"), NULL, NULL, NULL, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  check(groups == NULL);
  expect_groups(empty, TD_KEY("i"), 0, NULL, NULL);
  td_dict_release(td), td_dict_release(none), td_dict_release(empty);
}

LeaklessTest(dict_group, lazy_stacks_stay_lazy_and_files_are_read) {
  td_dict *members[3], *stack, *group;
  td_dict_list *groups = NULL;
  for (int i = 0; i < 3; ++i) {
    members[i] = new_dict(TD_NO_DIMS);
    put(members[i], TD_KEY("u"), full_f32(i % 2, TD_NO_DIMS));
    put(members[i], TD_KEY("a"), full_f32(i, TD_SHAPE(i + 1)));
  }
  must(td_dict_lazy_stack(members, 3, 0, &stack, &err));
  must(td_dict_group_by(stack, TD_KEY("u"), NULL, NULL, &groups, &err));
  must(td_dict_list_get(groups, 0, &group, &err));
  check(td_dict_kind_of(group) == TD_DICT_KIND_LAZY_STACK && td_dict_len(group) == 2);
  td_dict_release(group), td_dict_list_release(groups);
  groups = NULL;
  expect_error(td_dict_group_by(stack, TD_KEY("a"), NULL, NULL, &groups, &err), TD_ERR_SHAPE, NULL, NULL);
  check(groups == NULL);
  td_dict_release(stack);
  for (int i = 0; i < 3; ++i) td_dict_release(members[i]);
  if (!td_has_feature(TD_STR("hdf5"))) return;
  td_dict *file = create_h5(path_of("%s/rows.h5", test_dir), TD_SHAPE(3));
  put(file, TD_KEY("i"), counted(TD_DTYPE_INT64, TD_SHAPE(3)));
  put(file, TD_KEY("u"), vector_of(TD_DTYPE_INT64, (const int64_t[]){1, 0, 1}, 3));
  expect_grouped(file, TD_KEY("u"), ROWS(1, 0, 2), 1, 2);
  close_h5(file);
}
