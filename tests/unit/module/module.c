#include "support/nn_support.h"

TestSuite(module, .init = count_live, .fini = check_live);

Test(module, calls_on_tensors_and_on_dicts_give_the_same_numbers) {
  td_module *linear = known_linear(), *policy;
  td_tensor *x = floats((const float[]){1, 0, 0, 0, 1, 1}, TD_SHAPE(2, 3)), *y;
  must(td_module_call(linear, &x, 1, &y, 1, &err));
  EXPECT(y, 11, 24, 15, 31);
  cr_assert(td_tensor_requires_grad(y));

  must(td_module_tensordict(linear, TD_KEY("n", "x"), 1, TD_KEY("n", "y"), 1, NULL, &policy, &err));
  td_dict *td = dict(TD_SHAPE(2));
  must(td_dict_set(td, TD_KEY("n", "x"), x, &err));
  must(td_module_forward(policy, td, &err));
  expect_equal(peek(td, TD_KEY("n", "y")), y, 0, "outputs");

  td_tensor *again;
  must(td_module_call(policy, &x, 1, &again, 1, &err));
  expect_equal(again, y, 0, "outputs by keys");
  td_tensor_release(again);

  expect_error(td_module_forward(linear, td, &err), TD_ERR_ARGUMENT, NULL, "has no keys");
  td_tensor *two[2];
  expect_error(td_module_call(policy, &x, 1, two, 2, &err), TD_ERR_ARGUMENT, NULL, "1 outputs, got 2");
  expect_error(td_module_call(policy, NULL, 0, two, 1, &err), TD_ERR_ARGUMENT, NULL, "1 inputs, got 0");
  expect_error(td_module_call(linear, &x, 1, two, 2, &err), TD_ERR_ARGUMENT, NULL, "td.linear");
  td_tensor *none = NULL;
  expect_error(td_module_call(linear, &none, 1, two, 1, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  td_tensor_release(x);
  td_tensor_release(y);
  td_dict_release(td);
  td_module_release(policy);
  td_module_release(linear);
}

/* "a" and ("n", "b") to four outputs: the first is dropped, and two have one name. */
static td_module *four_outputs(function *f) {
  td_module *fn = function_module(f), *m;
  td_key in[] = {*TD_KEY("a"), *TD_KEY("n", "b")},
         out[] = {*TD_KEY("_"), *TD_KEY("c"), *TD_KEY("m", "d"), *TD_KEY("c")};
  must(td_module_tensordict(fn, in, 2, out, 4, &strict_keys, &m, &err));
  td_module_release(fn);
  return m;
}

Test(module, keys_are_read_in_order_and_dropped) {
  function f = {.writes = 1, .value = 100};
  td_module *keyed_fn = four_outputs(&f);
  td_dict *td = dict(TD_SHAPE(1));
  put(td, TD_KEY("a"), VEC(1));
  expect_error(td_module_forward(keyed_fn, td, &err), TD_ERR_KEY, NULL, "(\"n\", \"b\")");
  put(td, TD_KEY("n", "b"), VEC(2));
  must(td_module_forward(keyed_fn, td, &err));
  EXPECT(peek(td, TD_KEY("c")), 106); /* the last of two outputs of one name */
  EXPECT(peek(td, TD_KEY("m", "d")), 105);
  td_entry_kind kind;
  must(td_dict_entry_kind(td, TD_KEY("_"), &kind, &err));
  cr_assert_eq(kind, TD_ENTRY_NONE);
  td_tensor *inputs[] = {peek(td, TD_KEY("a")), peek(td, TD_KEY("a"))}, *outputs[4];
  expect_error(td_module_call(keyed_fn, inputs, 2, outputs, 4, &err), TD_ERR_KEY, NULL, "\"_\"");
  td_dict_release(td);
  td_module_release(keyed_fn);
  cr_assert_eq(f.destroyed, 1);
}

Test(module, all_out_keys_are_checked_before_anything_is_written) {
  function f = {.writes = 1, .value = 100};
  td_module *keyed_fn = four_outputs(&f);
  td_dict *td = dict(TD_SHAPE(1));
  put(td, TD_KEY("a"), VEC(1));
  put(td, TD_KEY("n", "b"), VEC(2));
  must(td_module_forward(keyed_fn, td, &err));
  must(td_dict_lock_(td, &err));
  expect_error(td_module_forward(keyed_fn, td, &err), TD_ERR_LOCKED, NULL, "\"c\"");
  must(td_dict_unlock_(td, &err));
  must(td_dict_remove(td, TD_KEY("c"), &err));
  must(td_dict_remove(td, TD_KEY("m"), &err));
  put(td, TD_KEY("m"), VEC(0));
  expect_error(td_module_forward(keyed_fn, td, &err), TD_ERR_KEY, NULL, "(\"m\", \"d\")");
  td_entry_kind kind;
  must(td_dict_entry_kind(td, TD_KEY("c"), &kind, &err));
  cr_assert_eq(kind, TD_ENTRY_NONE, "an output was written before another was refused");
  td_dict_release(td);
  td_module_release(keyed_fn);
}

Test(module, a_batch_goes_through_a_function_at_once) {
  function f = {.writes = 1, .value = 100};
  td_module *keyed_fn = four_outputs(&f);
  td_dict *td = dict(TD_SHAPE(3));
  put(td, TD_KEY("a"), VEC(1, 2, 3));
  put(td, TD_KEY("n", "b"), VEC(1, 2, 3));
  must(td_module_forward(keyed_fn, td, &err));
  EXPECT(peek(td, TD_KEY("c")), 105, 107, 109);
  td_dict_release(td);
  td_module_release(keyed_fn);
}

Test(module, types_that_break_the_contract_are_named) {
  static const struct {
    const char *config;
    td_status create, call;
    const char *message;
  } cases[] = {
      {"{\"how\": \"declare twice\"}", TD_ERR_ARGUMENT, 0, "\"w\""},
      {"{\"how\": \"declare through\"}", TD_ERR_ARGUMENT, 0, "(\"w\", \"x\")"},
      {"{\"how\": \"fine\", \"misspelt\": 1}", TD_ERR_ARGUMENT, 0, "misspelt"},
      {"{\"how\": 1}", TD_ERR_ARGUMENT, 0, "how"},
      {"{", TD_ERR_ARGUMENT, 0, ""},
      {"{\"how\": \"no output\"}", TD_OK, TD_ERR_PLUGIN, "test.broken"},
      {"{\"how\": \"no such status\"}", TD_OK, TD_ERR_PLUGIN, "test.broken"},
      {"{\"how\": \"error\"}", TD_OK, TD_ERR_SHAPE, "broken on purpose"},
  };
  td_tensor *x = VEC(1), *y;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    td_module *m;
    td_status s = td_module_new(TD_STR("test.broken"), TD_STR(cases[i].config), NULL, &m, &err);
    if (cases[i].create != TD_OK) {
      expect_error(s, cases[i].create, NULL, cases[i].message);
      continue;
    }
    must(s);
    expect_error(td_module_call(m, &x, 1, &y, 1, &err), cases[i].call, NULL, cases[i].message);
    td_module_release(m);
  }
  td_module *m;
  expect_error(td_module_new(TD_STR("test.nothing"), TD_NO_STR, NULL, &m, &err), TD_ERR_NOT_FOUND, NULL, "test.scale");
  expect_error(td_module_new(TD_STR("test.scale"), TD_NO_STR, NULL, NULL, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  td_tensor_release(x);
}

Test(module, training_mode_reaches_children) {
  td_module *a = keyed(module("test.scale", "{}", 0), "x", "y"), *seq;
  must(td_module_sequential(&a, 1, NULL, &seq, &err));
  td_module_release(a);
  td_tensor *x = VEC(1, 2, 3), *y;
  static const struct {
    td_bool training;
    double y[3];
  } cases[] = {{1, {3, 5, 7}}, {0, {2, 4, 6}}, {1, {3, 5, 7}}};
  for (size_t i = 0; i < 3; ++i) {
    must(td_module_train(seq, cases[i].training, &err));
    must(td_module_call(seq, &x, 1, &y, 1, &err));
    expect(y, cases[i].y, 3, 0, "y");
    td_tensor_release(y);
  }
  td_tensor_release(x);
  td_module_release(seq);
}

/* ---- Functions of the caller */
Test(module, functions_that_fail_are_callback_errors_and_are_destroyed_once) {
  static const struct {
    function f;
    const char *message;
  } cases[] = {{{.status = TD_ERR_SHAPE, .writes = 1}, "refused on purpose"},
               {{.status = TD_OK, .writes = 0}, "left an output NULL"}};
  for (size_t i = 0; i < 2; ++i) {
    function f = cases[i].f;
    td_module *m = function_module(&f), *k = NULL;
    td_tensor *x = VEC(1), *y;
    expect_error(td_module_call(m, &x, 1, &y, 1, &err), TD_ERR_CALLBACK, NULL, cases[i].message);
    td_tensor_release(x);
    must(td_module_tensordict(m, TD_KEY("x"), 1, TD_KEY("y"), 1, NULL, &k, &err));
    td_module_release(m);
    cr_assert_eq(f.destroyed, 0, "the module with keys still needs it");
    td_module_release(k);
    cr_assert_eq(f.destroyed, 1);
  }

  function f = {.writes = 1};
  td_module *m;
  expect_error(td_module_from_function(TD_CALLBACKS(td_module_function, NULL, &f, destroy_function), &m, &err),
               TD_ERR_ARGUMENT, NULL, "fn");
  cr_assert_eq(f.destroyed, 1);
  expect_error(
      td_module_from_function(TD_CALLBACKS(td_module_function, run_function, &f, destroy_function), NULL, &err),
      TD_ERR_ARGUMENT, NULL, "NULL");
  cr_assert_eq(f.destroyed, 2);
  must(td_module_from_function(TD_CALLBACKS(td_module_function, run_function, &f, NULL), &m, &err));
  td_module_release(m);
}
