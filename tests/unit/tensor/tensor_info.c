/* What there is to know of a tensor in one call, parts of tensors, equality, and the names of dtypes. */
#include <math.h>

#include "support/td.h"

LeaklessTest(tensor_info, one_call_tells_what_many_do) {
  td_tensor *t = transposed(range_f32(TD_SHAPE(2, 3)));
  td_tensor_facts facts = TD_TENSOR_FACTS_INIT;
  must(td_tensor_info(t, &facts, &err));
  check(facts.struct_size == sizeof facts && facts.dtype == TD_DTYPE_FLOAT32 && facts.ndim == 2);
  check(facts.sizes[0] == 3 && facts.sizes[1] == 2 && facts.strides[0] == 1 && facts.strides[1] == 3);
  check(facts.numel == 6 && facts.itemsize == 4 && facts.data == address(t) && says(facts.device, "cpu"));
  check(facts.flags == TD_TENSOR_STRIDED);
  requiring_grad(t);
  must(td_tensor_info(t, &facts, &err));
  check(facts.flags == (TD_TENSOR_STRIDED | TD_TENSOR_REQUIRES_GRAD));
  td_tensor_release(t);
  t = range_f32(TD_NO_DIMS);
  must(td_tensor_info(t, &facts, &err));
  check(facts.ndim == 0 && facts.numel == 1 && (facts.flags & TD_TENSOR_CONTIGUOUS));
  td_tensor *meta;
  must(td_tensor_to(t, TD_DTYPE_NONE, TD_STR("meta"), &meta, &err));
  must(td_tensor_info(meta, &facts, &err));
  check(facts.data == NULL && says(facts.device, "meta"));
  td_tensor_release(meta);
  facts.struct_size = 3;
  expect_error(td_tensor_info(t, &facts, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_tensor_info(t, NULL, &err), TD_ERR_ARGUMENT, NULL, NULL);
  td_tensor_release(t);
}

LeaklessTest(tensor_info, parts_are_views_and_may_be_written) {
  td_tensor *t = range_f32(TD_SHAPE(3, 4)), *part, *rows = full_f32(9, TD_SHAPE(2, 4));
  must(td_tensor_index(t, (const td_index[]){TD_INT(1), TD_SLICE(1, 3)}, 2, &part, &err));
  expect_values(part, VALUES(5, 6));
  poke(part, 50);
  td_tensor_release(part);
  const int64_t picked[] = {2, 0};
  must(td_tensor_index(t, (const td_index[]){TD_INTS(picked, 2), TD_INT(1)}, 2, &part, &err));
  expect_values(part, VALUES(9, 1));
  td_tensor_release(part);
  must(td_tensor_set_at(t, (const td_index[]){TD_INTS(picked, 2)}, 1, rows, &err));
  expect_values(t, VALUES(9, 9, 9, 9, 4, 50, 6, 7, 9, 9, 9, 9));
  td_tensor *one = full_f32(1, TD_NO_DIMS);
  must(td_tensor_set_at(t, (const td_index[]){TD_INT(-1)}, 1, one, &err));
  expect_values(t, VALUES(9, 9, 9, 9, 4, 50, 6, 7, 1, 1, 1, 1));
  const int64_t wrong[] = {3};
  expect_error(td_tensor_index(t, (const td_index[]){TD_INTS(wrong, 1)}, 1, &part, &err), TD_ERR_INDEX, NULL, NULL);
  expect_error(td_tensor_index(t, (const td_index[]){TD_INT(3)}, 1, &part, &err), TD_ERR_INDEX, NULL, NULL);
  expect_error(td_tensor_set_at(t, (const td_index[]){TD_INT(0)}, 1, rows, &err), TD_ERR_SHAPE, NULL, NULL);
  expect_error(td_tensor_index(t, (const td_index[]){TD_INTS(NULL, 1)}, 1, &part, &err), TD_ERR_ARGUMENT, NULL, NULL);
  td_tensor_release(one);
  td_tensor_release(rows);
  td_tensor_release(t);
}

LeaklessTest(tensor_info, integers_pick_rows_of_a_dict_too) {
  td_dict *td = new_dict(TD_SHAPE(3)), *rows;
  put(td, TD_KEY("a"), range_f32(TD_SHAPE(3)));
  const int64_t picked[] = {2, 2, 0};
  must(td_dict_index(td, (const td_index[]){TD_INTS(picked, 3)}, 1, &rows, &err));
  expect_entry(rows, TD_KEY("a"), VALUES(2, 2, 0));
  td_dict_release(rows);
  td_dict_release(td);
}

LeaklessTest(tensor_info, dtypes_have_names_and_sizes) {
  check(says(td_dtype_name(TD_DTYPE_FLOAT32), "float32") && says(td_dtype_name(TD_DTYPE_COMPLEX128), "complex128"));
  check(td_dtype_name(TD_DTYPE_NONE).size == 0 && td_dtype_name(1000).size == 0);
  check(td_dtype_size(TD_DTYPE_BOOL) == 1 && td_dtype_size(TD_DTYPE_BFLOAT16) == 2 &&
        td_dtype_size(TD_DTYPE_COMPLEX128) == 16);
  check(td_dtype_size(TD_DTYPE_NONE) == 0 && td_dtype_size(-1) == 0);
  td_dtype dtype;
  must(td_dtype_from_name(TD_STR("torch.int64"), &dtype, &err));
  check(dtype == TD_DTYPE_INT64);
  for (td_dtype d = TD_DTYPE_BOOL; d <= TD_DTYPE_COMPLEX128; ++d)
    if (td_dtype_from_name(td_dtype_name(d), &dtype, NULL) == TD_OK) check(dtype == d);
  expect_error(td_dtype_from_name(TD_STR("float"), &dtype, &err), TD_ERR_DTYPE, NULL, NULL);
}

static int equal(const td_tensor *a, const td_tensor *b, const td_equal_options *options, const char *difference) {
  td_bool is = 2;
  td_string *text;
  must(td_tensor_equal(a, b, options, &is, &text, &err));
  check(is == (text == NULL));
  if (text && difference) expect_text(text, difference);
  if (text && !difference) td_string_release(text);
  return is;
}

LeaklessTest(tensor_info, tensors_are_equal_within_a_tolerance) {
  td_tensor *a = range_f32(TD_SHAPE(2, 2)), *b = range_f32(TD_SHAPE(2, 2)), *c = range_f32(TD_SHAPE(4)),
            *d = counted(TD_DTYPE_INT64, TD_SHAPE(2, 2));
  check(equal(a, b, NULL, NULL) && equal(a, a, NULL, NULL));
  check(!equal(a, c, NULL, "shape [2, 2] and shape [4]"));
  check(!equal(a, d, NULL, "dtype float32 and dtype int64"));
  poke(b, 0.25f);
  check(!equal(a, b, NULL, "1 of 4 elements differ, the first at [0, 0]: 0 and 0.25"));
  td_equal_options near = TD_EQUAL_OPTIONS_INIT;
  near.absolute = 0.25;
  check(equal(a, b, &near, NULL));
  poke(a, NAN), poke(b, NAN);
  check(!equal(a, b, &near, NULL) && !equal(a, a, NULL, NULL));
  near.equal_nan = 1;
  check(equal(a, b, &near, NULL) && equal(a, a, &near, NULL));
  near.absolute = -1;
  td_bool is;
  expect_error(td_tensor_equal(a, b, &near, &is, NULL, &err), TD_ERR_ARGUMENT, NULL, NULL);
  td_tensor_release(a);
  td_tensor_release(b);
  td_tensor_release(c);
  td_tensor_release(d);
  for (td_dtype dtype = TD_DTYPE_BOOL; dtype <= TD_DTYPE_COMPLEX128; ++dtype) {
    td_tensor *x;
    if (td_tensor_zeros(TD_SHAPE(3), dtype, TD_NO_STR, &x, NULL) != TD_OK) continue; /* not in this LibTorch */
    td_tensor *y;
    must(td_tensor_clone(x, &y, &err));
    check(equal(x, y, NULL, NULL));
    memset((void *)address(y), 1, 1);
    check(!equal(x, y, NULL, NULL));
    td_tensor_release(x);
    td_tensor_release(y);
  }
}

static int same(const td_dict *a, const td_dict *b, const char *difference) {
  td_bool is = 2;
  td_string *text;
  must(td_dict_equal(a, b, NULL, &is, &text, &err));
  check(is == (text == NULL));
  if (text && difference) expect_text(text, difference);
  if (text && !difference) td_string_release(text);
  return is;
}

LeaklessTest(tensor_info, dicts_are_equal_whatever_the_order_of_their_keys) {
  td_dict *a = new_dict(TD_SHAPE(2)), *b = new_dict(TD_SHAPE(2)), *stack;
  put(a, TD_KEY("x"), range_f32(TD_SHAPE(2)));
  put(a, TD_KEY("n", "y"), range_f32(TD_SHAPE(2, 3)));
  put(b, TD_KEY("n", "y"), range_f32(TD_SHAPE(2, 3)));
  check(!same(a, b, "\"x\": only in the first dict") && !same(b, a, "\"x\": only in the second dict"));
  put(b, TD_KEY("x"), range_f32(TD_SHAPE(2)));
  check(same(a, b, NULL));
  must(td_dict_to_lazy_stack(b, 0, &stack, &err));
  check(same(a, stack, NULL) && same(stack, a, NULL) && same(stack, stack, NULL));
  must(td_dict_set_data(a, TD_KEY("n", "note"), TD_DATA(td_data_int(1)), &err));
  must(td_dict_set_data(b, TD_KEY("n", "note"), TD_DATA(td_data_double(1)), &err));
  check(same(a, b, NULL));
  must(td_dict_set_data(b, TD_KEY("n", "note"), TD_DATA(td_data_int(2)), &err));
  check(!same(a, b, "(\"n\", \"note\"): data differ"));
  put(b, TD_KEY("n", "note"), range_f32(TD_SHAPE(2)));
  check(!same(a, b, "(\"n\", \"note\"): data and a tensor"));
  td_dict *n = get_dict(b, TD_KEY("n"));
  check(td_dict_set_batch_size(n, TD_SHAPE(2, 3), NULL) == TD_ERR_SHAPE);
  must(td_dict_remove(n, TD_KEY("note"), &err));
  must(td_dict_set_batch_size(n, TD_SHAPE(2, 3), &err));
  check(!same(a, b, "\"n\": batch size [2] and batch size [2, 3]"));
  td_dict_release(n);
  td_bool is;
  expect_error(td_dict_equal(a, NULL, NULL, &is, NULL, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_equal(a, b, NULL, NULL, NULL, &err), TD_ERR_ARGUMENT, NULL, NULL);
  td_dict_release(stack);
  td_dict_release(a);
  td_dict_release(b);
}
