/* Modules that read keys: where values come from and go to, what functions may return, dispatch, and selected out-keys. */
#include "support/nn_support.h"

TestSuite(module_keys, .init = count_live, .fini = check_live);

/* ---- A function of values: what it does is told by its userdata */
typedef struct plan {
  const char *returns; /* "sum", "none", "dict", "number", "text", "two", "fail on none" */
  int calls, destroyed;
  size_t n_args, n_kwargs;
  char kwargs[64];
} plan;

static td_status run_plan(void *userdata, const td_value *args, size_t n_args, const td_named_value *kwargs,
                          size_t n_kwargs, td_value *outs, size_t capacity, size_t *n_outs, td_error **error) {
  plan *p = userdata;
  ++p->calls;
  p->n_args = n_args;
  p->n_kwargs = n_kwargs;
  p->kwargs[0] = '\0';
  for (size_t i = 0; i < n_kwargs; ++i) {
    strncat(p->kwargs, kwargs[i].name.data, kwargs[i].name.size);
    strcat(p->kwargs, kwargs[i].value.kind == TD_VALUE_NONE ? "? " : " ");
  }
  cr_assert_geq(capacity, 2);
  for (size_t i = 0; i < n_args; ++i)
    if (args[i].kind == TD_VALUE_NONE && !strcmp(p->returns, "fail on none")) {
      *error = td_error_new(TD_ERR_ARGUMENT, TD_STR("unsupported operand: None"));
      return TD_ERR_ARGUMENT;
    }
  *n_outs = 1;
  if (!strcmp(p->returns, "none")) {
    *n_outs = 0;
  } else if (!strcmp(p->returns, "number")) {
    outs[0] = td_value_double(2.5);
  } else if (!strcmp(p->returns, "text")) {
    outs[0] = td_value_str((td_str){"hello", 5});
  } else if (!strncmp(p->returns, "dict", 4)) {
    td_dict *d = dict(TD_NO_DIMS);
    put(d, TD_KEY("y"), VEC(1));
    put(d, TD_KEY("z"), VEC(2));
    put(d, TD_KEY("more"), VEC(3));
    outs[0] = td_value_dict(d);
  } else {
    td_tensor *x = n_args ? args[0].as.tensor : n_kwargs ? kwargs[0].value.as.tensor : NULL;
    td_tensor *one = VEC(1);
    outs[0] = td_value_tensor(apply("add", x ? x : one, one));
    if (!strcmp(p->returns, "two")) outs[(*n_outs)++] = td_value_tensor(apply("neg", x ? x : one, NULL));
    td_tensor_release(one);
  }
  return TD_OK;
}

static void destroy_plan(void *userdata) {
  ++((plan *)userdata)->destroyed;
}

static td_module *planned(plan *p, const char *const *in, size_t n_in, const char *const *out, size_t n_out,
                          const td_tensordict_options *options) {
  td_str parts[8];
  td_key keys[8];
  td_module *inner, *m;
  for (size_t i = 0; i < n_in + n_out; ++i) {
    parts[i] = TD_STR(i < n_in ? in[i] : out[i - n_in]);
    keys[i] = (td_key){&parts[i], 1};
  }
  must(td_module_from_values(TD_CALLBACKS(td_values_function, run_plan, p, destroy_plan), &inner, &err));
  must(td_module_tensordict(inner, keys, n_in, keys + n_in, n_out, options, &m, &err));
  td_module_release(inner);
  return m;
}
#define IN(...) ((const char *const[]){__VA_ARGS__}), (sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

static td_dict *run(const td_module *m, td_dict *data) {
  td_dict *out;
  must(td_module_run(m, data, NULL, &out, &err));
  return out;
}

static td_entry_kind kind_of(const td_dict *d, const td_key *key) {
  td_entry_kind kind;
  must(td_dict_entry_kind(d, key, &kind, &err));
  return kind;
}

/* ---- Outputs */
Test(module_keys, what_a_function_returns_becomes_an_entry) {
  static const struct {
    const char *returns;
    td_entry_kind kind; /* of "y" */
    const char *fails;  /* with one out-key */
  } cases[] = {{"sum", TD_ENTRY_TENSOR, NULL}, {"number", TD_ENTRY_TENSOR, NULL},
               {"text", TD_ENTRY_DATA, NULL},  {"dict", TD_ENTRY_TENSOR, NULL}, /* it has "y" */
               {"none", 0, "more out_keys"},   {"two", 0, "more tensors"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    plan p = {.returns = cases[i].returns};
    td_module *m = planned(&p, IN("x"), IN("y"), NULL);
    td_dict *data = dict(TD_NO_DIMS);
    put(data, TD_KEY("x"), VEC(1));
    td_dict *out = NULL;
    if (cases[i].fails) {
      expect_error(td_module_run(m, data, NULL, &out, &err), TD_ERR_ARGUMENT, NULL, cases[i].fails);
      cr_assert_eq(kind_of(data, TD_KEY("y")), TD_ENTRY_NONE);
    } else {
      out = run(m, data);
      cr_assert_eq(out, data, "outputs go into the data");
      cr_assert_eq(kind_of(data, TD_KEY("y")), cases[i].kind, "%s", cases[i].returns);
      cr_assert_eq(kind_of(data, TD_KEY("more")), TD_ENTRY_NONE);
      td_dict_release(out);
    }
    td_dict_release(data);
    td_module_release(m);
    cr_assert_eq(p.destroyed, 1);
  }
}

Test(module_keys, a_dict_is_spread_if_it_has_all_out_keys_and_else_one_value) {
  plan p = {.returns = "dict"};
  td_module *both = planned(&p, IN("x"), IN("z", "y"), NULL), *other = planned(&p, IN("x"), IN("q"), NULL);
  td_dict *data = dict(TD_NO_DIMS);
  td_dict_release(run(both, data));
  EXPECT(peek(data, TD_KEY("z")), 2);
  td_dict_release(run(other, data));
  cr_assert_eq(kind_of(data, TD_KEY("q")), TD_ENTRY_DICT);
  EXPECT(peek(data, TD_KEY("q", "more")), 3);
  td_dict_release(data);
  td_module_release(both);
  td_module_release(other);
}

static const td_inplace modes[] = {TD_INPLACE_NONE, TD_INPLACE_TRUE, TD_INPLACE_FALSE, TD_INPLACE_EMPTY};

static td_module *writing(plan *p, td_inplace inplace) {
  td_tensordict_options options = TD_TENSORDICT_OPTIONS_INIT;
  options.inplace = inplace;
  return planned(p, IN("x"), IN("y"), &options);
}

/* {"x": [1, 2]} along a dim "time". */
static td_dict *two_times(void) {
  td_dict *data = dict(TD_SHAPE(2));
  put(data, TD_KEY("x"), VEC(1, 2));
  const td_str time[] = {TD_STR("time")};
  must(td_dict_set_names(data, time, 1, &err));
  return data;
}

Test(module_keys, outputs_go_where_the_module_was_told) {
  for (size_t i = 0; i < 4; ++i) {
    plan p = {.returns = "sum"};
    td_module *m = writing(&p, modes[i]);
    td_dict *data = two_times(), *out = run(m, data);
    cr_assert_eq(out == data, modes[i] == TD_INPLACE_TRUE);
    cr_assert_eq(kind_of(data, TD_KEY("y")) == TD_ENTRY_TENSOR, modes[i] == TD_INPLACE_TRUE);
    cr_assert_eq(kind_of(out, TD_KEY("x")) == TD_ENTRY_TENSOR, modes[i] == TD_INPLACE_TRUE);
    cr_assert_eq(td_dict_batch_size(out, NULL, 0), modes[i] == TD_INPLACE_TRUE || modes[i] == TD_INPLACE_EMPTY);
    EXPECT(peek(out, TD_KEY("y")), 2, 3);
    if (td_dict_batch_size(out, NULL, 0)) { /* names go with the batch size */
      td_string *name = NULL;
      must(td_dict_name(out, 0, &name, &err));
      cr_assert(name && strcmp(td_string_view(name).data, "time") == 0);
      td_string_release(name);
    }
    td_dict_release(out);
    if (modes[i] != TD_INPLACE_TRUE)
      expect_error(td_module_forward(m, data, &err), TD_ERR_ARGUMENT, NULL, "in a new dict");
    td_dict_release(data);
    td_module_release(m);
  }
}

Test(module_keys, outputs_go_into_a_dict_that_is_given_for_them) {
  for (size_t i = 0; i < 4; ++i) {
    plan p = {.returns = "sum"};
    td_module *m = writing(&p, modes[i]);
    td_dict *data = two_times(), *target = dict(TD_NO_DIMS), *out;
    td_run_options how = TD_RUN_OPTIONS_INIT;
    how.tensordict_out = target;
    put(target, TD_KEY("kept"), VEC(7));
    must(td_module_run(m, data, &how, &out, &err));
    cr_assert_eq(out, target);
    EXPECT(peek(target, TD_KEY("y")), 2, 3);
    EXPECT(peek(target, TD_KEY("kept")), 7);
    td_dict_release(out);
    td_dict_release(target);
    td_dict_release(data);
    td_module_release(m);
  }
}

Test(module_keys, outputs_have_no_other_place) {
  td_tensordict_options bad = TD_TENSORDICT_OPTIONS_INIT;
  bad.inplace = 9;
  plan p = {.returns = "sum"};
  td_module *inner, *m;
  must(td_module_from_values(TD_CALLBACKS(td_values_function, run_plan, &p, destroy_plan), &inner, &err));
  expect_error(td_module_tensordict(inner, TD_KEY("x"), 1, TD_KEY("y"), 1, &bad, &m, &err), TD_ERR_ARGUMENT, NULL,
               "inplace");
  td_module_release(inner);
}

/* ---- Inputs */
Test(module_keys, missing_inputs_are_none_unless_strict) {
  plan p = {.returns = "sum"}, picky = {.returns = "fail on none"};
  td_tensordict_options strict = TD_TENSORDICT_OPTIONS_INIT;
  strict.strict = 1;
  td_module *m = planned(&p, IN("a", "b"), IN("y"), NULL), *s = planned(&p, IN("a", "b"), IN("y"), &strict),
            *f = planned(&picky, IN("a", "b"), IN("y"), NULL);
  td_dict *data = dict(TD_NO_DIMS), *out;
  put(data, TD_KEY("a"), VEC(1));
  td_dict_release(run(m, data));
  EXPECT(peek(data, TD_KEY("y")), 2);
  expect_error(td_module_run(s, data, NULL, &out, &err), TD_ERR_KEY, NULL,
               "not found in TensorDict with keys [\"a\", \"y\"]");
  cr_assert_eq(td_module_run(f, data, NULL, &out, &err), TD_ERR_KEY);
  cr_assert(strstr(td_error_message(err).data, "None") && strstr(td_error_key(err).data, "\"b\""));
  cr_assert_eq(td_error_code(td_error_cause(err)), TD_ERR_CALLBACK);
  td_error_release(err);
  err = NULL;
  td_dict_release(data);
  td_module_release(m);
  td_module_release(s);
  td_module_release(f);
}

static td_status first_that_is_there(void *userdata, td_tensor *const *inputs, size_t n, td_tensor **outputs,
                                     size_t n_outputs, td_error **error) {
  (void)userdata, (void)n_outputs, (void)error;
  for (size_t i = 0; i < n && !outputs[0]; ++i)
    if (inputs[i]) td_tensor_retain(outputs[0] = inputs[i]);
  return TD_OK;
}

Test(module_keys, a_function_over_tensors_gets_null_for_a_missing_input) {
  td_module *inner, *m;
  must(td_module_from_function(TD_CALLBACKS(td_module_function, first_that_is_there, NULL, NULL), &inner, &err));
  const td_key in[] = {*TD_KEY("b"), *TD_KEY("a")};
  must(td_module_tensordict(inner, in, 2, TD_KEY("y"), 1, NULL, &m, &err));
  td_dict *data = dict(TD_NO_DIMS), *out;
  put(data, TD_KEY("a"), VEC(3));
  td_dict_release(run(m, data));
  EXPECT(peek(data, TD_KEY("y")), 3);
  td_dict *none = dict(TD_NO_DIMS);
  expect_error(td_module_run(m, none, NULL, &out, &err), TD_ERR_KEY, NULL, "left an output NULL");
  td_dict_release(data), td_dict_release(none);
  td_module_release(inner), td_module_release(m);
}

Test(module_keys, arguments_may_be_passed_by_name) {
  plan p = {.returns = "sum"};
  td_str names[] = {TD_STR("first"), TD_STR("second"), TD_STR("third")};
  td_tensordict_options options = TD_TENSORDICT_OPTIONS_INIT;
  options.argument_names = names;
  td_module *m = planned(&p, IN("a", "a", "b"), IN("y"), &options), *linear = known_linear(), *wrong;
  td_dict *data = dict(TD_NO_DIMS);
  put(data, TD_KEY("a"), VEC(1)); /* one key feeds two arguments */
  td_dict_release(run(m, data));
  cr_assert_str_eq(p.kwargs, "first second third? ");
  cr_assert_eq(p.n_args, 0);
  EXPECT(peek(data, TD_KEY("y")), 2);
  must(td_module_tensordict(linear, TD_KEY("a"), 1, TD_KEY("y"), 1, &options, &wrong, &err));
  expect_error(td_module_forward(wrong, data, &err), TD_ERR_ARGUMENT, NULL, "unexpected keyword argument 'first'");
  td_dict_release(data);
  td_module_release(wrong);
  td_module_release(linear);
  td_module_release(m);
}

/* ---- Dispatch */
static td_status call_with(const td_module *m, const td_value *args, size_t n, const td_named_value *kwargs,
                           size_t n_kwargs, td_value *outs, size_t *n_outs) {
  return td_module_dispatch(m, args, n, kwargs, n_kwargs, TD_NO_STR, outs, 4, n_outs, &err);
}

Test(module_keys, values_are_dispatched_by_position_and_by_name) {
  function f = {.writes = 1};
  td_module *inner = function_module(&f), *m;
  td_key in[] = {*TD_KEY("a", "c"), *TD_KEY("b")}, out[] = {*TD_KEY("y"), *TD_KEY("n", "z")};
  must(td_module_tensordict(inner, in, 2, out, 2, NULL, &m, &err));
  td_module_release(inner);
  td_tensor *x = VEC(1);
  td_value args[] = {td_value_tensor(x), td_value_double(10), td_value_tensor(x)}, outs[4];
  td_named_value a = {TD_STR("a_c"), td_value_tensor(x)}, b = {TD_STR("b"), td_value_int(5)}, both[] = {b, a},
                 unknown = {TD_STR("zz"), td_value_int(1)};
  size_t n = 0;
  static const double sums[] = {11, 6};
  for (int named = 0; named < 2; ++named) {
    must(named ? call_with(m, NULL, 0, both, 2, outs, &n) : call_with(m, args, 2, NULL, 0, outs, &n));
    cr_assert_eq(n, 2);
    EXPECT(outs[0].as.tensor, sums[named]);
    EXPECT(outs[1].as.tensor, sums[named] + 1);
    td_value_clear(&outs[0]);
    td_value_clear(&outs[1]);
  }
  expect_error(call_with(m, args, 1, &a, 1, outs, &n), TD_ERR_ARGUMENT, NULL,
               "Duplicated argument in args and kwargs.");
  expect_error(call_with(m, args, 3, NULL, 0, outs, &n), TD_ERR_ARGUMENT, NULL, "takes 2 arguments, got 3");
  expect_error(call_with(m, args, 2, &unknown, 1, outs, &n), TD_ERR_ARGUMENT, NULL, "'zz'");
  expect_error(td_module_dispatch(m, args, 2, NULL, 0, TD_NO_STR, outs, 1, &n, &err), TD_ERR_ARGUMENT, NULL, "room");

  td_dict *data = dict(TD_NO_DIMS);
  put(data, TD_KEY("b"), VEC(2));
  put(data, TD_KEY("a", "c"), VEC(3));
  td_value whole = td_value_dict(data);
  must(call_with(m, &whole, 1, NULL, 0, outs, &n));
  cr_assert(n == 1 && outs[0].kind == TD_VALUE_DICT && outs[0].as.dict == data);
  td_value_clear(&outs[0]);
  td_dict_release(data);
  td_tensor_release(x);
  td_module_release(m);
}

/* ---- Out-keys */
Test(module_keys, unselected_out_keys_leave_the_result) {
  function f = {.writes = 1};
  td_module *inner = function_module(&f), *m;
  td_key in[] = {*TD_KEY("a"), *TD_KEY("b")}, out[] = {*TD_KEY("c"), *TD_KEY("d")},
         wrong[] = {*TD_KEY("d"), *TD_KEY("q")};
  must(td_module_tensordict(inner, in, 2, out, 2, NULL, &m, &err));
  td_module_release(inner);
  expect_error(td_module_select_out_keys(m, wrong, 2, &err), TD_ERR_KEY, NULL, "\"q\"");
  must(td_module_select_out_keys(m, TD_KEY("d"), 1, &err));
  td_keys *keys;
  must(td_module_out_keys(m, &keys, &err));
  cr_assert_eq(td_keys_size(keys), 1);
  td_keys_release(keys);
  must(td_module_out_keys_source(m, &keys, &err));
  cr_assert_eq(td_keys_size(keys), 2);
  td_keys_release(keys);

  for (int reset = 0; reset < 2; ++reset) {
    td_dict *data = dict(TD_NO_DIMS);
    put(data, TD_KEY("a"), VEC(0));
    put(data, TD_KEY("b"), VEC(1));
    put(data, TD_KEY("unrelated"), VEC(2));
    td_dict_release(run(m, data));
    EXPECT(peek(data, TD_KEY("unrelated")), 2);
    cr_assert_eq(kind_of(data, TD_KEY("c")) == TD_ENTRY_NONE, !reset);
    EXPECT(peek(data, TD_KEY("d")), 2);
    td_dict_release(data);
    must(td_module_reset_out_keys(m, &err));
  }
  must(td_module_select_out_keys(m, NULL, 0, &err)); /* none at all */
  td_value args[] = {td_value_double(1), td_value_double(2)}, outs[4];
  size_t n = 9;
  must(call_with(m, args, 2, NULL, 0, outs, &n));
  cr_assert_eq(n, 0);
  td_module_release(m);
}

/* What goes: outputs that are not selected and no inputs, wherever they stand, and nodes that held nothing else. */
Test(module_keys, a_selection_leaves_what_the_caller_has_beside_the_outputs) {
  function f = {.writes = 1};
  td_module *inner = function_module(&f), *m;
  td_key out[] = {*TD_KEY("n", "c"), *TD_KEY("o", "c"), *TD_KEY("a"), *TD_KEY("n", "deep", "c"), *TD_KEY("d")},
         chosen[] = {*TD_KEY("d")};
  must(td_module_tensordict(inner, TD_KEY("a"), 1, out, 5, NULL, &m, &err));
  must(td_module_select_out_keys(m, chosen, 1, &err));
  td_dict *data = dict(TD_NO_DIMS);
  put(data, TD_KEY("a"), VEC(0));
  put(data, TD_KEY("n", "kept"), VEC(1));
  put(data, TD_KEY("zz"), VEC(2));
  must(td_dict_set_data(data, TD_KEY("text"), TD_DATA(td_data_str(TD_STR("kept"))), &err));
  td_dict_release(run(m, data));
  td_keys *keys;
  must(td_dict_keys(data, TD_KEYS_NESTED | TD_KEYS_SORTED, &keys, &err));
  cr_assert_str_eq(joined(keys), "a d n n.kept text zz ");
  td_dict_release(data);
  td_module_release(m);
  td_module_release(inner);
}

/* ---- Functions from dict to dict */
static td_status double_x(void *userdata, td_dict *data, td_dict **out, td_error **error) {
  td_tensor *x;
  td_status s = td_dict_get(data, TD_KEY("x"), &x, error);
  if (s != TD_OK) return s;
  td_dict *result = *(int *)userdata ? dict(TD_NO_DIMS) : data;
  if (result == data) td_dict_retain(data);
  td_tensor *y = apply("add", x, x);
  put(result, TD_KEY("y"), y);
  td_tensor_release(x);
  *out = result;
  return TD_OK;
}

Test(module_keys, a_function_of_dicts_gets_all_of_the_data) {
  for (int other = 0; other < 2; ++other)
    for (td_bool inplace = 0; inplace < 2; ++inplace) {
      td_module *m;
      must(td_module_wrap(TD_CALLBACKS(td_dict_function, double_x, &other, NULL), inplace, NULL, 0, TD_KEY("y"), 1, &m,
                          &err));
      td_dict *data = dict(TD_NO_DIMS), *out;
      expect_error(td_module_run(m, data, NULL, &out, &err), TD_ERR_CALLBACK, NULL, "\"x\"");
      put(data, TD_KEY("x"), VEC(3));
      out = run(m, data);
      cr_assert_eq(out == data, !other || inplace);
      EXPECT(peek(out, TD_KEY("y")), 6);
      td_dict_release(out);
      td_dict_release(data);
      td_module_release(m);
    }
}

Test(module_keys, what_exists_is_skipped_on_request) {
  plan p = {.returns = "sum"};
  td_module *m = planned(&p, IN("x"), IN("y"), NULL), *self = planned(&p, IN("y"), IN("y"), NULL), *seq;
  td_module *members[] = {m, self};
  must(td_module_sequential(members, 2, NULL, &seq, &err));
  td_run_options how = TD_RUN_OPTIONS_INIT;
  how.skip_existing = 1;
  td_dict *data = dict(TD_NO_DIMS), *out;
  put(data, TD_KEY("x"), VEC(1));
  put(data, TD_KEY("y"), VEC(5));
  must(td_module_run(m, data, &how, &out, &err));
  cr_assert(out == data && p.calls == 0);
  td_dict_release(out);
  must(td_module_run(self, data, &how, &out, &err)); /* its output is its input */
  cr_assert_eq(p.calls, 1);
  td_dict_release(out);
  td_dict_release(data);
  td_module_release(seq);
  td_module_release(self);
  td_module_release(m);
}

/* ---- Functions that give what they should not ------------------------------------------------------------------------ */

/* One good tensor, beside a value of no known kind, or beside more values than there is room for. */
static td_status give_too_much(void *userdata, const td_value *args, size_t n_args, const td_named_value *kwargs,
                               size_t n_kwargs, td_value *outs, size_t capacity, size_t *n_outs, td_error **error) {
  (void)args, (void)n_args, (void)kwargs, (void)n_kwargs, (void)error;
  const int overfull = *(int *)userdata;
  outs[0] = overfull ? td_value_tensor(VEC(1)) : (td_value){99, 0, 0, {0}};
  outs[1] = td_value_tensor(VEC(2));
  outs[2] = td_value_dict(dict(TD_NO_DIMS));
  *n_outs = overfull ? capacity + 1 : 3;
  return TD_OK;
}

static td_status mapped_too_much(void *userdata, const td_value *args, size_t n, td_value *outs, size_t n_outs,
                                 td_error **error) {
  (void)userdata, (void)args, (void)n, (void)n_outs, (void)error;
  outs[0] = (td_value){99, 0, 0, {0}};
  outs[1] = td_value_tensor(VEC(2));
  return TD_OK;
}

/* The suite counts what lives on. */
Test(module_keys, all_that_a_bad_function_gave_is_released) {
  td_tensor *x = VEC(1), *out[3] = {NULL};
  for (int overfull = 0; overfull < 2; ++overfull) {
    td_module *m;
    must(td_module_from_values(TD_CALLBACKS(td_values_function, give_too_much, &overfull, NULL), &m, &err));
    expect_error(td_module_call(m, &x, 1, out, 3, &err), overfull ? TD_ERR_CALLBACK : TD_ERR_ARGUMENT, NULL,
                 overfull ? "room" : "99");
    td_module_release(m);
  }
  td_value arg = td_value_tensor(x), outs[2];
  expect_error(td_vmap(mapped_too_much, NULL, &arg, 1, NULL, outs, 2, &err), TD_ERR_ARGUMENT, NULL, "99");
  td_tensor_release(x);
}
