#include "nn_support.h"

TestSuite(module, .init = count_live, .fini = check_live);

/* A linear layer whose numbers are known: y = x * [[1, 2, 3], [4, 5, 6]]^T + [10, 20]. */
static td_module *known_linear(void) {
  td_module *m = module("td.linear", "{\"in_features\": 3, \"out_features\": 2}", 0);
  td_dict *state;
  ok(td_dict_from_module(m, &state, &err));
  copy_into(state, TD_KEY("weight"), floats((const float[]){1, 2, 3, 4, 5, 6}, TD_SHAPE(2, 3)));
  copy_into(state, TD_KEY("bias"), VEC(10, 20));
  td_dict_release(state);
  return m;
}

/* ---- Functions of the caller */
typedef struct function {
  td_status status; /* what it returns */
  int writes, destroyed;
  double value; /* every output is the sum of the inputs, plus value, plus its index */
} function;

static td_status run_function(void *userdata, td_tensor *const *inputs, size_t n_inputs, td_tensor **outputs,
                              size_t n_outputs, td_error **error) {
  const function *f = userdata;
  if (f->status != TD_OK) {
    *error = td_error_new(f->status, TD_STR("refused on purpose"));
    return f->status;
  }
  for (size_t i = 0; i < n_outputs && f->writes; ++i) {
    td_tensor *sum;
    td_status s = td_tensor_full(TD_SHAPE(1), f->value + (double)i, TD_FLOAT32, TD_NO_STR, &sum, error);
    if (s != TD_OK) return s;
    for (size_t j = 0; j < n_inputs; ++j) {
      td_tensor *next = apply("add", sum, inputs[j]);
      td_tensor_release(sum);
      sum = next;
    }
    outputs[i] = sum;
  }
  return TD_OK;
}

static void destroy_function(void *userdata) {
  ((function *)userdata)->destroyed++;
}

static td_module *function_module(function *f) {
  td_module *m;
  ok(td_module_from_function((td_module_function){run_function, f, destroy_function}, &m, &err));
  return m;
}

/* ---- One module */
Test(module, calls_on_tensors_and_on_dicts_give_the_same_numbers) {
  td_module *linear = known_linear(), *policy;
  td_tensor *x = floats((const float[]){1, 0, 0, 0, 1, 1}, TD_SHAPE(2, 3)), *y;
  ok(td_module_call(linear, &x, 1, &y, 1, &err));
  EXPECT(y, 11, 24, 15, 31);
  cr_assert(td_tensor_requires_grad(y));

  ok(td_module_tensordict(linear, TD_KEY("n", "x"), 1, TD_KEY("n", "y"), 1, &policy, &err));
  td_dict *td = dict(TD_SHAPE(2));
  ok(td_dict_set(td, TD_KEY("n", "x"), x, &err));
  ok(td_module_forward(policy, td, &err));
  expect_equal(peek(td, TD_KEY("n", "y")), y, 0, "outputs");

  td_tensor *again;
  ok(td_module_call(policy, &x, 1, &again, 1, &err));
  expect_equal(again, y, 0, "outputs by keys");
  td_tensor_release(again);

  fails(td_module_forward(linear, td, &err), TD_ERR_ARGUMENT, "has no keys");
  td_tensor *two[2];
  fails(td_module_call(policy, &x, 1, two, 2, &err), TD_ERR_ARGUMENT, "1 outputs, got 2");
  fails(td_module_call(policy, NULL, 0, two, 1, &err), TD_ERR_ARGUMENT, "1 inputs, got 0");
  fails(td_module_call(linear, &x, 1, two, 2, &err), TD_ERR_ARGUMENT, "td.linear");
  td_tensor *none = NULL;
  fails(td_module_call(linear, &none, 1, two, 1, &err), TD_ERR_ARGUMENT, "NULL");
  td_tensor_release(x);
  td_tensor_release(y);
  td_dict_release(td);
  td_module_release(policy);
  td_module_release(linear);
}

Test(module, keys_are_read_in_order_dropped_and_checked_before_writing) {
  function f = {.writes = 1, .value = 100};
  td_module *fn = function_module(&f), *keyed_fn;
  td_key in[] = {*TD_KEY("a"), *TD_KEY("n", "b")},
         out[] = {*TD_KEY("_"), *TD_KEY("c"), *TD_KEY("m", "d"), *TD_KEY("c")};
  ok(td_module_tensordict(fn, in, 2, out, 4, &keyed_fn, &err));
  td_module_release(fn);

  td_dict *td = dict(TD_SHAPE(1));
  put(td, TD_KEY("a"), VEC(1));
  fails(td_module_forward(keyed_fn, td, &err), TD_ERR_KEY, "(\"n\", \"b\")");
  put(td, TD_KEY("n", "b"), VEC(2));
  ok(td_module_forward(keyed_fn, td, &err));
  EXPECT(peek(td, TD_KEY("c")), 106); /* the last of two outputs of one name */
  EXPECT(peek(td, TD_KEY("m", "d")), 105);
  td_entry_kind kind;
  ok(td_dict_has(td, TD_KEY("_"), &kind, &err));
  cr_assert_eq(kind, TD_ENTRY_NONE);
  td_tensor *inputs[] = {peek(td, TD_KEY("a")), peek(td, TD_KEY("a"))}, *outputs[4];
  fails(td_module_call(keyed_fn, inputs, 2, outputs, 4, &err), TD_ERR_KEY, "\"_\"");

  ok(td_dict_lock(td, &err));
  fails(td_module_forward(keyed_fn, td, &err), TD_ERR_LOCKED, "\"c\"");
  ok(td_dict_unlock(td, &err));
  ok(td_dict_delete(td, TD_KEY("c"), &err));
  ok(td_dict_delete(td, TD_KEY("m"), &err));
  put(td, TD_KEY("m"), VEC(0));
  fails(td_module_forward(keyed_fn, td, &err), TD_ERR_KEY, "(\"m\", \"d\")");
  ok(td_dict_has(td, TD_KEY("c"), &kind, &err));
  cr_assert_eq(kind, TD_ENTRY_NONE, "an output was written before another was refused");
  td_dict_release(td);

  td = dict(TD_SHAPE(3)); /* the function's results are not of this batch size */
  put(td, TD_KEY("a"), VEC(1, 2, 3));
  put(td, TD_KEY("n", "b"), VEC(1, 2, 3));
  ok(td_module_forward(keyed_fn, td, &err));
  EXPECT(peek(td, TD_KEY("c")), 105, 107, 109);
  td_dict_release(td);
  td_module_release(keyed_fn);
  cr_assert_eq(f.destroyed, 1);
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
    td_status s = td_module_create(TD_STR("test.broken"), TD_STR(cases[i].config), NULL, &m, &err);
    if (cases[i].create != TD_OK) {
      fails(s, cases[i].create, cases[i].message);
      continue;
    }
    ok(s);
    fails(td_module_call(m, &x, 1, &y, 1, &err), cases[i].call, cases[i].message);
    td_module_release(m);
  }
  td_module *m;
  fails(td_module_create(TD_STR("test.nothing"), TD_NO_STR, NULL, &m, &err), TD_ERR_NOT_FOUND, "test.scale");
  fails(td_module_create(TD_STR("test.scale"), TD_NO_STR, NULL, NULL, &err), TD_ERR_ARGUMENT, "NULL");
  td_tensor_release(x);
}

Test(module, training_mode_reaches_children) {
  td_module *a = keyed(module("test.scale", "{}", 0), "x", "y"), *seq;
  ok(td_module_sequential(&a, 1, &seq, &err));
  td_module_release(a);
  td_tensor *x = VEC(1, 2, 3), *y;
  static const struct {
    td_bool training;
    double y[3];
  } cases[] = {{1, {3, 5, 7}}, {0, {2, 4, 6}}, {1, {3, 5, 7}}};
  for (size_t i = 0; i < 3; ++i) {
    ok(td_module_train(seq, cases[i].training, &err));
    ok(td_module_call(seq, &x, 1, &y, 1, &err));
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
    fails(td_module_call(m, &x, 1, &y, 1, &err), TD_ERR_CALLBACK, cases[i].message);
    td_tensor_release(x);
    ok(td_module_tensordict(m, TD_KEY("x"), 1, TD_KEY("y"), 1, &k, &err));
    td_module_release(m);
    cr_assert_eq(f.destroyed, 0, "the module with keys still needs it");
    td_module_release(k);
    cr_assert_eq(f.destroyed, 1);
  }

  function f = {.writes = 1};
  td_module *m;
  fails(td_module_from_function((td_module_function){NULL, &f, destroy_function}, &m, &err), TD_ERR_ARGUMENT, "fn");
  cr_assert_eq(f.destroyed, 1);
  fails(td_module_from_function((td_module_function){run_function, &f, destroy_function}, NULL, &err), TD_ERR_ARGUMENT,
        "NULL");
  cr_assert_eq(f.destroyed, 2);
  ok(td_module_from_function((td_module_function){run_function, &f, NULL}, &m, &err));
  td_module_release(m);
}

/* ---- Sequences */
typedef struct keys {
  size_t n;
  const char *key[4][2]; /* one or two parts */
} keys;

static void fill_keys(const keys *from, td_key *out, td_str parts[4][2]) {
  for (size_t i = 0; i < from->n; ++i) {
    size_t n = from->key[i][1] ? 2 : 1;
    for (size_t j = 0; j < n; ++j) parts[i][j] = TD_STR(from->key[i][j]);
    out[i] = (td_key){parts[i], n};
  }
}

/* The vectors seq_keys.* that stock Python gave. A sequence called on tensors shows its keys: it takes one tensor for
 * each in_key and gives one for each out_key; member i produces 100 * (i + 1). */
Test(module, a_sequence_reads_first_and_produces_last) {
  static const struct {
    size_t n;
    keys in[3], out[3];
    size_t n_in, n_out;
    double produced[4];
  } cases[] = {
      {2, {{1, {{"a"}}}, {1, {{"b"}}}}, {{1, {{"b"}}}, {1, {{"c"}}}}, 1, 2, {100, 300}},
      {3, {{1, {{"a"}}}, {1, {{"a"}}}, {1, {{"a"}}}}, {{1, {{"b"}}}, {1, {{"c"}}}, {1, {{"b"}}}}, 1, 2, {200, 300}},
      {3,
       {{2, {{"key1"}, {"key2"}}}, {2, {{"key1"}, {"key3"}}}, {2, {{"foo1"}, {"key3"}}}},
       {{1, {{"foo1"}}}, {1, {{"key1"}}}, {1, {{"key2"}}}},
       3,
       3,
       {100, 200, 400}},
      {2, {{1, {{"a"}}}, {1, {{"q"}}}}, {{1, {{"n", "b"}}}, {1, {{"c"}}}}, 2, 2, {100, 200}},
      {0, {{0, {{0}}}}, {{0, {{0}}}}, 0, 0, {0}},
  };
  for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
    function f[3];
    td_module *members[3], *seq;
    for (size_t i = 0; i < cases[c].n; ++i) {
      f[i] = (function){.writes = 1, .value = 100.0 * (double)(i + 1)};
      td_module *fn = function_module(&f[i]);
      td_str in_parts[4][2], out_parts[4][2];
      td_key in[4], out[4];
      fill_keys(&cases[c].in[i], in, in_parts);
      fill_keys(&cases[c].out[i], out, out_parts);
      ok(td_module_tensordict(fn, in, cases[c].in[i].n, out, cases[c].out[i].n, &members[i], &err));
      td_module_release(fn);
    }
    ok(td_module_sequential(members, cases[c].n, &seq, &err));
    td_tensor *zero = VEC(0), *inputs[] = {zero, zero, zero}, *outputs[4];
    ok(td_module_call(seq, inputs, cases[c].n_in, outputs, cases[c].n_out, &err));
    for (size_t i = 0; i < cases[c].n_out; ++i) {
      cr_assert_eq(at(outputs[i], 0), cases[c].produced[i], "case %d, output %d is %g", (int)c, (int)i,
                   at(outputs[i], 0));
      td_tensor_release(outputs[i]);
    }
    fails(td_module_call(seq, inputs, cases[c].n_in + 1, outputs, cases[c].n_out, &err), TD_ERR_ARGUMENT, "inputs");
    td_tensor_release(zero);
    for (size_t i = 0; i < cases[c].n; ++i) td_module_release(members[i]);
    td_module_release(seq);
  }
}

Test(module, a_failing_member_is_named_and_earlier_results_stay) {
  function good = {.writes = 1, .value = 1}, bad = {.status = TD_ERR_IO};
  td_module *members[] = {keyed(function_module(&good), "x", "y"), keyed(function_module(&bad), "y", "z")}, *seq,
            *outer;
  ok(td_module_sequential(members, 2, &seq, &err));
  ok(td_module_sequential(&seq, 1, &outer, &err));
  td_dict *td = dict(TD_NO_DIMS);
  put(td, TD_KEY("x"), VEC(1));
  fails(td_module_forward(outer, td, &err), TD_ERR_CALLBACK, "module 0: module 1: refused on purpose");
  EXPECT(peek(td, TD_KEY("y")), 2);
  td_dict_release(td);

  td_module *plain = known_linear(), *mixed[] = {members[0], plain}, *none[] = {NULL}, *result;
  fails(td_module_sequential(mixed, 2, &result, &err), TD_ERR_ARGUMENT, "module 1 has no keys");
  fails(td_module_sequential(none, 1, &result, &err), TD_ERR_ARGUMENT, "NULL");
  fails(td_module_sequential(NULL, 1, &result, &err), TD_ERR_ARGUMENT, "NULL");
  td_module_release(plain);
  td_module_release(members[0]);
  td_module_release(members[1]);
  td_module_release(seq);
  td_module_release(outer);
}

/* ---- State */
static void expect_leaves(const td_dict *state, const char *const *names, size_t n) {
  td_keys *list;
  ok(td_dict_keys(state, TD_KEYS_NESTED | TD_KEYS_LEAVES, &list, &err));
  cr_assert_eq(td_keys_size(list), n);
  for (size_t i = 0; i < n; ++i) {
    td_key key;
    char dotted[100] = "";
    ok(td_keys_get(list, i, &key, &err));
    for (size_t j = 0; j < key.n; ++j) {
      if (j) strcat(dotted, ".");
      strncat(dotted, key.parts[j].data, key.parts[j].size);
    }
    cr_assert_str_eq(dotted, names[i]);
  }
  td_keys_release(list);
}

/* scale, then a function without state, then linear. */
static td_module *small_sequence(void) {
  static function f;
  f = (function){.writes = 1};
  td_module *members[] = {keyed(module("test.scale", "{}", 0), "x", "h"), keyed(function_module(&f), "h", "h"),
                          keyed(known_linear(), "h", "y")},
            *seq;
  ok(td_module_sequential(members, 3, &seq, &err));
  for (size_t i = 0; i < 3; ++i) td_module_release(members[i]);
  return seq;
}

Test(module, the_state_mirrors_the_tree_and_is_the_modules_own) {
  static const char *const names[] = {"module.0.module.shift", "module.0.module.deep.scale",
                                      "module.0.module.deep.count", "module.2.module.weight", "module.2.module.bias"};
  td_module *seq = small_sequence();
  td_dict *state, *again;
  ok(td_dict_from_module(seq, &state, &err));
  expect_leaves(state, names, 5);
  cr_assert_eq(td_dict_batch_size(state, NULL, 0), 0u);
  td_tensor *scale = peek(state, TD_KEY("module", "0", "module", "deep", "scale"));
  cr_assert(td_tensor_requires_grad(scale));
  cr_assert_not(td_tensor_requires_grad(peek(state, TD_KEY("module", "0", "module", "shift"))));
  cr_assert_eq(td_tensor_dtype(peek(state, TD_KEY("module", "0", "module", "deep", "count"))), TD_INT64);
  ok(td_dict_from_module(seq, &again, &err));
  cr_assert_eq(peek(again, TD_KEY("module", "0", "module", "deep", "scale")), scale, "the very tensor");
  td_dict_release(again);

  /* A gradient arrives at the module's own tensors. */
  td_tensor *sum, *grad;
  td_dict *td = dict(TD_NO_DIMS);
  put(td, TD_KEY("x"), VEC(1, 1, 1));
  ok(td_module_forward(seq, td, &err));
  EXPECT(peek(td, TD_KEY("y")), 3 * 6 + 10, 3 * 15 + 20);
  sum = apply("sum", peek(td, TD_KEY("y")), NULL);
  ok(td_tensor_backward(sum, NULL, 0, &err));
  ok(td_tensor_grad(scale, &grad, &err));
  EXPECT(grad, 5, 7, 9);
  td_tensor_release(grad);
  td_tensor_release(sum);
  td_dict_release(td);
  td_dict_release(state);
  td_module_release(seq);
}

Test(module, a_given_state_replaces_what_it_has_for_one_call) {
  td_module *seq = small_sequence();
  td_dict *td = dict(TD_NO_DIMS), *state = dict(TD_NO_DIMS);
  put(td, TD_KEY("x"), VEC(1, 1, 1));
  put(state, TD_KEY("module", "0", "module", "deep", "scale"), VEC(0, 0, 0));
  ok(td_module_forward_with(seq, state, td, &err));
  EXPECT(peek(td, TD_KEY("y")), 1 * 6 + 10, 1 * 15 + 20);
  ok(td_module_forward(seq, td, &err));
  EXPECT(peek(td, TD_KEY("y")), 3 * 6 + 10, 3 * 15 + 20);

  /* A failing call leaves the module as it was, too. */
  put(state, TD_KEY("module", "2", "module", "weight"), floats((const float[]){1, 2, 3, 4}, TD_SHAPE(2, 2)));
  fails(td_module_forward_with(seq, state, td, &err), TD_ERR_SHAPE, "module 2");
  ok(td_module_forward(seq, td, &err));
  EXPECT(peek(td, TD_KEY("y")), 3 * 6 + 10, 3 * 15 + 20);

  put(state, TD_KEY("module", "1", "nothing"), VEC(1));
  fails(td_module_forward_with(seq, state, td, &err), TD_ERR_KEY, "(\"module\", \"1\", \"nothing\")");
  td_dict_release(state);
  state = dict(TD_NO_DIMS); /* a tensor where the module has a child */
  put(state, TD_KEY("module", "0"), VEC(1));
  fails(td_module_forward_with(seq, state, td, &err), TD_ERR_KEY, "(\"module\", \"0\")");
  td_dict_release(state);
  td_dict_release(td);
  td_module_release(seq);
}

Test(module, stacked_states_are_new_leaves_that_train_like_the_first) {
  td_module *members[] = {module("test.scale", "{\"shift\": 1}", 0), module("test.scale", "{\"shift\": 2}", 0)};
  td_dict *states, *own;
  ok(td_dict_from_modules(members, 2, &states, &err));
  int64_t n = 0;
  cr_assert_eq(td_dict_batch_size(states, &n, 1), 1u);
  cr_assert_eq(n, 2);
  td_tensor *scale = peek(states, TD_KEY("deep", "scale")), *count = peek(states, TD_KEY("deep", "count"));
  expect_shape(scale, TD_SHAPE(2, 3));
  expect_shape(count, TD_SHAPE(2));
  EXPECT(count, 7, 7);
  EXPECT(peek(states, TD_KEY("shift")), 1, 1, 1, 2, 2, 2);
  cr_assert_eq(td_tensor_dtype(count), TD_INT64);
  cr_assert(td_tensor_requires_grad(scale));
  cr_assert_not(td_tensor_requires_grad(peek(states, TD_KEY("shift"))));

  copy_into(states, TD_KEY("deep", "scale"), floats((const float[]){0, 0, 0, 0, 0, 0}, TD_SHAPE(2, 3)));
  ok(td_dict_from_module(members[0], &own, &err));
  EXPECT(peek(own, TD_KEY("deep", "scale")), 2, 2, 2);
  td_dict_release(own);
  td_dict_release(states);

  static const struct {
    const char *a, *b;
    td_status status;
    const char *message;
  } cases[] = {{"{\"in_features\": 3, \"out_features\": 2}", "{\"in_features\": 3, \"out_features\": 4}", TD_ERR_SHAPE,
                "\"weight\""},
               {"{\"in_features\": 3, \"out_features\": 2}",
                "{\"in_features\": 3, \"out_features\": 2, \"bias\": false}", TD_ERR_KEY, "\"bias\""},
               {"{\"in_features\": 3, \"out_features\": 2, \"bias\": false}",
                "{\"in_features\": 3, \"out_features\": 2}", TD_ERR_KEY, "\"bias\""}};
  for (size_t i = 0; i < 3; ++i) {
    td_module *differ[] = {module("td.linear", cases[i].a, 0), module("td.linear", cases[i].b, 0)};
    fails(td_dict_from_modules(differ, 2, &states, &err), cases[i].status, cases[i].message);
    td_module_release(differ[0]);
    td_module_release(differ[1]);
  }
  fails(td_dict_from_modules(members, 0, &states, &err), TD_ERR_ARGUMENT, "no modules");
  td_module_release(members[0]);
  td_module_release(members[1]);
}
