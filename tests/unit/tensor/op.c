/* Operators by name: finding them, choosing overloads, and every kind of argument and result. */
#include <pthread.h>

#include "support/td.h"

#define CALL_FAILS(op, args_and_count, kwargs, n_kwargs, outs, n_outs, code, says) \
  expect_error(call_op((op), args_and_count, (kwargs), (n_kwargs), (outs), (n_outs)), (code), NULL, (says))

static td_status call_op(const td_op *op, const td_value *args, size_t n, const td_named_value *kwargs, size_t n_kwargs,
                         td_value *outs, size_t n_outs) {
  return td_op_call(op, args, n, kwargs, n_kwargs, outs, n_outs, &err);
}

static td_tensor *called(const char *name, const char *overload, const td_value *args, size_t n,
                         const td_named_value *kwargs, size_t n_kwargs) {
  td_op *op = operator_named(name, overload);
  td_value out;
  must(td_op_call(op, args, n, kwargs, n_kwargs, &out, 1, &err));
  check(out.kind == TD_VALUE_TENSOR);
  td_op_release(op);
  return out.as.tensor;
}

LeaklessTest(op, an_operator_is_found_by_name_and_overload) {
  td_op *op;
  td_string *schema;
  must(td_op_find(TD_STR("aten::softmax"), TD_STR("int"), &op, &err));
  must(td_op_schema(op, &schema, &err));
  check(strstr(td_string_view(schema).data, "aten::softmax.int(Tensor self, int dim"));
  check(!strchr(td_string_view(schema).data, '\n'));
  td_string_release(schema);
  td_op_retain(op);
  td_op_release(op);
  td_op_release(op);

  op = operator_named("add", NULL); /* all overloads, a line each */
  must(td_op_schema(op, &schema, &err));
  check(strstr(td_string_view(schema).data, "aten::add.Tensor(") && strchr(td_string_view(schema).data, '\n'));
  td_string_release(schema);
  td_op_release(op);

  op = NULL;
  expect_error(td_op_find(TD_STR("add"), TD_STR("Tensors"), &op, &err), TD_ERR_NOT_FOUND, NULL, "\"Tensor\"");
  expect_error(td_op_find(TD_STR("softmax"), TD_STR(""), &op, &err), TD_ERR_NOT_FOUND, NULL, "\"int\"");
  expect_error(td_op_find(TD_STR("aten::nothing"), TD_NO_STR, &op, &err), TD_ERR_NOT_FOUND, NULL, "aten::nothing");
  expect_error(td_op_find(TD_STR("softmux"), TD_STR("int"), &op, &err), TD_ERR_NOT_FOUND, NULL,
               "did you mean aten::softmax?");
  expect_error(td_op_find(TD_STR("nowhere::add"), TD_NO_STR, &op, &err), TD_ERR_NOT_FOUND, NULL, NULL);
  expect_error(td_op_find(TD_STR(""), TD_NO_STR, &op, &err), TD_ERR_NOT_FOUND, NULL, NULL);
  check(op == NULL);
}

LeaklessTest(op, a_name_may_have_the_overload_in_it) {
  td_op *op;
  td_string *schema;
  static const char *const names[] = {"softmax.int", "aten::softmax.int", "mm.default", "aten::mm.default"};
  for (size_t i = 0; i < 4; ++i) {
    must(td_op_find(TD_STR(names[i]), TD_NO_STR, &op, &err));
    must(td_op_schema(op, &schema, &err));
    check(strstr(td_string_view(schema).data, i < 2 ? "aten::softmax.int(" : "aten::mm("));
    check(!strchr(td_string_view(schema).data, '\n'));
    td_string_release(schema);
    td_op_release(op);
  }
  expect_error(td_op_find(TD_STR("add.Tensors"), TD_NO_STR, &op, &err), TD_ERR_NOT_FOUND, NULL, "\"Tensor\"");
  expect_error(td_op_find(TD_STR("softmax.default"), TD_NO_STR, &op, &err), TD_ERR_NOT_FOUND, NULL, "\"int\"");
  expect_error(td_op_find(TD_STR("add.Tensor"), TD_STR("Tensor"), &op, &err), TD_ERR_NOT_FOUND, NULL, NULL);
}

LeaklessTest(op, one_call_finds_and_runs_an_operator) {
  td_tensor *x = range_f32(TD_SHAPE(2, 2));
  td_value outs[2];
  for (int again = 0; again < 2; ++again) { /* found, then remembered */
    must(td_op_run(TD_STR("sum"), (td_value[]){td_value_tensor(x)}, 1, NULL, 0, outs, 1, &err));
    expect_values(outs[0].as.tensor, VALUES(6));
    td_value_clear(&outs[0]);
    must(td_op_run(TD_STR("max.dim"), (td_value[]){td_value_tensor(x)}, 1,
                   (td_named_value[]){{TD_STR("keepdim"), td_value_bool(1)}, {TD_STR("dim"), td_value_int(0)}}, 2, outs,
                   2, &err));
    expect_values(outs[0].as.tensor, VALUES(2, 3));
    check(td_tensor_ndim(outs[1].as.tensor) == 2);
    td_value_clear(&outs[0]);
    td_value_clear(&outs[1]);
  }
  outs[0] = td_value_int(7);
  expect_error(td_op_run(TD_STR("aten::nothing"), NULL, 0, NULL, 0, outs, 1, &err), TD_ERR_NOT_FOUND, NULL, "nothing");
  expect_error(td_op_run(TD_STR("sum.dims"), NULL, 0, NULL, 0, outs, 1, &err), TD_ERR_NOT_FOUND, NULL, "dim_IntList");
  expect_error(td_op_run(TD_NO_STR, NULL, 0, NULL, 0, outs, 1, &err), TD_ERR_NOT_FOUND, NULL, NULL);
  expect_error(td_op_run(TD_STR("sum"), NULL, 0, NULL, 0, outs, 1, &err), TD_ERR_ARGUMENT, NULL,
               "do not match any schema");
  expect_error(td_op_run(TD_STR("sum"), (td_value[]){td_value_tensor(x)}, 1, NULL, 0, outs, 0, &err), TD_ERR_ARGUMENT,
               NULL, "there is room for 0");
  check(outs[0].kind == TD_VALUE_INT);
  td_tensor_release(x);
}

static void *run_many(void *x) {
  for (int i = 0; i < 200; ++i) {
    td_value out;
    check(td_op_run(TD_STR(i % 2 ? "cos" : "sin.default"), (td_value[]){td_value_tensor(x)}, 1, NULL, 0, &out, 1,
                    NULL) == TD_OK);
    td_value_clear(&out);
  }
  return NULL;
}

LeaklessTest(op, threads_run_operators_by_name_concurrently) {
  td_tensor *x = range_f32(TD_SHAPE(3));
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i) check(pthread_create(&threads[i], NULL, run_many, x) == 0);
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
  td_tensor_release(x);
}

LeaklessTest(op, each_call_takes_the_overload_that_fits_best) {
  td_tensor *x = range_f32(TD_SHAPE(2, 2)), *y;
  y = call("max", NULL, ARGS(td_value_tensor(x))); /* max(self), not max.dim or max.other */
  expect_values(y, VALUES(3));
  td_tensor_release(y);
  y = call("max", NULL, ARGS(td_value_tensor(x), td_value_tensor(x)));
  expect_values(y, VALUES(0, 1, 2, 3));
  td_tensor_release(y);
  y = call("pow", NULL, ARGS(td_value_tensor(x), td_value_int(2)));
  expect_values(y, VALUES(0, 1, 4, 9));
  td_tensor_release(y);
  y = call("pow", NULL, ARGS(td_value_int(2), td_value_tensor(x)));
  expect_values(y, VALUES(1, 2, 4, 8));
  td_tensor_release(y);
  y = call("sum", NULL, ARGS(td_value_tensor(x), td_value_ints((const int64_t[]){0}, 1)));
  expect_values(y, VALUES(2, 4));
  td_tensor_release(y);

  td_op *max = operator_named("max", NULL);
  td_value two[2];
  must(td_op_call(max, ARGS(td_value_tensor(x), td_value_int(0)), NULL, 0, two, 2, &err));
  expect_values(two[0].as.tensor, VALUES(2, 3));
  expect_values(two[1].as.tensor, VALUES(1, 1));
  td_value_clear(&two[0]);
  td_value_clear(&two[1]);
  td_op_release(max);
  td_tensor_release(x);
}

LeaklessTest(op, arguments_come_by_position_by_name_or_from_the_schema) {
  td_tensor *x = range_f32(TD_SHAPE(3)), *y;
  const td_named_value alpha = {TD_STR("alpha"), td_value_int(10)};
  const td_named_value both[] = {{TD_STR("other"), td_value_tensor(x)}, {TD_STR("self"), td_value_tensor(x)}};
  y = called("add", "Tensor", ARGS(td_value_tensor(x), td_value_tensor(x)), &alpha, 1);
  expect_values(y, VALUES(0, 11, 22));
  td_tensor_release(y);
  y = called("add", "Tensor", NULL, 0, both, 2);
  expect_values(y, VALUES(0, 2, 4));
  td_tensor_release(y);
  y = called("add", "Tensor", ARGS(td_value_tensor(x), td_value_double(0.5)), NULL, 0); /* a number for a tensor */
  check(td_tensor_dtype(y) == TD_DTYPE_FLOAT32);
  expect_values(y, VALUES(0.5, 1.5, 2.5));
  td_tensor_release(y);
  y = called("flatten", "using_ints", ARGS(td_value_tensor(x), td_value_default(), td_value_int(-1)), NULL, 0);
  expect_values(y, VALUES(0, 1, 2));
  td_tensor_release(y);
  y = called("clamp", "", ARGS(td_value_tensor(x), td_value_none(), td_value_int(1)), NULL, 0);
  expect_values(y, VALUES(0, 1, 1));
  td_tensor_release(y);
  td_tensor_release(x);
}

LeaklessTest(op, every_kind_of_argument_reaches_the_operator) {
  td_tensor *x = range_f32(TD_SHAPE(2, 3)), *y;
  const int64_t dims[] = {3, 2};
  y = call("view", "", ARGS(td_value_tensor(x), td_value_ints(dims, 2))); /* SymInt[] */
  expect_shape(y, TD_SHAPE(3, 2));
  td_tensor_release(y);
  y = call("sum", "dim_IntList",
           ARGS(td_value_tensor(x), td_value_int(1), td_value_bool(1))); /* one for a list of one */
  expect_shape(y, TD_SHAPE(2, 1));
  td_tensor_release(y);
  const td_named_value options[] = {{TD_STR("dtype"), td_value_dtype(TD_DTYPE_INT16)},
                                    {TD_STR("device"), td_value_str(TD_STR("cpu"))}};
  y = called("zeros", "", ARGS(td_value_ints(dims, 2)), options, 2);
  check(td_tensor_dtype(y) == TD_DTYPE_INT16);
  td_tensor_release(y);
  td_value scales = {TD_VALUE_DOUBLES, 0, 2, {.doubles = (const double[]){2, 2}}};
  td_tensor *image = range_f32(TD_SHAPE(1, 1, 2, 2));
  y = call("upsample_nearest2d", "vec", ARGS(td_value_tensor(image), td_value_none(), scales));
  expect_shape(y, TD_SHAPE(1, 1, 4, 4));
  td_tensor_release(y);
  const td_named_value format = {TD_STR("memory_format"), td_value_str(TD_STR("channels_last"))};
  td_tensor *images = range_f32(TD_SHAPE(1, 2, 2, 2));
  y = called("clone", "", ARGS(td_value_tensor(images)), &format, 1);
  int64_t strides[4];
  td_tensor_strides(y, strides, 4);
  check(strides[1] == 1 && same_values(images, y));
  td_tensor_release(y);
  td_tensor_release(images);
  td_tensor_release(image);
  td_tensor_release(x);
}

LeaklessTest(op, tensors_come_and_go_in_lists) {
  td_tensor *a = range_f32(TD_SHAPE(2)), *b = full_f32(7, TD_SHAPE(2)), *y;
  td_tensor *both[] = {a, b};
  y = call("stack", "", ARGS(td_value_tensors(both, 2), td_value_int(1)));
  expect_values(y, VALUES(0, 7, 1, 7));

  td_op *split = operator_named("split", "Tensor");
  td_value out;
  must(td_op_call(split, ARGS(td_value_tensor(y), td_value_int(1), td_value_int(1)), NULL, 0, &out, 1, &err));
  check(out.kind == TD_VALUE_TENSOR_LIST && td_tensor_list_size(out.as.list) == 2);
  td_tensor *part = NULL;
  expect_error(td_tensor_list_get(out.as.list, 2, &part, &err), TD_ERR_INDEX, NULL, "2");
  check(part == NULL);
  td_tensor_list *list = out.as.list;
  td_tensor_list_retain(list);
  td_value_clear(&out);
  check(out.kind == TD_VALUE_NONE);
  must(td_tensor_list_get(list, 1, &part, &err));
  td_tensor_list_release(list);
  expect_values(part, VALUES(7, 7));
  td_tensor_release(part);
  td_op_release(split);

  td_tensor *rows = vector_of(TD_DTYPE_INT64, TD_SHAPE(1, 1, 0)); /* y[:, [1, 1, 0]] */
  td_tensor *indices[] = {NULL, rows};
  part = call("index", "Tensor", ARGS(td_value_tensor(y), td_value_tensors(indices, 2)));
  expect_values(part, VALUES(7, 7, 0, 7, 7, 1));
  td_tensor_release(part);
  td_tensor_release(rows);
  td_tensor_release(y);
  td_tensor_release(a);
  td_tensor_release(b);
}

LeaklessTest(op, results_come_in_order_and_all_or_none) {
  td_tensor *x = vector_of(TD_DTYPE_FLOAT32, TD_SHAPE(3, 9, 5)), *sorted = NULL;
  td_op *topk = operator_named("topk", ""), *sort = operator_named("sort", NULL);
  td_value outs[3] = {td_value_int(1), td_value_int(2), td_value_int(3)};
  must(td_op_call(topk, ARGS(td_value_tensor(x), td_value_int(2)), NULL, 0, outs, 3, &err));
  expect_values(outs[0].as.tensor, VALUES(9, 5));
  expect_values(outs[1].as.tensor, VALUES(1, 2));
  check(outs[2].kind == TD_VALUE_NONE); /* more room than results */
  for (int i = 0; i < 3; ++i) td_value_clear(&outs[i]);

  must(td_op_call(sort, ARGS(td_value_tensor(x)), NULL, 0, outs, 2, &err));
  expect_values(outs[0].as.tensor, VALUES(3, 5, 9));
  sorted = outs[0].as.tensor;
  td_value_clear(&outs[1]);
  td_tensor_release(sorted);

  td_value alone = td_value_int(5);
  CALL_FAILS(topk, ARGS(td_value_tensor(x), td_value_int(2)), NULL, 0, &alone, 1, TD_ERR_ARGUMENT, "2 results");
  check(alone.kind == TD_VALUE_INT);
  td_op_release(topk);
  td_op_release(sort);

  td_op *add_ = operator_named("add_", NULL);
  CALL_FAILS(add_, ARGS(td_value_tensor(x), td_value_int(1)), NULL, 0, NULL, 0, TD_ERR_ARGUMENT, "1 result");
  expect_values(x, VALUES(3, 9, 5)); /* nowhere to put the result: nothing was written */
  td_op_release(add_);

  td_op *any_item = operator_named("size", "int"), *equal = operator_named("equal", "");
  must(td_op_call(any_item, ARGS(td_value_tensor(x), td_value_int(0)), NULL, 0, outs, 1, &err));
  check(outs[0].kind == TD_VALUE_INT && outs[0].as.i == 3);
  must(td_op_call(equal, ARGS(td_value_tensor(x), td_value_tensor(x)), NULL, 0, outs, 1, &err));
  check(outs[0].kind == TD_VALUE_BOOL && outs[0].as.i == 1);
  td_op_release(any_item);
  td_op_release(equal);
  td_tensor_release(x);
}

LeaklessTest(op, arguments_that_fit_no_schema_are_refused_with_the_schema) {
  td_tensor *x = range_f32(TD_SHAPE(3)), *y = range_f32(TD_SHAPE(2));
  td_op *add = operator_named("add", "Tensor"), *zeros = operator_named("zeros", "");
  td_dict *td = new_dict(TD_NO_DIMS);
  td_value out = td_value_int(5);
  const td_named_value unknown = {TD_STR("beta"), td_value_int(1)}, twice = {TD_STR("self"), td_value_tensor(x)},
                       text = {TD_STR("alpha"), td_value_str(TD_STR("ten"))},
                       number = {TD_STR("dtype"), td_value_int(6)},
                       absent = {TD_STR("device"), td_value_str(TD_STR("abacus"))};
  const td_value tensor = td_value_tensor(x), size = td_value_ints((const int64_t[]){2}, 1);
  CALL_FAILS(add, ARGS(tensor), NULL, 0, &out, 1, TD_ERR_ARGUMENT, "aten::add.Tensor(");
  CALL_FAILS(add, ARGS(tensor, tensor, td_value_int(1)), NULL, 0, &out, 1, TD_ERR_ARGUMENT,
             "schema"); /* by name only */
  CALL_FAILS(add, ARGS(tensor, tensor), &unknown, 1, &out, 1, TD_ERR_ARGUMENT, "schema");
  CALL_FAILS(add, ARGS(tensor, tensor), &twice, 1, &out, 1, TD_ERR_ARGUMENT, "schema");
  CALL_FAILS(add, ARGS(tensor, tensor), &text, 1, &out, 1, TD_ERR_ARGUMENT, "schema");
  CALL_FAILS(add, ARGS(tensor, td_value_none()), NULL, 0, &out, 1, TD_ERR_ARGUMENT, "schema");
  CALL_FAILS(add, ARGS(tensor, td_value_tensor(NULL)), NULL, 0, &out, 1, TD_ERR_ARGUMENT, "schema");
  CALL_FAILS(add, ARGS(tensor, td_value_dict(td)), NULL, 0, &out, 1, TD_ERR_ARGUMENT, "td_dict_apply_op");
  CALL_FAILS(zeros, ARGS(size), &number, 1, &out, 1, TD_ERR_ARGUMENT, "schema"); /* LibTorch's numbers are its own */
  CALL_FAILS(zeros, ARGS(size), &absent, 1, &out, 1, TD_ERR_DEVICE, "abacus");
  for (td_value_kind kind = -1; kind <= 99; kind = kind < 15 ? kind + 1 : 2 * kind) {
    td_value odd = {kind, 0, 1, {0}}; /* NULL arrays, lists as arguments, unknown kinds */
    if (kind == TD_VALUE_INT || kind == TD_VALUE_DOUBLE || kind == TD_VALUE_BOOL || kind == TD_VALUE_UINT ||
        kind == TD_VALUE_COMPLEX)
      continue;
    check(td_op_call(add, ARGS(tensor, odd), NULL, 0, &out, 1, NULL) != TD_OK);
  }
  CALL_FAILS(add, ARGS(tensor, td_value_tensor(y)), NULL, 0, &out, 1, TD_ERR_SHAPE, "must match the size");
  check(out.kind == TD_VALUE_INT && out.as.i == 5);
  td_op_release(add);
  td_op_release(zeros);
  td_dict_release(td);
  td_tensor_release(x);
  td_tensor_release(y);
}
