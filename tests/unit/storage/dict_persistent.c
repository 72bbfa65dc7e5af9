/* Dicts in files behave as dicts: every function reads from the file or writes through to it. */
#include "support/h5_files.h"

TestSuite(dict_persistent, .init = make_test_dir, .fini = remove_test_dir);

static const char *file_path(void) {
  return path_of("%s/dict.h5", test_dir);
}

/* "a" [3,2] float32, "n" {"b" [3] int64, "s" text}, of batch size [3]. */
static td_dict *example(void) {
  td_dict *d = create_h5(file_path(), TD_SHAPE(3));
  put(d, TD_KEY("a"), range_f32(TD_SHAPE(3, 2)));
  put(d, TD_KEY("n", "b"), counted(TD_DTYPE_INT64, TD_SHAPE(3)));
  must(td_dict_set_data(d, TD_KEY("n", "s"), TD_DATA(TEXT("text")), &err));
  return d;
}

/* Closes the file and opens it again, to see what is in it. */
static td_dict *reopened(td_dict *d) {
  close_h5(d);
  return open_h5(file_path(), TD_OPEN_READ_WRITE);
}

LeaklessTest(dict_persistent, what_is_set_is_in_the_file) {
  td_dict *d = reopened(example());
  expect_batch(d, TD_SHAPE(3));
  expect_keys(d, TD_KEYS_NESTED, "a n n.b n.s");
  expect_entry(d, TD_KEY("a"), VALUES(0, 1, 2, 3, 4, 5));
  expect_data(d, TD_KEY("n", "s"), 0, TEXT("text"));
  td_dict *n = get_dict(d, TD_KEY("n")), *again = get_dict(d, TD_KEY("n"));
  check(n == again && td_dict_kind_of(n) == TD_DICT_KIND_PERSISTENT);
  put(n, TD_KEY("c"), full_f32(1, TD_SHAPE(3)));
  put(d, TD_KEY("a"), full_f32(7, TD_SHAPE(3, 1))); /* of another shape */
  put(d, TD_KEY("n", "b"), full_f32(8, TD_SHAPE(3)));
  td_dict *tree = new_dict(TD_SHAPE(3));
  put(tree, TD_KEY("x", "y"), full_f32(9, TD_SHAPE(3, 4)));
  put_dict(d, TD_KEY("z"), tree);
  td_dict_release(n), td_dict_release(again);
  must(td_dict_remove(d, TD_KEY("n", "s"), &err));
  d = reopened(d);
  expect_keys(d, TD_KEYS_NESTED, "a n n.b n.c z z.x z.x.y");
  expect_entry(d, TD_KEY("a"), VALUES(7, 7, 7));
  expect_entry(d, TD_KEY("n", "b"), VALUES(8, 8, 8));
  td_dict *x = get_dict(d, TD_KEY("z", "x"));
  expect_batch(x, TD_SHAPE(3));
  td_dict_release(x);
  check(td_persistent_is_writable(d) && !td_persistent_is_writable(NULL));
  td_string *path;
  must(td_persistent_file(d, &path, &err));
  expect_text(path, file_path());
  close_h5(d);
}

LeaklessTest(dict_persistent, what_does_not_fit_changes_nothing) {
  td_dict *d = example();
  td_tensor *wrong = full_f32(1, TD_SHAPE(2)), *right = full_f32(1, TD_SHAPE(3));
  expect_error(td_dict_set(d, TD_KEY("c"), wrong, &err), TD_ERR_SHAPE, "\"c\"", "[3]");
  expect_error(td_dict_set(d, TD_KEY("n", "b"), wrong, &err), TD_ERR_SHAPE, "(\"n\", \"b\")", "[3]");
  expect_error(td_dict_set(d, TD_KEY("a", "b"), right, &err), TD_ERR_KEY, NULL, "through a tensor");
  expect_error(td_dict_set(d, TD_KEY("x/y"), right, &err), TD_ERR_KEY, "\"x/y\"", "have no place for");
  expect_error(td_dict_set(d, TD_KEY("n", "."), right, &err), TD_ERR_KEY, NULL, "have no place for");
  expect_error(td_dict_copy_into(d, TD_KEY("a"), wrong, &err), TD_ERR_SHAPE, "\"a\"", NULL);
  expect_error(td_dict_set_data(d, TD_KEY("c"), TD_DATA(td_data_none()), &err), TD_ERR_UNSUPPORTED, "\"c\"",
               "have no place for");
  expect_error(td_dict_remove(d, TD_KEY("c"), &err), TD_ERR_KEY, "\"c\"", NULL);
  expect_error(td_dict_set_dict(d, TD_KEY("n", "n"), d, &err), TD_ERR_ARGUMENT, NULL, "contain itself");
  td_dict *tree = new_dict(TD_SHAPE(3));
  put(tree, TD_KEY("fine"), full_f32(1, TD_SHAPE(3)));
  put(tree, TD_KEY("x/y"), full_f32(1, TD_SHAPE(3)));
  expect_error(td_dict_set_dict(d, TD_KEY("n"), tree, &err), TD_ERR_KEY, "(\"n\", \"x/y\")", "have no place for");
  expect_error(td_dict_update(d, tree, NULL, &err), TD_ERR_KEY, "\"x/y\"", "have no place for");
  td_dict_release(tree), td_tensor_release(wrong), td_tensor_release(right);
  d = reopened(d);
  expect_keys(d, TD_KEYS_NESTED, "a n n.b n.s");
  expect_entry(d, TD_KEY("a"), VALUES(0, 1, 2, 3, 4, 5));
  close_h5(d);
}

LeaklessTest(dict_persistent, values_are_written_in_place) {
  td_dict *d = example();
  td_tensor *fives = full_f32(5, TD_SHAPE(3, 2));
  must(td_dict_copy_into(d, TD_KEY("a"), fives, &err));
  expect_entry(d, TD_KEY("a"), VALUES(5, 5, 5, 5, 5, 5));
  td_tensor_release(fives);
  td_dict *other = new_dict(TD_SHAPE(3));
  put(other, TD_KEY("a"), full_f32(6, TD_SHAPE(3, 1)));
  put(other, TD_KEY("n", "b"), full_f32(2.5, TD_SHAPE(3)));
  must(td_dict_update_(d, other, &err)); /* broadcast, and cast to int64 */
  expect_entry(d, TD_KEY("a"), VALUES(6, 6, 6, 6, 6, 6));
  expect_entry(d, TD_KEY("n", "b"), VALUES(2, 2, 2));
  must(td_dict_fill_(d, TD_KEY("n"), TD_VALUE(td_value_double(3)), &err));
  expect_entry(d, TD_KEY("n", "b"), VALUES(3, 3, 3));
  must(td_dict_fill_(d, TD_KEY("a"), TD_VALUE(td_value_double(0.5)), &err));
  expect_entry(d, TD_KEY("a"), VALUES(.5, .5, .5, .5, .5, .5));
  expect_error(td_dict_fill_(d, TD_KEY("n", "s"), TD_VALUE(td_value_double(1)), &err), TD_ERR_KEY, NULL, "data");
  td_op *add_ = operator_named("add_", "Scalar");
  td_dict *result;
  must(td_dict_apply_op(add_, ARGS(td_value_dict(d), td_value_int(1)), NULL, 0, &result, 1, &err));
  td_dict_release(result), td_op_release(add_);
  d = reopened(d);
  expect_entry(d, TD_KEY("a"), VALUES(1.5, 1.5, 1.5, 1.5, 1.5, 1.5));
  expect_entry(d, TD_KEY("n", "b"), VALUES(4, 4, 4));
  must(td_dict_zero_(d, &err));
  expect_entry(d, TD_KEY("n", "b"), VALUES(0, 0, 0));
  expect_data(d, TD_KEY("n", "s"), 0, TEXT("text"));
  td_dict_release(other);
  close_h5(d);
}

/* Of batch size [4, 3], with names, texts and three tensors. */
static td_dict *grid(void) {
  td_dict *d = create_h5(file_path(), TD_SHAPE(4, 3));
  put(d, TD_KEY("a"), range_f32(TD_SHAPE(4, 3, 2)));
  put(d, TD_KEY("n", "b"), counted(TD_DTYPE_BOOL, TD_SHAPE(4, 3)));
  put(d, TD_KEY("n", "m", "c"), counted(TD_DTYPE_COMPLEX64, TD_SHAPE(4, 3, 1, 2)));
  td_data texts[12];
  for (int i = 0; i < 12; ++i) texts[i] = TEXT("even");
  texts[5] = TEXT("odd");
  must(td_dict_set_data_stack(d, TD_KEY("s"), texts, 12, &err));
  must(td_dict_set_data(d, TD_KEY("one"), TD_DATA(td_data_int(1)), &err));
  must(td_dict_set_names(d, (const td_str[]){{"t", 1}, {NULL, 0}}, 2, &err));
  return d;
}

/* Both show the same, and have the same three tensors. */
static void expect_same(const td_dict *x, const td_dict *y, size_t i) {
  td_string *rx, *ry;
  must(td_dict_repr(x, 0, &rx, &err));
  must(td_dict_repr(y, 0, &ry, &err));
  expect_text(rx, td_string_view(ry).data);
  td_string_release(ry);
  td_tensor_list *lx, *ly;
  td_keys *kx, *ky;
  must(td_dict_leaves(x, &kx, &lx, &err));
  must(td_dict_leaves(y, &ky, &ly, &err));
  check(td_tensor_list_size(lx) == 3);
  for (size_t k = 0; k < 3; ++k) {
    td_tensor *tx, *ty;
    must(td_tensor_list_get(lx, k, &tx, &err));
    must(td_tensor_list_get(ly, k, &ty, &err));
    if (!same_values(tx, ty)) fprintf(stderr, "index %zu, leaf %zu\n", i, k);
    check(same_values(tx, ty));
    td_tensor_release(tx), td_tensor_release(ty);
  }
  td_keys_release(kx), td_keys_release(ky), td_tensor_list_release(lx), td_tensor_list_release(ly);
}

/* The same index on a dict in a file and on one in memory gives the same, and so does writing there. */
LeaklessTest(dict_persistent, an_index_reads_and_writes_what_it_does_in_memory) {
  td_dict *d = grid();
  const int64_t rows[] = {3, 0, -1, 0}, more[] = {0, 2, 1, 2}, mask_numbers[] = {0, 1, 1, 0};
  td_tensor *numbers = vector_of(TD_DTYPE_INT64, rows, 4), *others = vector_of(TD_DTYPE_INT64, more, 4),
            *mask = vector_of(TD_DTYPE_BOOL, mask_numbers, 4), *wide_mask = counted(TD_DTYPE_BOOL, TD_SHAPE(4, 3)),
            *nothing = vector_of(TD_DTYPE_INT64, NULL, 0);
  const td_index ellipsis = {TD_INDEX_KIND_ELLIPSIS, 0, 0, 0, 0, NULL, NULL, 0},
                 none = {TD_INDEX_KIND_NONE, 0, 0, 0, 0, NULL, NULL, 0};
  const td_index indices[][3] = {
      {TD_INT(1)},
      {TD_INT(-1), TD_INT(2)},
      {TD_SLICE(1, 3)},
      {TD_STEP_SLICE(0, TD_END, 3), TD_STEP_SLICE(0, TD_END, 2)},
      {TD_SLICE(3, 1)},
      {ellipsis, TD_INT(0)},
      {none, TD_SLICE(1, TD_END)},
      {TD_INT(0), none, TD_SLICE(-2, TD_END)},
      {TD_TENSOR(numbers)},
      {TD_TENSOR(mask)},
      {TD_TENSOR(wide_mask)},
      {TD_TENSOR(numbers), TD_TENSOR(others)},
      {TD_TENSOR(numbers), none, TD_TENSOR(others)},
      {TD_SLICE(0, 2), TD_TENSOR(others)},
      {TD_TENSOR(nothing)},
      {TD_INT(2), TD_TENSOR(mask)}, /* of another size: an error in both */
      {TD_INT(4)},
      {TD_INT(0), TD_INT(0), TD_INT(0)},
  };
  const size_t parts[] = {1, 2, 1, 2, 1, 2, 2, 3, 1, 1, 1, 2, 3, 2, 1, 2, 1, 3};
  td_dict *memory;
  must(td_dict_to_tensordict(d, &memory, &err));
  for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i) {
    td_dict *x = NULL, *y = NULL;
    td_error *ex = NULL, *ey = NULL;
    const td_status sx = td_dict_index(d, indices[i], parts[i], &x, &ex),
                    sy = td_dict_index(memory, indices[i], parts[i], &y, &ey);
    if (sx != sy) fprintf(stderr, "index %zu: %s\n", i, ex ? td_error_message(ex).data : "");
    check(sx == sy);
    td_error_release(ex), td_error_release(ey);
    if (sx != TD_OK) continue;
    expect_same(x, y, i);
    /* Written there: each number and then rows of the dict itself. */
    td_dict *value;
    const td_key data_keys[] = {*TD_KEY("s"), *TD_KEY("one")};
    must(td_dict_exclude(y, data_keys, 2, &value, &err));
    td_op *neg = operator_named("neg", "");
    td_dict *tensors, *negative;
    const td_key float_key[] = {*TD_KEY("a")};
    must(td_dict_select(value, float_key, 1, 1, &tensors, &err));
    must(td_dict_apply_op(neg, ARGS(td_value_dict(tensors)), NULL, 0, &negative, 1, &err));
    must(td_dict_set_at(d, indices[i], parts[i], negative, &err));
    must(td_dict_set_at(memory, indices[i], parts[i], negative, &err));
    td_tensor *there = get(d, TD_KEY("a")), *here = get(memory, TD_KEY("a"));
    if (!same_values(there, here)) fprintf(stderr, "writing at index %zu\n", i);
    check(same_values(there, here));
    td_op_release(neg), td_tensor_release(there), td_tensor_release(here);
    td_dict_release(value), td_dict_release(tensors), td_dict_release(negative);
    td_dict_release(x), td_dict_release(y);
  }
  td_tensor_release(numbers), td_tensor_release(others), td_tensor_release(mask), td_tensor_release(wide_mask);
  td_tensor_release(nothing), td_dict_release(memory);
  close_h5(d);
}

LeaklessTest(dict_persistent, a_number_is_written_at_an_index_as_in_memory) {
  td_dict *d = grid(), *memory;
  must(td_dict_to_tensordict(d, &memory, &err));
  const td_index at[] = {TD_SLICE(1, 3)};
  must(td_dict_set_at_value(d, at, 1, TD_VALUE(td_value_double(1)), &err));
  must(td_dict_set_at_value(memory, at, 1, TD_VALUE(td_value_double(1)), &err));
  td_tensor *there = get(d, TD_KEY("n", "m", "c")), *here = get(memory, TD_KEY("n", "m", "c"));
  check(same_values(there, here));
  td_tensor_release(there), td_tensor_release(here);
  td_dict_release(memory);
  close_h5(d);
}

LeaklessTest(dict_persistent, rows_with_new_entries_and_data_are_written_too) {
  td_dict *d = example(), *row = new_dict(TD_NO_DIMS);
  const td_index second[] = {TD_INT(1)};
  put(row, TD_KEY("new"), full_f32(4, TD_SHAPE(2)));
  put(row, TD_KEY("n", "b"), full_f32(9, TD_NO_DIMS));
  must(td_dict_set_data(row, TD_KEY("n", "s"), TD_DATA(TEXT("other")), &err));
  must(td_dict_set_at(d, second, 1, row, &err));
  d = reopened(d);
  expect_entry(d, TD_KEY("new"), VALUES(0, 0, 4, 4, 0, 0));
  expect_entry(d, TD_KEY("n", "b"), VALUES(0, 9, 2));
  expect_data(d, TD_KEY("n", "s"), 0, TEXT("text"));
  expect_data(d, TD_KEY("n", "s"), 1, TEXT("other"));
  td_dict *mask_me;
  td_tensor *value;
  must(td_dict_get_at(d, TD_KEY("n", "b"), second, 1, &value, &err));
  expect_values(value, VALUES(9));
  td_tensor_release(value);
  value = full_f32(-1, TD_NO_DIMS);
  const td_index feature[] = {TD_SLICE(0, 2), TD_INT(1)};
  must(td_dict_copy_into_at(d, TD_KEY("a"), feature, 2, value, &err));
  expect_entry(d, TD_KEY("a"), VALUES(0, -1, 2, -1, 4, 5));
  td_tensor_release(value);
  value = range_f32(TD_SHAPE(3));
  expect_error(td_dict_copy_into_at(d, TD_KEY("a"), feature, 2, value, &err), TD_ERR_SHAPE, "\"a\"", NULL);
  td_tensor_release(value);
  must(td_dict_index(d, second, 1, &mask_me, &err));
  check(td_dict_kind_of(mask_me) == TD_DICT_KIND_TENSORDICT);
  td_dict_release(mask_me), td_dict_release(row);
  close_h5(d);
}

LeaklessTest(dict_persistent, copies_are_in_memory) {
  td_dict *d = example(), *x;
  must(td_dict_clone(d, &x, &err));
  check(td_dict_kind_of(x) == TD_DICT_KIND_TENSORDICT);
  td_dict *n = get_dict(x, TD_KEY("n"));
  check(td_dict_kind_of(n) == TD_DICT_KIND_TENSORDICT);
  td_dict_release(n);
  must(td_dict_zero_(x, &err));
  td_dict_release(x);
  expect_entry(d, TD_KEY("a"), VALUES(0, 1, 2, 3, 4, 5));
  must(td_dict_copy(d, &x, &err));
  must(td_dict_zero_(x, &err));
  td_dict_release(x);
  expect_entry(d, TD_KEY("a"), VALUES(0, 1, 2, 3, 4, 5));
  close_h5(d);
}

LeaklessTest(dict_persistent, operations_give_dicts_in_memory) {
  td_dict *d = example(), *x, *n;
  const td_key a[] = {*TD_KEY("a")};
  must(td_dict_select(d, a, 1, 1, &x, &err));
  must(td_dict_reshape(x, TD_SHAPE(1, 3), &n, &err));
  expect_batch(n, TD_SHAPE(1, 3));
  td_dict_release(n), td_dict_release(x);
  must(td_dict_reshape(d, TD_SHAPE(1, 3), &x, &err));
  expect_entry(x, TD_KEY("n", "b"), VALUES(0, 1, 2));
  td_dict_release(x);
  const td_dict *both[] = {d, d};
  must(td_dict_stack(both, 2, 0, &x, &err));
  expect_batch(x, TD_SHAPE(2, 3));
  td_dict_release(x);
  must(td_dict_cat(both, 2, 0, &x, &err));
  expect_entry(x, TD_KEY("n", "b"), VALUES(0, 1, 2, 0, 1, 2));
  td_dict_release(x);
  td_op *mul = operator_named("mul", "Scalar");
  must(td_dict_apply_op(mul, ARGS(td_value_dict(d), td_value_double(2)), NULL, 0, &x, 1, &err));
  expect_entry(x, TD_KEY("a"), VALUES(0, 2, 4, 6, 8, 10));
  expect_data(x, TD_KEY("n", "s"), 0, TEXT("text"));
  td_dict_release(x), td_op_release(mul);
  must(td_dict_flatten_keys(d, TD_STR("."), &x, &err));
  expect_keys(x, 0, "a n.b n.s");
  td_dict_release(x);
  expect_entry(d, TD_KEY("a"), VALUES(0, 1, 2, 3, 4, 5));
  close_h5(d);
}

LeaklessTest(dict_persistent, numbers_tell_what_is_there) {
  td_dict *d = example();
  check(td_dict_nbytes(d) == 6 * 4 + 3 * 8);
  check(td_dict_param_count(d, 0) == 9 && td_dict_depth(d) == 1 && td_dict_dtype(d) == TD_DTYPE_NONE);
  close_h5(d);
}

LeaklessTest(dict_persistent, a_file_becomes_no_parameters_and_keeps_its_batch_size) {
  td_dict *d = example(), *x;
  expect_error(td_dict_params(d, NULL, &x, &err), TD_ERR_UNSUPPORTED, NULL, "file");
  x = new_dict(TD_SHAPE(4));
  expect_error(td_dict_become(d, x, &err), TD_ERR_UNSUPPORTED, NULL, "batch size");
  td_dict_release(x);
  expect_entry(d, TD_KEY("a"), VALUES(0, 1, 2, 3, 4, 5));
  close_h5(d);
}

LeaklessTest(dict_persistent, entries_are_renamed_and_removed_in_the_file) {
  td_dict *d = example();
  must(td_dict_rename_key_(d, TD_KEY("a"), TD_KEY("n", "z"), 0, &err));
  must(td_dict_rename_key_(d, TD_KEY("n", "b"), TD_KEY("\xd0\xb6"), 1, &err));
  expect_keys(d, TD_KEYS_NESTED, "n n.s n.z \xd0\xb6");
  expect_error(td_dict_rename_key_(d, TD_KEY("n", "s"), TD_KEY("n", "z"), 1, &err), TD_ERR_EXISTS, NULL, NULL);
  expect_error(td_dict_rename_key_(d, TD_KEY("none"), TD_KEY("n", "z"), 0, &err), TD_ERR_KEY, NULL, NULL);
  must(td_dict_rename_key_(d, TD_KEY("n"), TD_KEY("m"), 0, &err));
  must(td_dict_rename_key_(d, TD_KEY("m"), TD_KEY("m", "below"), 0, &err));
  d = reopened(d);
  expect_keys(d, TD_KEYS_NESTED, "m m.below m.below.s m.below.z \xd0\xb6");
  expect_entry(d, TD_KEY("m", "below", "z"), VALUES(0, 1, 2, 3, 4, 5));
  td_tensor *t;
  must(td_dict_pop(d, TD_KEY("\xd0\xb6"), &t, &err));
  expect_values(t, VALUES(0, 1, 2));
  td_tensor_release(t);
  must(td_dict_clear(d, &err));
  d = reopened(d);
  check(td_dict_count(d) == 0);
  expect_batch(d, TD_SHAPE(3));
  must(td_dict_create_nested(d, TD_KEY("x", "y"), &err));
  d = reopened(d);
  expect_keys(d, TD_KEYS_NESTED, "x x.y");
  td_dict *y = get_dict(d, TD_KEY("x", "y"));
  expect_batch(y, TD_SHAPE(3));
  td_dict_release(y);
  close_h5(d);
}

LeaklessTest(dict_persistent, operators_in_place_take_it_as_a_keyword_argument) {
  td_dict *d = create_h5(file_path(), TD_SHAPE(3)), *one = new_dict(TD_SHAPE(3)), *out = NULL;
  put(d, TD_KEY("a"), range_f32(TD_SHAPE(3))), put(one, TD_KEY("a"), full_f32(1, TD_SHAPE(3)));
  td_op *add;
  must(td_op_find(TD_STR("add_"), TD_STR("Tensor"), &add, &err));
  const td_named_value operands[] = {{TD_STR("self"), td_value_dict(d)}, {TD_STR("other"), td_value_dict(one)}};
  const td_status status = td_dict_pointwise(add, NULL, 0, operands, 2, NULL, &out, NULL);
  check(status == TD_OK);
  expect_entry(d, TD_KEY("a"), VALUES(1, 2, 3));
  td_op_release(add), td_dict_release(out), td_dict_release(one);
  close_h5(d);
}

LeaklessTest(dict_persistent, entries_stay_in_the_file_if_what_they_are_joined_to_does_not_fit) {
  td_dict *d = create_h5(file_path(), TD_SHAPE(2, 2));
  put(d, TD_KEY("x"), range_f32(TD_SHAPE(2, 2))), put(d, TD_KEY("a"), range_f32(TD_SHAPE(2, 2)));
  const td_key keys[] = {*TD_KEY("x"), *TD_KEY("a")};
  expect_error(td_dict_cat_tensors(d, keys, 2, TD_KEY("joined"), 1, 0, &err), TD_ERR_SHAPE, "\"joined\"", NULL);
  expect_keys(d, TD_KEYS_NESTED, "a x");
  close_h5(d);
}

LeaklessTest(dict_persistent, excluding_a_key_below_a_tensor_keeps_the_tensor) {
  td_dict *d = example();
  const td_key keys[] = {*TD_KEY("a", "0"), *TD_KEY("n")};
  must(td_dict_exclude_(d, keys, 2, &err));
  d = reopened(d);
  expect_keys(d, TD_KEYS_NESTED, "a");
  expect_entry(d, TD_KEY("a"), VALUES(0, 1, 2, 3, 4, 5));
  close_h5(d);
}

LeaklessTest(dict_persistent, a_dict_that_was_taken_out_still_changes) {
  td_dict *d = example(), *n = get_dict(d, TD_KEY("n"));
  must(td_dict_remove(d, TD_KEY("n"), &err));
  put(n, TD_KEY("b"), full_f32(5, TD_SHAPE(3, 2))); /* of another shape */
  put(n, TD_KEY("c"), full_f32(6, TD_SHAPE(3)));
  must(td_dict_rename_key_(n, TD_KEY("b"), TD_KEY("z"), 0, &err));
  must(td_dict_rename_key_(n, TD_KEY("c"), TD_KEY("s"), 0, &err));
  expect_keys(n, TD_KEYS_NESTED, "s z");
  expect_entry(n, TD_KEY("z"), VALUES(5, 5, 5, 5, 5, 5));
  expect_entry(n, TD_KEY("s"), VALUES(6, 6, 6));
  must(td_dict_remove(n, TD_KEY("z"), &err));
  td_dict_release(n);
  d = reopened(d);
  expect_keys(d, TD_KEYS_NESTED, "a");
  close_h5(d);
}

LeaklessTest(dict_persistent, a_locked_dict_takes_values_but_no_entries) {
  td_dict *d = example(), *n = get_dict(d, TD_KEY("n"));
  td_tensor *t = full_f32(1, TD_SHAPE(3, 2));
  must(td_dict_lock_(d, &err));
  check(td_dict_is_locked(n));
  expect_error(td_dict_set(d, TD_KEY("c"), t, &err), TD_ERR_LOCKED, "\"c\"", NULL);
  expect_error(td_dict_remove(n, TD_KEY("b"), &err), TD_ERR_LOCKED, "\"b\"", NULL);
  expect_error(td_dict_rename_key_(d, TD_KEY("a"), TD_KEY("c"), 0, &err), TD_ERR_LOCKED, NULL, NULL);
  expect_error(td_dict_unlock_(n, &err), TD_ERR_LOCKED, NULL, NULL);
  must(td_dict_copy_into(d, TD_KEY("a"), t, &err));
  must(td_dict_fill_(d, TD_KEY("n", "b"), TD_VALUE(td_value_double(4)), &err));
  must(td_dict_unlock_(d, &err));
  expect_entry(d, TD_KEY("a"), VALUES(1, 1, 1, 1, 1, 1));
  expect_entry(n, TD_KEY("b"), VALUES(4, 4, 4));
  must(td_dict_set(d, TD_KEY("c"), t, &err));
  td_tensor_release(t), td_dict_release(n);
  close_h5(d);
}

LeaklessTest(dict_persistent, batch_size_and_names_are_kept) {
  td_dict *d = example();
  put(d, TD_KEY("n", "b"), range_f32(TD_SHAPE(3, 2)));
  must(td_dict_set_names(d, (const td_str[]){{"time", 4}}, 1, &err));
  d = reopened(d);
  expect_batch(d, TD_SHAPE(3)); /* not [3, 2], which all entries have */
  td_string *name;
  must(td_dict_name(d, 0, &name, &err));
  expect_text(name, "time");
  must(td_dict_set_batch_size(d, TD_SHAPE(3, 2), &err));
  expect_error(td_dict_set_batch_size(d, TD_SHAPE(3, 3), &err), TD_ERR_SHAPE, "\"a\"", "[3, 2]");
  d = reopened(d);
  expect_batch(d, TD_SHAPE(3, 2));
  td_dict *n = get_dict(d, TD_KEY("n"));
  expect_batch(n, TD_SHAPE(3, 2));
  td_dict_release(n);
  must(td_dict_set_batch_size(d, TD_NO_DIMS, &err));
  must(td_dict_auto_batch_size_(d, 1, &err));
  expect_batch(d, TD_SHAPE(3));
  close_h5(d);
  const int64_t given[] = {3};
  td_persistent_options options = TD_PERSISTENT_OPTIONS_INIT;
  options.batch_size = given, options.ndim = 0;
  must(td_persistent_open(TD_STR(file_path()), &options, &d, &err));
  expect_batch(d, TD_NO_DIMS);
  must(td_dict_set_batch_size(d, given, 1, &err)); /* in memory, as the file is only read */
  expect_batch(d, TD_SHAPE(3));
  close_h5(d);
}

LeaklessTest(dict_persistent, it_goes_into_other_dicts_and_stacks) {
  td_dict *d = example(), *outer = new_dict(TD_SHAPE(3)),
          *second = create_h5(path_of("%s/two.h5", test_dir), TD_SHAPE(3)), *x;
  put(second, TD_KEY("a"), full_f32(9, TD_SHAPE(3, 2)));
  must(td_dict_set_dict(outer, TD_KEY("file"), d, &err));
  expect_entry(outer, TD_KEY("file", "n", "b"), VALUES(0, 1, 2));
  must(td_dict_fill_(outer, TD_KEY("file", "a"), TD_VALUE(td_value_double(2)), &err));
  expect_entry(d, TD_KEY("a"), VALUES(2, 2, 2, 2, 2, 2));
  const td_index first[] = {TD_INT(0)};
  must(td_dict_set_at_value(outer, first, 1, TD_VALUE(td_value_double(5)), &err));
  expect_entry(d, TD_KEY("n", "b"), VALUES(5, 1, 2));
  must(td_dict_index(outer, first, 1, &x, &err));
  expect_entry(x, TD_KEY("file", "a"), VALUES(5, 5));
  td_dict_release(x);
  td_dict *const members[] = {d, second};
  must(td_dict_lazy_stack(members, 2, 0, &x, &err));
  expect_keys(x, 0, "a");
  expect_entry(x, TD_KEY("a"), VALUES(5, 5, 2, 2, 2, 2, 9, 9, 9, 9, 9, 9));
  must(td_dict_fill_(x, TD_KEY("a"), TD_VALUE(td_value_double(1)), &err));
  expect_entry(second, TD_KEY("a"), VALUES(1, 1, 1, 1, 1, 1));
  td_dict_release(x);
  must(td_dict_set_dict(d, TD_KEY("copy"), second, &err)); /* from one file into the other */
  must(td_dict_update(second, d, NULL, &err));
  expect_keys(second, TD_KEYS_NESTED, "a copy copy.a n n.b n.s");
  td_dict_release(outer);
  close_h5(second);
  d = reopened(d);
  expect_entry(d, TD_KEY("copy", "a"), VALUES(1, 1, 1, 1, 1, 1));
  close_h5(d);
}

LeaklessTest(dict_persistent, state_and_scopes_are_written_back) {
  td_dict *d = example(), *state, *flat;
  td_scope *scope;
  must(td_dict_clone(d, &state, &err));
  must(td_dict_fill_(state, TD_KEY("a"), TD_VALUE(td_value_double(8)), &err));
  must(td_dict_load_state_dict(d, state, NULL, &err));
  expect_entry(d, TD_KEY("a"), VALUES(8, 8, 8, 8, 8, 8));
  td_dict_release(state);
  must(td_scope_flatten_keys(d, TD_STR("."), &flat, &scope, &err));
  must(td_dict_fill_(flat, TD_KEY("n.b"), TD_VALUE(td_value_double(6)), &err));
  put(flat, TD_KEY("n.c"), full_f32(1, TD_SHAPE(3)));
  must(td_scope_end(scope, &err));
  td_dict_release(flat), td_scope_release(scope);
  expect_entry(d, TD_KEY("n", "b"), VALUES(6, 6, 6));
  expect_entry(d, TD_KEY("n", "c"), VALUES(1, 1, 1));
  td_tensor *mask = counted(TD_DTYPE_BOOL, TD_SHAPE(3));
  must(td_dict_masked_fill_(d, mask, TD_VALUE(td_value_double(0)), &err));
  expect_entry(d, TD_KEY("n", "b"), VALUES(6, 0, 6));
  td_tensor_release(mask);
  expect_error(td_dict_requires_grad_(d, 1, &err), TD_ERR_UNSUPPORTED, NULL, "in a file");
  close_h5(d);
}

LeaklessTest(dict_persistent, new_tensors_are_laid_out_as_asked) {
  td_persistent_options options = TD_PERSISTENT_OPTIONS_INIT;
  const int64_t batch[] = {1000}, chunks[] = {100};
  options.batch_size = batch, options.ndim = 1;
  options.chunks = chunks, options.n_chunks = 1;
  options.compression = 9, options.shuffle = 1;
  td_dict *d;
  must(td_persistent_create(TD_STR(file_path()), &options, &d, &err));
  put(d, TD_KEY("zeros"), full_f32(0, TD_SHAPE(1000, 100)));
  put(d, TD_KEY("numbers"), range_f32(TD_SHAPE(1000)));
  put(d, TD_KEY("none"), range_f32(TD_SHAPE(1000, 0)));
  d = reopened(d);
  check(size_of_tree(file_path()).bytes < 40000); /* of 404,000 */
  const td_index rows[] = {TD_SLICE(550, 552)};
  td_tensor *t;
  must(td_dict_get_at(d, TD_KEY("numbers"), rows, 1, &t, &err));
  expect_values(t, VALUES(550, 551));
  td_tensor_release(t);
  close_h5(d);
}

/* The batch size of a dict in a file that is read may change, which a state brings along. */
LeaklessTest(dict_persistent, a_state_that_a_file_refuses_changes_nothing) {
  close_h5(example());
  td_dict *d = open_h5(file_path(), TD_OPEN_READ), *state = new_dict(TD_NO_DIMS);
  td_load_state_options options = TD_LOAD_STATE_OPTIONS_INIT;
  options.lenient = 1;
  put(state, TD_KEY("a"), range_f32(TD_SHAPE(3, 2)));
  expect_error(td_dict_load_state_dict(d, state, &options, &err), TD_ERR_LOCKED, "\"a\"", "reading only");
  expect_batch(d, TD_SHAPE(3));
  td_dict_release(state);
  close_h5(d);
}

/* One member takes the change, the other is in a file that does not. */
LeaklessTest(dict_persistent, a_stack_with_a_file_changes_in_all_members_or_in_none) {
  close_h5(example());
  td_dict *file = open_h5(file_path(), TD_OPEN_READ), *plain, *stack;
  must(td_dict_to_tensordict(file, &plain, &err));
  must(td_dict_lazy_stack((td_dict *const[]){plain, file}, 2, 0, &stack, &err));
  expect_error(td_dict_remove(stack, TD_KEY("a"), &err), TD_ERR_LOCKED, NULL, "reading only");
  td_tensor *t = full_f32(9, TD_SHAPE(2, 3));
  expect_error(td_dict_set(stack, TD_KEY("a"), t, &err), TD_ERR_LOCKED, NULL, "reading only");
  expect_error(td_dict_set(stack, TD_KEY("new"), t, &err), TD_ERR_LOCKED, NULL, "reading only");
  expect_keys(plain, 0, "a n");
  expect_entry(plain, TD_KEY("a"), VALUES(0, 1, 2, 3, 4, 5));
  td_tensor_release(t);
  td_dict_release(stack), td_dict_release(plain);
  close_h5(file);
}

/* The dict that went first comes back with what it held, though its group is gone. */
LeaklessTest(dict_persistent, what_is_separated_comes_back_if_a_later_key_is_missing) {
  td_dict *d = example(), *out;
  const td_str b[] = {TD_STR("n"), TD_STR("b")}, s[] = {TD_STR("n"), TD_STR("s")}, n[] = {TD_STR("n")};
  const td_key keys[] = {{b, 2}, {s, 2}, {n, 1}};
  expect_error(td_dict_separate(d, keys, 3, NULL, &out, &err), TD_ERR_KEY, "\"n\"", "no such key");
  expect_keys(d, TD_KEYS_NESTED, "a n n.b n.s");
  expect_entry(d, TD_KEY("n", "b"), VALUES(0, 1, 2));
  expect_data(d, TD_KEY("n", "s"), 0, TEXT("text"));
  close_h5(d);
}

/* What is refused is not written anew when it is undone. */
LeaklessTest(dict_persistent, a_locked_file_that_refuses_many_stays_as_it_is) {
  td_dict *d = example();
  td_path *path;
  td_tensor *t = full_f32(1, TD_SHAPE(3));
  td_dict *n = get_dict(d, TD_KEY("n"));
  must(td_dict_set_names(n, (const td_str[]){TD_STR("rows")}, 1, &err));
  must(td_path_new(TD_KEY("n"), &path, &err));
  must(td_dict_lock_(d, &err));
  const td_path *paths[] = {path};
  expect_error(td_dict_set_many(d, paths, &t, 1, &err), TD_ERR_LOCKED, "\"n\"", "locked");
  td_dict *still = get_dict(d, TD_KEY("n"));
  check(still == n);
  must(td_dict_unlock_(d, &err));
  td_dict_release(n), td_dict_release(still), td_path_release(path), td_tensor_release(t);
  close_h5(d);
}

/* An entry of that name would be dropped with the next one that is replaced. */
LeaklessTest(dict_persistent, the_name_of_what_is_being_replaced_is_no_key) {
  td_dict *d = example();
  td_tensor *t = full_f32(1, TD_SHAPE(3));
  expect_error(td_dict_set(d, TD_KEY("__tensordict_old__"), t, &err), TD_ERR_KEY, "\"__tensordict_old__\"",
               "have no place for");
  expect_error(td_dict_rename_key_(d, TD_KEY("a"), TD_KEY("__tensordict_old__"), 0, &err), TD_ERR_KEY, NULL,
               "have no place for");
  expect_keys(d, 0, "a n");
  td_tensor_release(t);
  close_h5(d);
}

LeaklessTest(dict_persistent, what_was_selected_comes_back_if_a_later_member_is_locked) {
  td_dict *d = example(), *other = new_dict(TD_SHAPE(3)), *stack;
  put(other, TD_KEY("n", "b"), full_f32(1, TD_SHAPE(3)));
  put(other, TD_KEY("a"), full_f32(1, TD_SHAPE(3)));
  td_dict *n = get_dict(other, TD_KEY("n"));
  must(td_dict_lock_(n, &err));
  must(td_dict_lazy_stack((td_dict *const[]){d, other}, 2, 0, &stack, &err));
  expect_error(td_dict_select_(stack, TD_KEY("n", "b"), 1, 1, &err), TD_ERR_LOCKED, "\"n\"", NULL);
  expect_keys(d, TD_KEYS_NESTED, "a n n.b n.s");
  expect_batch(d, TD_SHAPE(3));
  td_dict_release(stack), td_dict_release(other), td_dict_release(n);
  d = reopened(d);
  expect_keys(d, TD_KEYS_NESTED, "a n n.b n.s");
  expect_entry(d, TD_KEY("n", "b"), VALUES(0, 1, 2));
  n = get_dict(d, TD_KEY("n"));
  check(td_dict_kind_of(n) == TD_DICT_KIND_PERSISTENT);
  expect_batch(n, TD_SHAPE(3));
  td_dict_release(n);
  close_h5(d);
}
