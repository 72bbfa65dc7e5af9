/* Statuses and error objects. */
#include "support/td.h"

LeaklessTest(error, every_status_has_its_name) {
  const struct {
    td_status status;
    const char *name;
  } table[] = {{0, "TD_OK"},           {1, "TD_ERR_ARGUMENT"},   {2, "TD_ERR_KEY"},
               {3, "TD_ERR_SHAPE"},    {4, "TD_ERR_DTYPE"},      {5, "TD_ERR_DEVICE"},
               {6, "TD_ERR_INDEX"},    {7, "TD_ERR_LOCKED"},     {8, "TD_ERR_UNSUPPORTED"},
               {9, "TD_ERR_VERSION"},  {10, "TD_ERR_IO"},        {11, "TD_ERR_NOSPACE"},
               {12, "TD_ERR_CORRUPT"}, {13, "TD_ERR_PLUGIN"},    {14, "TD_ERR_CALLBACK"},
               {15, "TD_ERR_TIMEOUT"}, {16, "TD_ERR_CLOSED"},    {17, "TD_ERR_TORCH"},
               {18, "TD_ERR_OOM"},     {19, "TD_ERR_INTERNAL"},  {20, "TD_ERR_NOT_FOUND"},
               {21, "TD_ERR_EXISTS"},  {22, "TD_ERR_CANCELLED"}, {23, "TD_ERR_BUSY"},
               {24, "TD_ERR_?"},       {-1, "TD_ERR_?"},         {INT32_MAX, "TD_ERR_?"}};
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i)
    cr_expect_str_eq(td_status_name(table[i].status).data, table[i].name);
}

LeaklessTest(error, a_new_error_keeps_its_code_and_text_until_the_last_reference_goes) {
  td_error *e = td_error_new(TD_ERR_CALLBACK, TD_STR("the sensor is off"));
  td_error_retain(e);
  td_error_release(e);
  check(td_error_code(e) == TD_ERR_CALLBACK);
  check(says(td_error_message(e), "the sensor is off"));
  check(td_error_key(e).size == 0 && td_error_where(e).size == 0 && td_error_hint(e).size == 0);
  check(td_error_cause(e) == NULL);
  td_error_release(e);

  td_str part = {"the sensor is off", 10};
  e = td_error_new(TD_ERR_IO, part);
  check(says(td_error_message(e), "the sensor"));
  td_error_release(e);

  e = td_error_new(TD_OK, TD_NO_STR); /* an error is never a success */
  check(td_error_code(e) != TD_OK && td_error_message(e).size > 0);
  td_error_release(e);
}

LeaklessTest(error, a_failure_says_what_was_wrong_where_and_what_to_do) {
  td_dict *td = new_dict(TD_SHAPE(3));
  td_tensor *x = range_f32(TD_SHAPE(2)), *out = NULL;

  check(td_dict_set(td, TD_KEY("n", "x"), x, &err) == TD_ERR_SHAPE);
  check(td_error_code(err) == TD_ERR_SHAPE);
  check(says(td_error_key(err), "(\"n\", \"x\")"));
  check(strstr(td_error_message(err).data, "[3]") && strstr(td_error_message(err).data, "[2]"));
  check(strstr(td_error_message(err).data, td_error_hint(err).data));
  check(td_error_hint(err).size > 0);
  td_error_release(err);
  err = NULL;

  check(td_dict_get(td, TD_KEY("x"), &out, &err) == TD_ERR_KEY);
  check(says(td_error_key(err), "\"x\""));
  td_error_release(err);
  err = NULL;

  td_op *op;
  check(td_op_find(TD_STR("no_such_operator"), TD_NO_STR, &op, &err) == TD_ERR_NOT_FOUND);
  check(says(td_error_where(err), "aten::no_such_operator"));
  td_error_release(err);
  err = NULL;

  check(td_dict_get(td, TD_KEY("x"), &out, NULL) == TD_ERR_KEY); /* the error object is optional */
  check(out == NULL);
  td_tensor_release(x);
  td_dict_release(td);
}

LeaklessTest(error, a_message_is_one_line_also_for_keys_with_line_breaks) {
  td_dict *td = new_dict(TD_NO_DIMS);
  td_tensor *out;
  expect_error(td_dict_get(td, TD_KEY("two\nlines"), &out, &err), TD_ERR_KEY, "\"two\nlines\"", "two lines");
  td_dict_release(td);
}

/* What LibTorch and the standard library say is for their own developers: no such text leaves this library. */
LeaklessTest(error, messages_are_in_plain_words) {
  td_tensor *x = range_f32(TD_SHAPE(4, 3)), *bad_index = vector_of(TD_DTYPE_INT64, (const int64_t[]){7}, 1);
  const int64_t three[] = {3}, absurd[] = {INT64_C(1) << 50, INT64_C(1) << 5};
  const struct {
    const char *name, *overload;
    td_value args[3];
    size_t n;
    const char *says;
  } cases[] = {
      {"expand", "", {td_value_tensor(x), td_value_ints(three, 1)}, 2, "[4, 3]"},
      {"view", "", {td_value_tensor(x), td_value_ints(three, 1)}, 2, NULL},
      {"permute", "", {td_value_tensor(x), td_value_ints(three, 1)}, 2, NULL},
      {"select", "int", {td_value_tensor(x), td_value_int(0), td_value_int(9)}, 3, "9"},
      {"index_select", "", {td_value_tensor(x), td_value_int(0), td_value_tensor(bad_index)}, 3, NULL},
      {"mm", "", {td_value_tensor(x), td_value_tensor(x)}, 2, NULL},
      {"cholesky_inverse", "", {td_value_tensor(x)}, 1, NULL},
      {"bitwise_not", "", {td_value_tensor(x)}, 1, NULL},
      {"zeros", "", {td_value_ints(absurd, 2)}, 1, "memory"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    td_op *op = operator_named(cases[i].name, cases[i].overload);
    td_value out;
    const td_status status = td_op_call(op, cases[i].args, cases[i].n, NULL, 0, &out, 1, &err);
    check(status != TD_OK);
    expect_error(status, td_error_code(err), NULL, cases[i].says); /* which looks for such text */
    td_op_release(op);
  }
  check(internal_text("expand(CPUFloatType{[4, 3]}, size=[3])") && internal_text("vector::_M_range_check: __n"));
  check(internal_text("in std::get: x") && internal_text("an at::Tensor") &&
        !internal_text("format::x, a Type of [4, 3]"));
  td_tensor_release(x), td_tensor_release(bad_index);
}

/* Bindings have other names than this header. */
Test(error, a_hint_shows_where_it_names_the_header) {
  td_dict *td = new_dict(TD_SHAPE(2));
  put(td, TD_KEY("x"), range_f32(TD_SHAPE(2)));
  td_dict *out = NULL;
  cr_expect_eq(td_dict_get_dict(td, TD_KEY("x"), &out, &err), TD_ERR_KEY);
  cr_expect_str_eq(td_error_hint(err).data, "use td_dict_get");
  cr_expect_str_eq(td_error_hint_format(err).data, "use {dict_get}");
  cr_expect(strstr(td_error_message(err).data, "use td_dict_get"));
  td_error_release(err);
  err = NULL;
  td_tensor *missing = NULL; /* a hint that names nothing of the header is the same text */
  cr_expect_eq(td_dict_get(td, TD_KEY("y"), &missing, &err), TD_ERR_KEY);
  cr_expect(td_error_hint(err).size > 0);
  cr_expect_str_eq(td_error_hint_format(err).data, td_error_hint(err).data);
  td_error_release(err);
  err = NULL;
  cr_expect_null(td_error_hint_format(NULL).data);
  td_dict_release(td);
}
