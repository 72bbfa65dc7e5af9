/* Tensors: over foreign memory, copies, factories, what they say of themselves, and item. */
#include "support/td.h"

static int released;
static void count_release(void *owner) {
  released += 1;
  check(owner == NULL || owner == &released);
}

LeaklessTest(tensor, foreign_memory_is_shared_and_released_once_with_the_last_view) {
  float xs[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  const int64_t column_major[] = {1, 3};
  const struct {
    const int64_t *strides;
    double expected[6];
    int contiguous;
  } table[] = {{NULL, {0, 1, 2, 3, 4, 5}, 1},
               {(const int64_t[]){3, 1}, {0, 1, 2, 3, 4, 5}, 1},
               {column_major, {0, 3, 6, 1, 4, 7}, 0},
               {(const int64_t[]){6, 2}, {0, 2, 4, 6, 8, 10}, 0},
               {(const int64_t[]){0, 1}, {0, 1, 2, 0, 1, 2}, 0},
               {(const int64_t[]){0, 0}, {0, 0, 0, 0, 0, 0}, 0}};
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
    td_tensor *t, *view;
    released = 0;
    must(td_tensor_from_memory(xs, TD_DTYPE_FLOAT32, TD_SHAPE(2, 3), table[i].strides, count_release, &released, &t,
                               &err));
    check(address(t) == xs && !td_tensor_is_read_only(t));
    check(td_tensor_is_contiguous(t) == table[i].contiguous);
    expect_values_at(__FILE__, __LINE__, t, table[i].expected, 6);
    view = call("select", "int", ARGS(td_value_tensor(t), td_value_int(0), td_value_int(1)));
    td_tensor_release(t);
    check(released == 0);
    expect_values_at(__FILE__, __LINE__, view, table[i].expected + 3, 3);
    td_tensor_release(view);
    check(released == 1);
  }
}

LeaklessTest(tensor, foreign_memory_needs_no_owner_elements_or_dims) {
  float xs[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  td_tensor *t;
  must(td_tensor_from_memory(xs, TD_DTYPE_FLOAT32, TD_SHAPE(12), NULL, NULL, NULL, &t, &err)); /* nobody to tell */
  poke(t, 42);
  check(xs[0] == 42);
  td_tensor_release(t);
  released = 0;
  must(td_tensor_from_memory(NULL, TD_DTYPE_FLOAT32, TD_SHAPE(0, 5), NULL, count_release, NULL, &t, &err));
  check(td_tensor_numel(t) == 0 && address(t) != NULL);
  td_tensor_release(t);
  check(released == 1); /* also without an owner */
  must(td_tensor_from_memory(xs, TD_DTYPE_FLOAT32, TD_NO_DIMS, NULL, NULL, NULL, &t, &err));
  check(td_tensor_ndim(t) == 0 && td_tensor_numel(t) == 1);
  td_tensor_release(t);
}

LeaklessTest(tensor, refused_foreign_memory_is_released_before_the_call_returns) {
  char xs[128] = {0};
  char *aligned = xs + (64 - (uintptr_t)xs % 64);
  const int64_t huge = INT64_MAX / 2, many[65] = {0};
  const int64_t cases[][2] = {{2, 3}, {-1, 3}, {huge, huge}, {0, huge}, {huge, 1}, {3, 2}};
  const int64_t negative[] = {3, -1}, far[] = {huge, huge};
  const struct {
    void *data;
    td_dtype dtype;
    const int64_t *dims, *strides;
    size_t ndim;
    td_status code;
    const char *says;
  } table[] = {
      {NULL, TD_DTYPE_FLOAT32, cases[0], NULL, 2, TD_ERR_ARGUMENT, "NULL"},
      {aligned + 1, TD_DTYPE_FLOAT32, cases[0], NULL, 2, TD_ERR_ARGUMENT, "align"},
      {aligned + 4, TD_DTYPE_INT64, cases[0], NULL, 2, TD_ERR_ARGUMENT, "align"},
      {aligned + 2, TD_DTYPE_COMPLEX64, cases[0], NULL, 2, TD_ERR_ARGUMENT, "align"},
      {aligned, TD_DTYPE_NONE, cases[0], NULL, 2, TD_ERR_DTYPE, "dtype"},
      {aligned, 58, cases[0], NULL, 2, TD_ERR_DTYPE, "58"},
      {aligned, -1, cases[0], NULL, 2, TD_ERR_DTYPE, "-1"},
      {aligned, TD_DTYPE_FLOAT32, cases[1], NULL, 2, TD_ERR_SHAPE, "negative"},
      {aligned, TD_DTYPE_FLOAT32, cases[2], NULL, 2, TD_ERR_SHAPE, "64 bits"},
      {aligned, TD_DTYPE_FLOAT32, cases[4], NULL, 2, TD_ERR_SHAPE, "64 bits"},
      {aligned, TD_DTYPE_FLOAT32, cases[0], negative, 2, TD_ERR_SHAPE, "negative stride"},
      {aligned, TD_DTYPE_FLOAT32, cases[0], far, 2, TD_ERR_SHAPE, "overflow"},
      {aligned, TD_DTYPE_FLOAT32, many, NULL, 65, TD_ERR_SHAPE, "64 dims"},
      {aligned, TD_DTYPE_FLOAT32, NULL, NULL, 2, TD_ERR_ARGUMENT, "NULL"},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
    td_tensor *t = NULL;
    released = 0;
    expect_error(td_tensor_from_memory(table[i].data, table[i].dtype, table[i].dims, table[i].ndim, table[i].strides,
                                       count_release, &released, &t, &err),
                 table[i].code, "", table[i].says);
    check(t == NULL && released == 1);
  }
}

LeaklessTest(tensor, foreign_memory_without_an_output_is_released) {
  float xs[2] = {0};
  released = 0;
  expect_error(td_tensor_from_memory(xs, TD_DTYPE_FLOAT32, TD_SHAPE(2), NULL, count_release, &released, NULL, &err),
               TD_ERR_ARGUMENT, NULL, "output");
  check(released == 1);
}

LeaklessTest(tensor, copied_memory_is_the_tensors_own) {
  unsigned char bytes[1 + 4 * sizeof(float)] = {0};
  const float xs[4] = {1, 2, 3, 4};
  memcpy(bytes + 1, xs, sizeof xs); /* a copy needs no alignment */
  td_tensor *t;
  must(td_tensor_copy_from(bytes + 1, TD_DTYPE_FLOAT32, TD_SHAPE(2, 2), &t, &err));
  memset(bytes, 0, sizeof bytes);
  expect_values(t, VALUES(1, 2, 3, 4));
  td_tensor_release(t);
  must(td_tensor_copy_from(NULL, TD_DTYPE_INT8, TD_SHAPE(3, 0), &t, &err));
  check(td_tensor_numel(t) == 0);
  td_tensor_release(t);

  t = NULL;
  expect_error(td_tensor_copy_from(NULL, TD_DTYPE_INT8, TD_SHAPE(3), &t, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_tensor_copy_from(xs, TD_DTYPE_INT8, TD_SHAPE(-3), &t, &err), TD_ERR_SHAPE, NULL, "negative");
  expect_error(td_tensor_copy_from(xs, TD_DTYPE_INT64, TD_SHAPE(INT64_MAX), &t, &err), TD_ERR_SHAPE, NULL, NULL);
  expect_error(td_tensor_copy_from(xs, 99, TD_SHAPE(3), &t, &err), TD_ERR_DTYPE, NULL, "99");
  check(t == NULL);
}

LeaklessTest(tensor, factories_fill_as_they_say_and_refuse_what_cannot_be) {
  td_tensor *t;
  must(td_tensor_zeros(TD_SHAPE(2, 2), TD_DTYPE_INT16, TD_STR("cpu"), &t, &err));
  check(td_tensor_dtype(t) == TD_DTYPE_INT16);
  expect_values(t, VALUES(0, 0, 0, 0));
  td_tensor_release(t);
  must(td_tensor_full(TD_SHAPE(2), TD_VALUE(td_value_double(2.5)), TD_DTYPE_NONE, TD_NO_STR, &t,
                      &err)); /* no dtype is float32 */
  check(td_tensor_dtype(t) == TD_DTYPE_FLOAT32);
  expect_values(t, VALUES(2.5, 2.5));
  td_tensor_release(t);
  must(td_tensor_full(TD_NO_DIMS, TD_VALUE(td_value_double(1)), TD_DTYPE_BOOL, TD_NO_STR, &t, &err));
  expect_values(t, VALUES(1));
  td_tensor_release(t);
  must(td_tensor_empty(TD_SHAPE(4, 0, 2), TD_DTYPE_FLOAT64, TD_NO_STR, &t, &err));
  expect_shape(t, TD_SHAPE(4, 0, 2));
  td_tensor_release(t);
  must(td_tensor_randn(TD_SHAPE(1000), TD_DTYPE_FLOAT64, TD_NO_STR, NULL, &t, &err));
  check(td_tensor_dtype(t) == TD_DTYPE_FLOAT64);
  td_tensor_release(t);

  t = NULL;
  const int64_t huge[] = {INT64_MAX / 4, 8};
  expect_error(td_tensor_empty(TD_SHAPE(-1), TD_DTYPE_FLOAT32, TD_NO_STR, &t, &err), TD_ERR_SHAPE, NULL, "[-1]");
  expect_error(td_tensor_zeros(huge, 2, TD_DTYPE_FLOAT32, TD_NO_STR, &t, &err), TD_ERR_SHAPE, NULL, "64 bits");
  expect_error(td_tensor_full(huge, 2, TD_VALUE(td_value_double(1)), TD_DTYPE_FLOAT32, TD_NO_STR, &t, &err),
               TD_ERR_SHAPE, NULL, "64 bits");
  expect_error(td_tensor_randn(huge, 2, TD_DTYPE_FLOAT32, TD_NO_STR, NULL, &t, &err), TD_ERR_SHAPE, NULL, "64 bits");
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) /* they end the program instead */
  expect_error(td_tensor_empty(TD_SHAPE(INT64_C(1) << 55), TD_DTYPE_UINT8, TD_NO_STR, &t, &err), TD_ERR_OOM, NULL,
               NULL);
#endif
  expect_error(td_tensor_zeros(TD_SHAPE(1), 50, TD_NO_STR, &t, &err), TD_ERR_DTYPE, NULL, "50");
  expect_error(td_tensor_zeros(TD_SHAPE(1), TD_DTYPE_INT8, TD_STR("abacus"), &t, &err), TD_ERR_DEVICE, NULL, "abacus");
  expect_error(td_tensor_zeros(TD_SHAPE(1), TD_DTYPE_INT8, TD_STR(""), &t, &err), TD_ERR_DEVICE, NULL, NULL);
  if (!td_has_feature(TD_STR("cuda")))
    expect_error(td_tensor_zeros(TD_SHAPE(1), TD_DTYPE_INT8, TD_STR("cuda:0"), &t, &err), TD_ERR_DEVICE, NULL, "CUDA");
  check(t == NULL);
}

LeaklessTest(tensor, a_tensor_says_its_dtype_and_size) {
  const struct {
    td_dtype dtype;
    int64_t itemsize;
  } table[] = {{TD_DTYPE_BOOL, 1},    {TD_DTYPE_UINT8, 1},   {TD_DTYPE_INT8, 1},      {TD_DTYPE_INT16, 2},
               {TD_DTYPE_INT32, 4},   {TD_DTYPE_INT64, 8},   {TD_DTYPE_FLOAT16, 2},   {TD_DTYPE_BFLOAT16, 2},
               {TD_DTYPE_FLOAT32, 4}, {TD_DTYPE_FLOAT64, 8}, {TD_DTYPE_COMPLEX64, 8}, {TD_DTYPE_COMPLEX128, 16},
               {TD_DTYPE_UINT16, 2},  {TD_DTYPE_UINT32, 4},  {TD_DTYPE_UINT64, 8}};
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
    if (table[i].dtype >= TD_DTYPE_UINT16 && table[i].dtype <= TD_DTYPE_UINT64 && !td_has_feature(TD_STR("uint16")))
      continue;
    td_tensor *t;
    must(td_tensor_zeros(TD_SHAPE(2, 3), table[i].dtype, TD_NO_STR, &t, &err));
    check(td_tensor_dtype(t) == table[i].dtype && td_tensor_itemsize(t) == table[i].itemsize);
    check(td_tensor_numel(t) == 6 && td_tensor_nbytes(t) == 6 * table[i].itemsize);
    td_tensor_release(t);
  }
}

LeaklessTest(tensor, a_tensor_says_its_shape_strides_and_device) {
  td_tensor *t = transposed(range_f32(TD_SHAPE(2, 3)));
  int64_t dims[4] = {7, 7, 7, 7};
  check(td_tensor_ndim(t) == 2);
  check(td_tensor_shape(t, dims, 1) == 2 && dims[0] == 3 && dims[1] == 7); /* fills no more than there is room for */
  check(td_tensor_shape(t, dims, 4) == 2 && dims[1] == 2 && dims[2] == 7);
  check(td_tensor_strides(t, dims, 4) == 2 && dims[0] == 1 && dims[1] == 3);
  check(td_tensor_shape(t, NULL, 0) == 2 && td_tensor_strides(t, NULL, 0) == 2);
  check(!td_tensor_is_contiguous(t));
  check(says(td_tensor_device(t), "cpu"));
  td_tensor_release(t);
}

LeaklessTest(tensor, a_tensor_without_memory_of_the_cpu_shows_none) {
  td_tensor *t = transposed(range_f32(TD_SHAPE(2, 3))), *meta;
  td_tensor *sparse = call("to_sparse", NULL, ARGS(td_value_tensor(t))); /* a layout without strides or memory */
  int64_t dims[4];
  const void *data = NULL;
  void *writable = NULL;
  check(td_tensor_strides(sparse, dims, 4) == 0 && td_tensor_shape(sparse, dims, 4) == 2);
  expect_error(td_tensor_data(sparse, &data, &err), TD_ERR_UNSUPPORTED, NULL, "memory");
  expect_error(td_tensor_mutable_data(sparse, &writable, &err), TD_ERR_UNSUPPORTED, NULL, "memory");
  td_tensor_release(sparse);

  must(td_tensor_empty(TD_SHAPE(2), TD_DTYPE_FLOAT32, TD_STR("meta"), &meta, &err));
  expect_error(td_tensor_data(meta, &data, &err), TD_ERR_DEVICE, NULL, "meta");
  check(data == NULL && writable == NULL);
  td_tensor_release(meta);
  td_tensor_release(t);
}

LeaklessTest(tensor, copies_have_memory_of_their_own_unless_nothing_changes) {
  td_tensor *t = range_f32(TD_SHAPE(2, 3)), *crooked = transposed(range_f32(TD_SHAPE(2, 3))), *u;
  must(td_tensor_clone(t, &u, &err));
  check(same_values(t, u) && address(t) != address(u));
  td_tensor_release(u);
  must(td_tensor_contiguous(t, &u, &err));
  check(u == t); /* the same tensor, another reference */
  td_tensor_release(u);
  must(td_tensor_contiguous(crooked, &u, &err));
  check(u != crooked && td_tensor_is_contiguous(u));
  expect_values(u, VALUES(0, 3, 1, 4, 2, 5));
  td_tensor_release(u);

  const struct {
    td_dtype dtype;
    td_str device;
    int same;
  } table[] = {{TD_DTYPE_NONE, TD_NO_STR, 1},        {TD_DTYPE_FLOAT32, TD_NO_STR, 1},
               {TD_DTYPE_FLOAT32, TD_STR("cpu"), 1}, {TD_DTYPE_NONE, TD_STR("cpu:0"), 1},
               {TD_DTYPE_INT64, TD_NO_STR, 0},       {TD_DTYPE_BFLOAT16, TD_STR("cpu"), 0}};
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
    must(td_tensor_to(t, table[i].dtype, table[i].device, &u, &err));
    check((u == t) == table[i].same);
    if (table[i].dtype != TD_DTYPE_NONE) check(td_tensor_dtype(u) == table[i].dtype);
    expect_values(u, VALUES(0, 1, 2, 3, 4, 5));
    td_tensor_release(u);
  }
  u = NULL;
  expect_error(td_tensor_to(t, 77, TD_NO_STR, &u, &err), TD_ERR_DTYPE, NULL, "77");
  expect_error(td_tensor_to(t, TD_DTYPE_INT8, TD_STR("cpu:zero"), &u, &err), TD_ERR_DEVICE, NULL, "cpu:zero");
  check(u == NULL);
  td_tensor_release(t);
  td_tensor_release(crooked);
}

LeaklessTest(tensor, values_are_copied_in_place_with_broadcasting_and_a_cast) {
  td_tensor *t = range_f32(TD_SHAPE(2, 3)), *row = vector_of(TD_DTYPE_INT64, TD_SHAPE(7, 8, 9));
  const void *before = address(t);
  must(td_tensor_copy_(t, row, &err));
  expect_values(t, VALUES(7, 8, 9, 7, 8, 9));
  check(address(t) == before && td_tensor_dtype(t) == TD_DTYPE_FLOAT32);
  expect_error(td_tensor_copy_(row, t, &err), TD_ERR_SHAPE, NULL, NULL);
  expect_values(row, VALUES(7, 8, 9));
  td_tensor_release(row);
  row = vector_of(TD_DTYPE_INT64, TD_SHAPE(1, 2));
  expect_error(td_tensor_copy_(t, row, &err), TD_ERR_SHAPE, NULL, NULL);
  expect_values(t, VALUES(7, 8, 9, 7, 8, 9));
  td_tensor_release(row);
  td_tensor_release(t);
}

LeaklessTest(tensor, the_value_of_one_element_comes_out_as_a_number) {
  const struct {
    td_dtype dtype;
    td_value_kind kind;
  } table[] = {{TD_DTYPE_BOOL, TD_VALUE_BOOL},      {TD_DTYPE_UINT8, TD_VALUE_INT},
               {TD_DTYPE_INT8, TD_VALUE_INT},       {TD_DTYPE_INT64, TD_VALUE_INT},
               {TD_DTYPE_FLOAT16, TD_VALUE_DOUBLE}, {TD_DTYPE_BFLOAT16, TD_VALUE_DOUBLE},
               {TD_DTYPE_FLOAT32, TD_VALUE_DOUBLE}, {TD_DTYPE_FLOAT64, TD_VALUE_DOUBLE}};
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i)
    for (size_t ndim = 0; ndim < 3; ++ndim) {
      td_tensor *t;
      td_value v;
      must(td_tensor_full((const int64_t[]){1, 1}, ndim, TD_VALUE(td_value_double(1)), table[i].dtype, TD_NO_STR, &t,
                          &err));
      must(td_tensor_item(t, &v, &err));
      check(v.kind == table[i].kind);
      check(v.kind == TD_VALUE_DOUBLE ? v.as.f == 1.0 : v.as.i == 1);
      td_value_clear(&v); /* harmless for a number */
      check(v.kind == TD_VALUE_NONE);
      td_tensor_release(t);
    }
  td_value v = td_value_int(5);
  td_tensor *two = range_f32(TD_SHAPE(2)), *none = range_f32(TD_SHAPE(0)), *complex;
  expect_error(td_tensor_item(two, &v, &err), TD_ERR_SHAPE, NULL, "[2]");
  expect_error(td_tensor_item(none, &v, &err), TD_ERR_SHAPE, NULL, "[0]");
  must(td_tensor_zeros(TD_SHAPE(1), TD_DTYPE_COMPLEX64, TD_NO_STR, &complex, &err));
  check(v.kind == TD_VALUE_INT && v.as.i == 5);
  must(td_tensor_item(complex, &v, &err));
  check(v.kind == TD_VALUE_COMPLEX && v.as.c.re == 0 && v.as.c.im == 0);
  td_tensor_release(two);
  td_tensor_release(none);
  td_tensor_release(complex);
}
