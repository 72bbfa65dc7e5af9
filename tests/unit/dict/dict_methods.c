/* Every arithmetic method of Python's TensorDict by its name, the operator that it is here, and the same values as that operator
 * gives for each tensor. */
#include "support/td.h"

static const td_key *const leaf_keys[] = {TD_KEY("a"), TD_KEY("n", "b")};

/* Numbers between 0.1 and 0.9: {"a": [2, 3], "n": {"b": [2, 2]} of batch size [2, 2], "s": "hi", "e": {}}, locked, its dim is x. */
static td_dict *sample(td_dtype dtype) {
  td_dict *td = new_dict(TD_SHAPE(2)), *n = new_dict(TD_SHAPE(2, 2));
  td_tensor *a = range_f32(TD_SHAPE(2, 3)), *b = range_f32(TD_SHAPE(2, 2));
  td_tensor *tenth = full_f32(0.15, TD_NO_DIMS), *first = full_f32(0.1, TD_NO_DIMS);
  td_tensor **both[] = {&a, &b};
  for (int i = 0; i < 2; ++i) {
    td_tensor *scaled, *cast;
    if (dtype == TD_DTYPE_FLOAT32) {
      td_tensor *product = call("mul", "Tensor", ARGS(td_value_tensor(*both[i]), td_value_tensor(tenth)));
      scaled = call("add", "Tensor", ARGS(td_value_tensor(product), td_value_tensor(first)));
      td_tensor_release(product);
    } else {
      scaled = call("remainder", "Scalar", ARGS(td_value_tensor(*both[i]), td_value_int(2)));
    }
    must(td_tensor_to(scaled, dtype, TD_NO_STR, &cast, &err));
    td_tensor_release(scaled);
    td_tensor_release(*both[i]);
    *both[i] = cast;
  }
  td_tensor_release(tenth), td_tensor_release(first);
  put(n, TD_KEY("b"), b);
  put(td, TD_KEY("a"), a);
  put_dict(td, TD_KEY("n"), n);
  must(td_dict_set_data(td, TD_KEY("s"), TD_DATA(td_data_str(TD_STR("hi"))), &err));
  put_dict(td, TD_KEY("e"), new_dict(TD_SHAPE(2)));
  must(td_dict_set_names(td, (const td_str[]){TD_STR("x")}, 1, &err));
  must(td_dict_lock_(td, &err));
  return td;
}

/* Nodes, data and the names are as before, and the dict is locked as the first one is, unless it is a comparison. Data that
 * are compared for equality become tensors. */
static void expect_like_sample(const char *method, const td_dict *out, int compares, td_entry_kind data) {
  td_dict *n = get_dict(out, TD_KEY("n")), *e = get_dict(out, TD_KEY("e"));
  td_string *name;
  must(td_dict_name(out, 0, &name, &err));
  if (!has_batch(out, TD_SHAPE(2)) || !has_batch(n, TD_SHAPE(2, 2)) || kind_at(out, TD_KEY("s")) != data ||
      td_dict_is_locked(out) == compares || !name == !compares)
    failed_at(__FILE__, __LINE__, method, NULL);
  td_string_release(name);
  td_dict_release(n), td_dict_release(e);
}

/* The operator over the dicts among the arguments gives what it gives for each of their leaves. */
static void expect_leaf_by_leaf(const char *method, const char *name, const td_value *args, size_t n, int compares) {
  td_op *op = operator_named(name, NULL);
  td_dict *out = NULL;
  if (td_dict_pointwise(op, args, n, NULL, 0, NULL, &out, &err) != TD_OK) failed_at(__FILE__, __LINE__, method, err);
  const int two_dicts = n == 2 && args[0].kind == TD_VALUE_DICT && args[1].kind == TD_VALUE_DICT;
  const int equality = two_dicts && (!strcmp(name, "eq") || !strcmp(name, "ne"));
  expect_like_sample(method, out, compares, equality ? TD_ENTRY_TENSOR : TD_ENTRY_DATA);
  for (int leaf = 0; leaf < 2; ++leaf) {
    td_value each[3], result;
    for (size_t i = 0; i < n; ++i)
      each[i] = args[i].kind == TD_VALUE_DICT ? td_value_tensor(get(args[i].as.dict, leaf_keys[leaf])) : args[i];
    if (td_op_call(op, each, n, NULL, 0, &result, 1, &err) != TD_OK) failed_at(__FILE__, __LINE__, method, err);
    td_tensor *there = get(out, leaf_keys[leaf]);
    if (!same_values(there, result.as.tensor)) failed_at(__FILE__, __LINE__, method, NULL);
    td_tensor_release(there);
    td_value_clear(&result);
    for (size_t i = 0; i < n; ++i)
      if (args[i].kind == TD_VALUE_DICT) td_tensor_release(each[i].as.tensor);
  }
  td_dict_release(out);
  td_op_release(op);
}

/* The form with an underscore writes what the other gives. */
static void expect_in_place(const char *name, const td_value *args, size_t n) {
  char written[32];
  snprintf(written, sizeof written, "%s_", name);
  td_op *op = operator_named(name, NULL), *in_place = operator_named(written, NULL);
  td_dict *expected, *target, *out;
  td_value all[3];
  memcpy(all, args, n * sizeof *all);
  must(td_dict_pointwise(op, args, n, NULL, 0, NULL, &expected, &err));
  must(td_dict_clone(args[0].as.dict, &target, &err));
  must(td_dict_lock_(target, &err));
  all[0] = td_value_dict(target);
  if (td_dict_pointwise(in_place, all, n, NULL, 0, NULL, &out, &err) != TD_OK)
    failed_at(__FILE__, __LINE__, written, err);
  for (int leaf = 0; leaf < 2; ++leaf) {
    td_tensor *x = get(target, leaf_keys[leaf]), *y = get(expected, leaf_keys[leaf]);
    if (!same_values(x, y) || !same_memory(target, leaf_keys[leaf], out, leaf_keys[leaf]))
      failed_at(__FILE__, __LINE__, written, NULL);
    td_tensor_release(x), td_tensor_release(y);
  }
  td_dict_release(expected), td_dict_release(target), td_dict_release(out);
  td_op_release(op), td_op_release(in_place);
}

LeaklessTest(dict_methods, of_one_dict) {
  static const char *const with_underscore[] = {
      "abs",   "acos",    "asin", "atan",   "ceil", "cos",   "cosh",  "erf",  "erfc", "exp",
      "expm1", "floor",   "frac", "lgamma", "log",  "log10", "log1p", "log2", "neg",  "reciprocal",
      "round", "sigmoid", "sign", "sin",    "sinh", "sqrt",  "tan",   "tanh", "trunc"};
  static const char *const without[] = {"isfinite", "isnan", "isneginf", "isposinf", "isreal", "logical_not"};
  td_dict *td = sample(TD_DTYPE_FLOAT32), *bools = sample(TD_DTYPE_BOOL);
  const td_value x[] = {td_value_dict(td)};
  for (size_t i = 0; i < sizeof with_underscore / sizeof *with_underscore; ++i) {
    expect_leaf_by_leaf(with_underscore[i], with_underscore[i], x, 1, 0);
    expect_in_place(with_underscore[i], x, 1);
  }
  for (size_t i = 0; i < sizeof without / sizeof *without; ++i) expect_leaf_by_leaf(without[i], without[i], x, 1, 0);
  expect_leaf_by_leaf("__invert__", "bitwise_not", ARGS(td_value_dict(bools)), 0);
  td_dict_release(td), td_dict_release(bools);
}

static const struct {
  const char *method, *op;
  td_dtype dtype;
  int underscore, reflected, compares;
} of_two[] = {
    {"add", "add", TD_DTYPE_FLOAT32, 1, 1, 0},
    {"sub", "sub", TD_DTYPE_FLOAT32, 1, 1, 0},
    {"mul", "mul", TD_DTYPE_FLOAT32, 1, 1, 0},
    {"div", "div", TD_DTYPE_FLOAT32, 1, 1, 0},
    {"pow", "pow", TD_DTYPE_FLOAT32, 1, 1, 0},
    {"__floordiv__", "floor_divide", TD_DTYPE_FLOAT32, 1, 1, 0},
    {"__mod__, mod", "remainder", TD_DTYPE_FLOAT32, 1, 1, 0},
    {"maximum", "maximum", TD_DTYPE_FLOAT32, 0, 0, 0},
    {"minimum", "minimum", TD_DTYPE_FLOAT32, 0, 0, 0},
    {"clamp_min", "clamp_min", TD_DTYPE_FLOAT32, 1, 0, 0},
    {"clamp_max", "clamp_max", TD_DTYPE_FLOAT32, 1, 0, 0},
    {"bitwise_and, __and__", "bitwise_and", TD_DTYPE_INT64, 1, 1, 0},
    {"__or__", "bitwise_or", TD_DTYPE_INT64, 1, 1, 0},
    {"__xor__", "bitwise_xor", TD_DTYPE_INT64, 1, 1, 0},
    {"logical_and", "logical_and", TD_DTYPE_BOOL, 1, 0, 0},
    {"__eq__", "eq", TD_DTYPE_FLOAT32, 0, 0, 1},
    {"__ne__", "ne", TD_DTYPE_FLOAT32, 0, 0, 1},
    {"__lt__", "lt", TD_DTYPE_FLOAT32, 0, 0, 1},
    {"__le__", "le", TD_DTYPE_FLOAT32, 0, 0, 1},
    {"__gt__", "gt", TD_DTYPE_FLOAT32, 0, 0, 1},
    {"__ge__", "ge", TD_DTYPE_FLOAT32, 0, 0, 1},
};

LeaklessTest(dict_methods, of_two_operands_and_in_place) {
  for (size_t i = 0; i < sizeof of_two / sizeof *of_two; ++i) {
    td_dict *x = sample(of_two[i].dtype), *y = sample(of_two[i].dtype);
    td_tensor *scalar;
    must(td_tensor_full(TD_NO_DIMS, TD_VALUE(td_value_double(1)), of_two[i].dtype, TD_NO_STR, &scalar, &err));
    const td_value number = of_two[i].dtype == TD_DTYPE_FLOAT32 ? td_value_double(0.5) : td_value_int(1);
    const td_value others[] = {td_value_dict(y), td_value_tensor(scalar), number};
    for (int o = 0; o < (of_two[i].dtype == TD_DTYPE_BOOL ? 2 : 3); ++o) {
      const td_value forward[] = {td_value_dict(x), others[o]}, back[] = {others[o], td_value_dict(x)};
      expect_leaf_by_leaf(of_two[i].method, of_two[i].op, forward, 2, of_two[i].compares);
      if (of_two[i].reflected && o > 0) expect_leaf_by_leaf(of_two[i].method, of_two[i].op, back, 2, 0);
      if (of_two[i].underscore) expect_in_place(of_two[i].op, forward, 2);
    }
    td_tensor_release(scalar);
    td_dict_release(x), td_dict_release(y);
  }
}

/* "maximum_" and "minimum_" are no operators of LibTorch. */
LeaklessTest(dict_methods, that_have_another_name_in_place) {
  static const char *const names[][2] = {{"maximum", "clamp_min_"}, {"minimum", "clamp_max_"}};
  for (int i = 0; i < 2; ++i) {
    td_dict *x = sample(TD_DTYPE_FLOAT32), *y, *out;
    td_op *op = operator_named(names[i][0], NULL), *in_place = operator_named(names[i][1], NULL);
    td_op *cosine = operator_named("cos_", NULL);
    must(td_dict_clone(x, &y, &err));
    must(td_dict_pointwise(cosine, ARGS(td_value_dict(y)), NULL, 0, NULL, NULL, &err));
    const td_value both[] = {td_value_dict(x), td_value_dict(y)};
    must(td_dict_pointwise(op, both, 2, NULL, 0, NULL, &out, &err));
    must(td_dict_pointwise(in_place, both, 2, NULL, 0, NULL, NULL, &err));
    for (int leaf = 0; leaf < 2; ++leaf) {
      td_tensor *written = get(x, leaf_keys[leaf]), *expected = get(out, leaf_keys[leaf]);
      check(same_values(written, expected));
      td_tensor_release(written), td_tensor_release(expected);
    }
    td_op_release(op), td_op_release(in_place), td_op_release(cosine);
    td_dict_release(x), td_dict_release(y), td_dict_release(out);
  }
}

/* where(condition, a number or a tensor), and one tensor of all leaves. */
LeaklessTest(dict_methods, that_take_tensors) {
  td_dict *x = sample(TD_DTYPE_FLOAT32), *out;
  td_tensor *condition = counted(TD_DTYPE_BOOL, TD_SHAPE(2)), *rows = range_f32(TD_SHAPE(2)), *joined;
  td_op *where = operator_named("where", NULL);
  const td_value numbers[] = {td_value_tensor(condition), td_value_dict(x), td_value_double(7)};
  must(td_dict_pointwise(where, numbers, 3, NULL, 0, NULL, &out, &err));
  expect_like_sample("where", out, 0, TD_ENTRY_DATA);
  td_tensor *b = get(out, TD_KEY("n", "b")), *was = get(x, TD_KEY("n", "b"));
  check(memcmp((const float *)address(b) + 2, (const float *)address(was) + 2, 2 * sizeof(float)) == 0);
  check(*(const float *)address(b) == 7);
  td_tensor_release(b), td_tensor_release(was), td_dict_release(out);
  const td_value tensors[] = {td_value_tensor(condition), td_value_tensor(rows), td_value_dict(x)};
  must(td_dict_pointwise(where, tensors, 3, NULL, 0, NULL, &out, &err));
  b = get(out, TD_KEY("n", "b"));
  check(((const float *)address(b))[2] == 1 && ((const float *)address(b))[3] == 1);
  td_tensor_release(b), td_dict_release(out);

  td_keys *keys;
  td_tensor_list *list;
  td_tensor *leaves[2];
  must(td_dict_leaves(x, &keys, &list, &err)); /* cat_from_tensordict(dim=1) */
  for (size_t i = 0; i < 2; ++i) must(td_tensor_list_get(list, i, &leaves[i], &err));
  joined = call("cat", "", ARGS(td_value_tensors(leaves, 2), td_value_int(1)));
  expect_shape(joined, TD_SHAPE(2, 5));
  td_tensor_release(joined), td_tensor_release(leaves[0]), td_tensor_release(leaves[1]);
  td_tensor_list_release(list), td_keys_release(keys);
  td_tensor_release(condition), td_tensor_release(rows);
  td_op_release(where), td_dict_release(x);
}

LeaklessTest(dict_methods, of_three_operands_and_with_keywords) {
  td_dict *x = sample(TD_DTYPE_FLOAT32), *y = sample(TD_DTYPE_FLOAT32), *z = sample(TD_DTYPE_FLOAT32), *out;
  const td_value three[] = {td_value_dict(x), td_value_dict(y), td_value_dict(z)};
  static const char *const names[] = {"lerp", "addcmul", "addcdiv", "clamp"};
  for (int i = 0; i < 4; ++i) {
    expect_leaf_by_leaf(names[i], names[i], three, 3, 0);
    expect_in_place(names[i], three, 3);
  }
  const td_value bounded[] = {td_value_dict(x), td_value_double(0.2), td_value_double(0.6)};
  expect_leaf_by_leaf("clamp", "clamp", bounded, 3, 0);
  expect_in_place("clamp", bounded, 3);
  const td_value weighted[] = {td_value_dict(x), td_value_dict(y), td_value_double(0.5)};
  expect_leaf_by_leaf("lerp", "lerp", weighted, 3, 0);

  td_op *op = operator_named("sub", NULL);
  const td_named_value alpha[] = {{TD_STR("alpha"), td_value_int(3)}};
  must(td_dict_pointwise(op, three, 2, alpha, 1, NULL, &out, &err));
  td_tensor *a = get(x, TD_KEY("a")), *result = get(out, TD_KEY("a"));
  td_tensor *expected = call("mul", "Scalar", ARGS(td_value_tensor(a), td_value_double(-2)));
  td_tensor *close = call("isclose", "", ARGS(td_value_tensor(result), td_value_tensor(expected)));
  expect_values(close, VALUES(1, 1, 1, 1, 1, 1));
  td_tensor_release(a), td_tensor_release(result), td_tensor_release(expected), td_tensor_release(close);
  td_dict_release(out);
  td_op_release(op);

  td_pointwise_options options = TD_POINTWISE_OPTIONS_INIT; /* default="intersection" */
  options.missing = TD_MISSING_SKIP;
  must(td_dict_unlock_(y, &err));
  must(td_dict_remove(y, TD_KEY("a"), &err));
  static const char *const binary[] = {"add", "sub", "mul", "div", "pow", "maximum", "minimum", "clamp_min"};
  for (int i = 0; i < 8; ++i) {
    op = operator_named(binary[i], NULL);
    must(td_dict_pointwise(op, three, 2, NULL, 0, &options, &out, &err));
    check(kind_at(out, TD_KEY("a")) == TD_ENTRY_NONE && kind_at(out, TD_KEY("n", "b")) == TD_ENTRY_TENSOR);
    td_dict_release(out);
    td_op_release(op);
  }
  td_dict_release(x), td_dict_release(y), td_dict_release(z);
}

/* Methods that keep the elements and say something else about them. */
LeaklessTest(dict_methods, that_reinterpret_memory) {
  td_dict *td = new_dict(TD_SHAPE(2)), *out = NULL;
  put(td, TD_KEY("a"), range_f32(TD_SHAPE(2, 4)));
  put(td, TD_KEY("n", "b"), counted(TD_DTYPE_INT64, TD_SHAPE(2, 1)));
  td_op *view = operator_named("view", "dtype"), *data = operator_named("data", NULL);
  const td_value args[] = {td_value_dict(td), td_value_dtype(TD_DTYPE_INT16)};
  must(td_dict_apply_op(view, args, 2, NULL, 0, &out, 1, &err));
  td_tensor *a = get(out, TD_KEY("a")), *b = get(out, TD_KEY("n", "b"));
  expect_shape(a, TD_SHAPE(2, 8));
  expect_shape(b, TD_SHAPE(2, 4));
  check(td_tensor_dtype(a) == TD_DTYPE_INT16 && same_memory(td, TD_KEY("a"), out, TD_KEY("a")));
  td_tensor_release(a), td_tensor_release(b), td_dict_release(out);

  out = NULL;
  put(td, TD_KEY("n", "c"), counted(TD_DTYPE_INT16, TD_SHAPE(2))); /* it has no dim for the parts of an element */
  const td_value narrow[] = {td_value_dict(td), td_value_dtype(TD_DTYPE_INT8)};
  expect_error(td_dict_apply_op(view, narrow, 2, NULL, 0, &out, 1, &err), TD_ERR_SHAPE, "(\"n\", \"c\")", "[4]");
  check(out == NULL);
  must(td_dict_remove(td, TD_KEY("n"), &err));

  must(td_dict_requires_grad_(td, 1, &err));
  must(td_dict_lock_(td, &err));
  must(td_dict_pointwise(data, args, 1, NULL, 0, NULL, &out, &err));
  check(!td_dict_requires_grad(out) && td_dict_requires_grad(td) && td_dict_is_locked(out));
  check(same_memory(td, TD_KEY("a"), out, TD_KEY("a")));
  td_dict_release(out);

  td_op *to = operator_named("to", "device"); /* non_blocking says nothing on the CPU */
  const td_value moved[] = {td_value_dict(td), td_value_str(TD_STR("cpu")), td_value_dtype(TD_DTYPE_FLOAT64),
                            td_value_bool(1)};
  must(td_dict_apply_op(to, moved, 4, NULL, 0, &out, 1, &err));
  a = get(out, TD_KEY("a"));
  check(td_tensor_dtype(a) == TD_DTYPE_FLOAT64);
  td_tensor_release(a), td_op_release(to);
  td_op_release(view), td_op_release(data);
  td_dict_release(out), td_dict_release(td);
}

/* float(), half(), bool(), type(dtype) ... */
LeaklessTest(dict_methods, that_cast_every_leaf) {
  td_dict *x = sample(TD_DTYPE_FLOAT32), *out;
  for (td_dtype dtype = TD_DTYPE_BOOL; dtype <= TD_DTYPE_COMPLEX128; ++dtype) {
    if (dtype >= TD_DTYPE_UINT16 && dtype <= TD_DTYPE_UINT64 && !td_has_feature(TD_STR("uint16"))) continue;
    must(td_dict_to(x, dtype, TD_NO_STR, &out, &err));
    expect_like_sample("to", out, 0, TD_ENTRY_DATA);
    for (int leaf = 0; leaf < 2; ++leaf) {
      td_tensor *t = get(out, leaf_keys[leaf]);
      check(td_tensor_dtype(t) == dtype);
      td_tensor_release(t);
    }
    td_dict_release(out);
  }
  td_dict_release(x);
}
