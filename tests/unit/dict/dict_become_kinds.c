/* Every kind of dict takes over another: lazy stacks, parameters, dicts in files; and the device goes along. */
#include "support/h5_files.h"

TestSuite(dict_become_kinds, .init = make_test_dir, .fini = remove_test_dir);

/* [2]: "x" [2, width], ("n", "y") [2]. */
static td_dict *member(int64_t width, double value) {
  td_dict *td = new_dict(TD_SHAPE(2));
  put(td, TD_KEY("x"), full_f32(value, TD_SHAPE(2, width)));
  put(td, TD_KEY("n", "y"), full_f32(value, TD_SHAPE(2)));
  return td;
}

LeaklessTest(dict_become_kinds, the_members_of_a_stack_take_over_one_by_one) {
  td_dict *a = member(1, 1), *b = member(2, 2), *stack, *out, *n = get_dict(a, TD_KEY("n")), *same;
  must(td_dict_lazy_stack((td_dict *const[]){a, b}, 2, 0, &stack, &err));
  must(td_dict_flatten_keys(stack, TD_STR("."), &out, &err));
  must(td_dict_become(stack, out, &err));
  expect_keys(a, TD_KEYS_NESTED, "x n.y");
  expect_keys(b, TD_KEYS_NESTED, "x n.y");
  check(td_dict_kind_of(stack) == TD_DICT_KIND_LAZY_STACK && has_batch(stack, TD_SHAPE(2, 2)));
  td_dict_release(out);
  must(td_dict_unflatten_keys(stack, TD_STR("."), &out, &err));
  must(td_dict_become(stack, out, &err));
  same = get_dict(a, TD_KEY("n"));
  check(same != n); /* the node had been gone */
  td_dict_release(same), td_dict_release(n), td_dict_release(out);

  n = get_dict(b, TD_KEY("n"));
  must(td_dict_to(stack, TD_DTYPE_FLOAT64, TD_NO_STR, &out, &err));
  must(td_dict_become(stack, out, &err));
  same = get_dict(b, TD_KEY("n"));
  check(same == n);
  td_tensor *y = get(b, TD_KEY("n", "y"));
  check(td_tensor_dtype(y) == TD_DTYPE_FLOAT64);
  td_tensor_release(y), td_dict_release(same), td_dict_release(n), td_dict_release(out);

  must(td_dict_flatten(stack, 0, 1, &out, &err)); /* other members, along another dim */
  must(td_dict_become(stack, out, &err));
  expect_batch(stack, TD_SHAPE(4));
  check(td_dict_stack_dim(stack) == 0);
  expect_batch(a, TD_SHAPE(2)); /* which those before are no more */
  td_dict_release(out), td_dict_release(a), td_dict_release(b), td_dict_release(stack);
}

LeaklessTest(dict_become_kinds, a_stack_takes_a_dense_dict_apart) {
  td_dict *a = member(1, 1), *b = member(1, 2), *stack, *out, *empty = new_dict(TD_NO_DIMS);
  must(td_dict_lazy_stack((td_dict *const[]){a, b}, 2, 0, &stack, &err));
  must(td_dict_pad(stack, TD_SHAPE(0, 0, 0, 1), TD_VALUE(td_value_double(7)), &out, &err)); /* dense, [2, 3] */
  check(td_dict_kind_of(out) == TD_DICT_KIND_TENSORDICT);
  must(td_dict_become(stack, out, &err));
  expect_batch(stack, TD_SHAPE(2, 3));
  expect_entry(a, TD_KEY("x"), VALUES(1, 1, 7));
  expect_entry(b, TD_KEY("n", "y"), VALUES(2, 2, 7));
  td_dict_release(out);
  expect_error(td_dict_become(stack, empty, &err), TD_ERR_SHAPE, NULL, "batch dims");
  td_dict *wide = new_dict(TD_SHAPE(3));
  put(wide, TD_KEY("z"), range_f32(TD_SHAPE(3)));
  must(td_dict_lock_(b, &err));
  expect_error(td_dict_become(stack, wide, &err), TD_ERR_LOCKED, NULL, NULL);
  expect_batch(stack, TD_SHAPE(2, 3));
  expect_entry(a, TD_KEY("x"), VALUES(1, 1, 7));
  must(td_dict_unlock_(b, &err));
  must(td_dict_become(stack, wide, &err));
  check(td_dict_kind_of(stack) == TD_DICT_KIND_LAZY_STACK && has_batch(stack, TD_SHAPE(3)));
  expect_entry(stack, TD_KEY("z"), VALUES(0, 1, 2));
  td_dict_release(wide), td_dict_release(a), td_dict_release(b), td_dict_release(stack), td_dict_release(empty);
}

LeaklessTest(dict_become_kinds, a_stack_below_a_plain_dict_stays_the_same_object) {
  td_dict *outer = new_dict(TD_SHAPE(2)), *a = member(1, 1), *b = member(2, 2), *stack, *out, *same;
  must(td_dict_lazy_stack((td_dict *const[]){a, b}, 2, 1, &stack, &err));
  must(td_dict_set_dict(outer, TD_KEY("l"), stack, &err));
  must(td_dict_to(outer, TD_DTYPE_FLOAT64, TD_NO_STR, &out, &err));
  must(td_dict_become(outer, out, &err));
  same = get_dict(outer, TD_KEY("l"));
  check(same == stack);
  td_tensor *x = get(b, TD_KEY("x"));
  check(td_tensor_dtype(x) == TD_DTYPE_FLOAT64);
  td_tensor_release(x), td_dict_release(same), td_dict_release(out), td_dict_release(stack);
  td_dict_release(a), td_dict_release(b), td_dict_release(outer);
}

static void expect_parameter(const td_dict *td, const td_key *key) {
  td_tensor *t = get(td, key);
  check(td_tensor_requires_grad(t));
  td_tensor_release(t);
}

LeaklessTest(dict_become_kinds, what_parameters_get_becomes_parameters) {
  for (int lock = 0; lock < 2; ++lock) {
    td_params_options options = TD_PARAMS_OPTIONS_INIT;
    options.lock = (td_bool)lock;
    td_dict *td = member(1, 1), *params, *out, *plain = member(2, 5);
    must(td_dict_params(td, &options, &params, &err));
    must(td_dict_flatten_keys(params, TD_STR("."), &out, &err));
    must(td_dict_become(params, out, &err));
    expect_keys(params, TD_KEYS_NESTED, "x n.y");
    expect_parameter(params, TD_KEY("n.y"));
    expect_keys(td, TD_KEYS_NESTED, "x n.y");
    check(td_dict_kind_of(params) == TD_DICT_KIND_PARAMS && td_dict_is_locked(td) == lock);
    td_dict_release(out);
    must(td_dict_become(params, plain, &err));
    expect_parameter(params, TD_KEY("x"));
    expect_parameter(params, TD_KEY("n", "y"));
    td_tensor *x = get(plain, TD_KEY("n", "y"));
    check(!td_tensor_requires_grad(x)); /* the other dict stays as it was */
    td_tensor_release(x);
    td_dict *n = get_dict(td, TD_KEY("n"));
    check(td_dict_is_locked(n) == lock);
    td_dict_release(n);
    must(td_dict_reshape(params, TD_SHAPE(1, 2), &out, &err));
    must(td_dict_become(params, out, &err));
    expect_batch(params, TD_SHAPE(1, 2));
    expect_batch(td, TD_SHAPE(1, 2));
    expect_parameter(params, TD_KEY("x"));
    td_dict *around = new_dict(TD_NO_DIMS);
    must(td_dict_set_dict(around, TD_KEY("td"), td, &err));
    expect_error(td_dict_become(params, around, &err), TD_ERR_ARGUMENT, NULL, "itself");
    td_dict_release(around), td_dict_release(out), td_dict_release(plain), td_dict_release(params);
    td_dict_release(td);
  }
}

LeaklessTest(dict_become_kinds, a_dict_in_a_file_writes_copies) {
  const char *path = path_of("%s/become.h5", test_dir);
  td_dict *d = create_h5(path, TD_SHAPE(2)), *other = new_dict(TD_SHAPE(2)), *out, *n, *same;
  put(d, TD_KEY("x"), full_f32(1, TD_SHAPE(2, 3)));
  put(d, TD_KEY("gone"), full_f32(1, TD_SHAPE(2)));
  put(d, TD_KEY("n", "y"), full_f32(2, TD_SHAPE(2)));
  n = get_dict(d, TD_KEY("n"));
  put(other, TD_KEY("x"), counted(TD_DTYPE_INT64, TD_SHAPE(2)));
  put(other, TD_KEY("n", "z"), full_f32(4, TD_SHAPE(2)));
  must(td_dict_become(d, other, &err));
  same = get_dict(d, TD_KEY("n"));
  check(same == n && td_dict_kind_of(d) == TD_DICT_KIND_PERSISTENT);
  td_dict_release(same), td_dict_release(n);
  must(td_dict_flatten_keys(d, TD_STR("."), &out, &err));
  must(td_dict_become(d, out, &err));
  td_dict_release(out);
  close_h5(d);
  d = open_h5(path, TD_OPEN_READ_WRITE);
  expect_keys(d, TD_KEYS_NESTED, "n.z x");
  expect_entry(d, TD_KEY("x"), VALUES(0, 1));
  expect_entry(d, TD_KEY("n.z"), VALUES(4, 4));
  td_dict *longer = new_dict(TD_SHAPE(3));
  expect_error(td_dict_become(d, longer, &err), TD_ERR_UNSUPPORTED, NULL, "[2]");
  must(td_dict_lock_(d, &err));
  expect_error(td_dict_become(d, other, &err), TD_ERR_LOCKED, NULL, NULL);
  must(td_dict_unlock_(d, &err));
  expect_entry(d, TD_KEY("x"), VALUES(0, 1));
  td_dict_release(longer), td_dict_release(other);
  close_h5(d);
}

static void expect_device(const td_dict *td, const char *expected) {
  const td_str device = td_dict_device(td);
  check(expected ? says(device, expected) : !device.data);
}

LeaklessTest(dict_become_kinds, the_device_goes_along) {
  td_dict *td = member(1, 1), *n = get_dict(td, TD_KEY("n")), *out, *bare = member(1, 3);
  must(td_dict_to(td, TD_DTYPE_NONE, TD_STR("meta"), &out, &err));
  must(td_dict_become(td, out, &err));
  expect_device(td, "meta");
  expect_device(n, "meta");
  td_tensor *x = get(td, TD_KEY("n", "y"));
  check(says(td_tensor_device(x), "meta"));
  td_tensor_release(x), td_dict_release(out);
  must(td_dict_become(td, bare, &err)); /* without a device: to the one it has */
  expect_device(td, "meta");
  td_dict_release(bare), td_dict_release(n), td_dict_release(td);
}
