/* Numbers of every kind arrive exactly, or are refused as LibTorch refuses them. */
#include "support/td.h"

static const int64_t odd = (INT64_C(1) << 53) + 1; /* no double */

static td_value item_of(td_tensor *taken) {
  td_value v = td_value_none();
  must(td_tensor_item(taken, &v, &err));
  td_tensor_release(taken);
  return v;
}

static td_tensor *filled(td_value value, td_dtype dtype) {
  td_tensor *t;
  must(td_tensor_full(TD_NO_DIMS, &value, dtype, TD_NO_STR, &t, &err));
  return t;
}

static int64_t first_of(const td_dict *d) {
  td_tensor *t;
  must(td_dict_get(d, TD_KEY("i"), &t, &err));
  const int64_t i = *(const int64_t *)address(t);
  td_tensor_release(t);
  return i;
}

static td_dict *of_zeros(void) {
  td_dict *d = new_dict(TD_SHAPE(1));
  td_tensor *t;
  must(td_tensor_zeros(TD_SHAPE(1), TD_DTYPE_INT64, TD_NO_STR, &t, &err));
  put(d, TD_KEY("i"), t);
  return d;
}

LeaklessTest(numbers, an_int64_that_is_no_double_arrives_in_every_function) {
  const td_value value = td_value_int(odd);
  td_dict *d = of_zeros(), *out;
  td_tensor *mask;
  const td_index all = TD_SLICE(0, 1);
  const int64_t pairs[] = {1, 0};
  check(item_of(filled(value, TD_DTYPE_INT64)).as.i == odd);
  must(td_dict_fill_(d, TD_KEY("i"), &value, &err));
  check(first_of(d) == odd);
  must(td_dict_fill_(d, TD_KEY("i"), TD_VALUE(td_value_int(0)), &err));
  must(td_dict_set_at_value(d, &all, 1, &value, &err));
  check(first_of(d) == odd);
  must(td_dict_fill_(d, TD_KEY("i"), TD_VALUE(td_value_int(0)), &err));
  must(td_tensor_full(TD_SHAPE(1), TD_VALUE(td_value_bool(1)), TD_DTYPE_BOOL, TD_NO_STR, &mask, &err));
  must(td_dict_masked_fill(d, mask, &value, &out, &err));
  check(first_of(out) == odd && first_of(d) == 0);
  td_dict_release(out);
  must(td_dict_masked_fill_(d, mask, &value, &err));
  check(first_of(d) == odd);
  must(td_dict_fill_(d, TD_KEY("i"), TD_VALUE(td_value_int(0)), &err));
  must(td_dict_pad(d, pairs, 2, &value, &out, &err));
  check(first_of(out) == odd);
  td_dict_release(out);
  must(td_dict_new_full(d, TD_SHAPE(3), &value, TD_DTYPE_NONE, &out, &err));
  check(first_of(out) == odd);
  td_dict_release(out), td_dict_release(d), td_tensor_release(mask);
}

LeaklessTest(numbers, of_complex_and_unsigned_tensors_are_read_and_written) {
  td_value v = item_of(filled(td_value_complex(1.5, -2), TD_DTYPE_COMPLEX64));
  check(v.kind == TD_VALUE_COMPLEX && v.as.c.re == 1.5 && v.as.c.im == -2);
  v = item_of(filled(td_value_uint(300), TD_DTYPE_INT64));
  check(v.kind == TD_VALUE_INT && v.as.i == 300);
  v = item_of(filled(td_value_bool(1), TD_DTYPE_FLOAT32));
  check(v.kind == TD_VALUE_DOUBLE && v.as.f == 1);
  v = item_of(filled(td_value_double(-0.0), TD_DTYPE_FLOAT64));
  check(v.kind == TD_VALUE_DOUBLE && 1 / v.as.f < 0);
  const td_value large = td_value_uint(UINT64_MAX);
  td_tensor *t = NULL;
  if (td_has_feature(TD_STR("uint16"))) {
    v = item_of(filled(large, TD_DTYPE_UINT64));
    check(v.kind == TD_VALUE_UINT && v.as.u == UINT64_MAX);
  } else {
    expect_error(td_tensor_full(TD_NO_DIMS, &large, TD_DTYPE_FLOAT64, TD_NO_STR, &t, &err), TD_ERR_UNSUPPORTED, NULL,
                 "2.3");
  }
  check(t == NULL);
}

LeaklessTest(numbers, that_a_dtype_cannot_hold_are_refused) {
  const struct {
    td_value value;
    td_dtype dtype;
  } table[] = {{td_value_int(300), TD_DTYPE_UINT8},
               {td_value_complex(1, 1), TD_DTYPE_FLOAT32},
               {td_value_double(1e300), TD_DTYPE_FLOAT32},
               {td_value_int(INT64_C(1) << 40), TD_DTYPE_INT32}};
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
    td_tensor *t = NULL;
    expect_error(td_tensor_full(TD_NO_DIMS, &table[i].value, table[i].dtype, TD_NO_STR, &t, &err), TD_ERR_TORCH, NULL,
                 "overflow");
    check(t == NULL);
  }
  td_value v = item_of(filled(td_value_int(-1), TD_DTYPE_UINT8)); /* as in stock PyTorch */
  check(v.kind == TD_VALUE_INT && v.as.i == 255);
}

LeaklessTest(numbers, are_not_made_of_other_values) {
  td_dict *d = of_zeros(), *out = NULL;
  td_value odd_one = td_value_int(1);
  odd_one.reserved = 1;
  const struct {
    td_value value;
    const char *says;
  } table[] = {{td_value_str(TD_STR("1")), "STR"},
               {td_value_none(), "NONE"},
               {td_value_dict(d), "DICT"},
               {td_value_ints(&odd, 1), "INTS"},
               {td_value_dtype(TD_DTYPE_BOOL), "DTYPE"},
               {odd_one, "reserved"}};
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
    expect_error(td_dict_fill_(d, TD_KEY("i"), &table[i].value, &err), TD_ERR_ARGUMENT, NULL, table[i].says);
    expect_error(td_dict_new_full(d, TD_NO_DIMS, &table[i].value, TD_DTYPE_NONE, &out, &err), TD_ERR_ARGUMENT, NULL,
                 table[i].says);
  }
  expect_error(td_dict_fill_(d, TD_KEY("i"), NULL, &err), TD_ERR_ARGUMENT, NULL, "value");
  check(out == NULL && first_of(d) == 0);
  td_dict_release(d);
}

LeaklessTest(numbers, are_operands_of_operators) {
  td_op *mul;
  td_tensor *t = filled(td_value_double(2), TD_DTYPE_FLOAT32);
  const td_str texts[] = {TD_STR("a"), TD_STR("b")};
  must(td_op_find(TD_STR("mul"), TD_NO_STR, &mul, &err));
  td_value args[] = {td_value_tensor(t), td_value_complex(0, 3)}, out;
  must(td_op_call(mul, args, 2, NULL, 0, &out, 1, &err));
  td_value v = item_of(out.as.tensor);
  check(v.kind == TD_VALUE_COMPLEX && v.as.c.re == 0 && v.as.c.im == 6);
  args[1] = td_value_uint(4);
  must(td_op_call(mul, args, 2, NULL, 0, &out, 1, &err));
  v = item_of(out.as.tensor);
  check(v.kind == TD_VALUE_DOUBLE && v.as.f == 8);
  args[1] = td_value_strs(texts, 2);
  out = td_value_none();
  expect_error(td_op_call(mul, args, 2, NULL, 0, &out, 1, &err), TD_ERR_ARGUMENT, NULL, NULL);
  td_op_release(mul), td_tensor_release(t);
}

LeaklessTest(numbers, and_data_are_entries) {
  td_dict *made;
  td_data_list *list;
  must(td_data_list_new(TD_DATA(td_data_str(TD_STR("text"))), NULL, 0, &list, &err));
  const td_item items[] = {
      {TD_KEY("c"), td_value_complex(1, 2)}, {TD_KEY("u"), td_value_uint(7)}, {TD_KEY("s"), td_value_data(list)}};
  must(td_dict_from_items(TD_NO_DIMS, items, 3, NULL, &made, &err));
  td_data_list_release(list);
  td_tensor *c, *u;
  must(td_dict_get(made, TD_KEY("c"), &c, &err));
  must(td_dict_get(made, TD_KEY("u"), &u, &err));
  check(td_tensor_dtype(c) == TD_DTYPE_COMPLEX64 && td_tensor_dtype(u) == TD_DTYPE_INT64);
  td_tensor_release(c), td_tensor_release(u);
  must(td_dict_get_data(made, TD_KEY("s"), &list, &err));
  td_data text;
  must(td_data_list_get(list, 0, &text, &err));
  check(text.kind == TD_DATA_STR && text.text.size == 4);
  td_data_list_release(list), td_dict_release(made);
}
