/* Functions that see the gradients of a module go by. Numbers are those of register_full_backward_hook in torch 2.13. */
#include "support/nn_support.h"

TestSuite(module_backward_hooks, .init = count_live, .fini = check_live);

/* Writes "name(grad_inputs|grad_outputs)", and replaces gradients as it is told. */
typedef struct hook {
  const char *name;
  char *log;
  double times, plus; /* what becomes of the gradients that it may replace; 0 and 0: nothing */
  int nulls, wrong_shape, wrong_side, destroyed;
  td_status status;
} hook;

static void write_tensors(char *log, td_tensor *const *tensors, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    if (i > 0) strcat(log, " ");
    if (!tensors[i]) strcat(log, "-");
    for (int64_t k = 0; tensors[i] && k < td_tensor_numel(tensors[i]); ++k)
      sprintf(log + strlen(log), "%s%g", k ? "," : "", at(tensors[i], k));
  }
}

static td_tensor *changed(const td_tensor *t, double times, double plus) {
  td_tensor *factor, *term;
  must(td_tensor_full(TD_NO_DIMS, TD_VALUE(td_value_double(times)), TD_DTYPE_FLOAT32, TD_NO_STR, &factor, &err));
  must(td_tensor_full(TD_NO_DIMS, TD_VALUE(td_value_double(plus)), TD_DTYPE_FLOAT32, TD_NO_STR, &term, &err));
  td_tensor *scaled = apply("mul", t, factor), *out = apply("add", scaled, term);
  td_tensor_release(factor);
  td_tensor_release(term);
  td_tensor_release(scaled);
  return out;
}

static td_status see(void *userdata, const td_module *m, td_backward_call *call, td_error **error) {
  hook *h = userdata;
  cr_assert(m && call);
  strcat(h->log, h->name);
  strcat(h->log, "(");
  write_tensors(h->log, call->grad_inputs, call->n_inputs);
  strcat(h->log, "|");
  write_tensors(h->log, call->grad_outputs, call->n_outputs);
  strcat(h->log, ")");
  if (h->status != TD_OK) {
    *error = td_error_new(h->status, TD_STR("no gradients today"));
    return h->status;
  }
  const int pre = call->n_inputs == 0;
  td_tensor *const *mine = pre ? call->grad_outputs : call->grad_inputs;
  const size_t n = pre ? call->n_outputs : call->n_inputs;
  td_status s = TD_OK;
  if (h->wrong_side) s = td_backward_call_set_grad_output(call, 0, NULL, error);
  for (size_t i = 0; i < n && s == TD_OK; ++i) {
    td_tensor *now = mine[i];
    td_tensor_retain(now);
    if (h->nulls || h->wrong_shape) td_tensor_release(now), now = NULL;
    if (h->wrong_shape) now = VEC(1, 2, 3, 4, 5, 6, 7);
    if (now && (h->times != 0 || h->plus != 0)) td_tensor_release(now), now = changed(mine[i], h->times, h->plus);
    s = pre ? td_backward_call_set_grad_output(call, (int64_t)i, now, error)
            : td_backward_call_set_grad_input(call, (int64_t)i, now, error);
    td_tensor_release(now);
  }
  return s;
}

static void destroy_hook(void *userdata) {
  ++((hook *)userdata)->destroyed;
}

static const td_backward_hook *over(hook *h) {
  static td_backward_hook made;
  made = (td_backward_hook){sizeof made, see, h, destroy_hook};
  return &made;
}

static void add(td_module *m, hook *h) {
  must(td_module_add_backward_hook(m, over(h), 0, NULL, &err));
}

static td_tensor *trained(td_tensor *t) {
  must(td_tensor_requires_grad_(t, 1, &err));
  return t;
}

static td_tensor *sum_of(const td_tensor *t) {
  return apply("sum", t, NULL);
}

/* Takes `y` over. */
static void back(td_tensor *y) {
  td_tensor *sum = sum_of(y);
  must(td_tensor_backward(sum, NULL, 0, &err));
  td_tensor_release(sum);
  td_tensor_release(y);
}

static void back_fails(const td_tensor *y, const char *says) {
  td_tensor *sum = sum_of(y);
  expect_error(td_tensor_backward(sum, NULL, 1, &err), TD_ERR_CALLBACK, NULL, says);
  td_tensor_release(sum);
}

#define EXPECT_GRAD(t, ...)                  \
  do {                                       \
    td_tensor *grad_;                        \
    must(td_tensor_grad((t), &grad_, &err)); \
    EXPECT(grad_, __VA_ARGS__);              \
    td_tensor_release(grad_);                \
  } while (0)

static td_tensor *only(const td_module *m, td_tensor *x) {
  td_tensor *y;
  must(td_module_call(m, &x, 1, &y, 1, &err));
  return y;
}

/* From a, b, c: 2a, 3a, c + 1, b. */
static td_status four(void *userdata, td_tensor *const *in, size_t n_in, td_tensor **out, size_t n_out,
                      td_error **error) {
  (void)userdata, (void)error;
  cr_assert(n_in == 3 && n_out == 4);
  out[0] = changed(in[0], 2, 0), out[1] = changed(in[0], 3, 0), out[2] = changed(in[2], 1, 1), out[3] = in[1];
  td_tensor_retain(in[1]);
  return TD_OK;
}

Test(module_backward_hooks, run_in_order_with_the_gradients_of_every_input_and_output) {
  char log[512] = "";
  hook h1 = {.name = "h1", .log = log}, h2 = {.name = "h2", .log = log}, h0 = {.name = "h0", .log = log},
       p1 = {.name = "p1", .log = log}, p0 = {.name = "p0", .log = log};
  td_module *m;
  must(td_module_from_function(TD_CALLBACKS(td_module_function, four, NULL, NULL), &m, &err));
  add(m, &h1);
  add(m, &h2);
  must(td_module_add_backward_hook(m, over(&h0), TD_HOOK_PREPEND, NULL, &err));
  must(td_module_add_backward_pre_hook(m, over(&p1), 0, NULL, &err));
  must(td_module_add_backward_pre_hook(m, over(&p0), TD_HOOK_PREPEND, NULL, &err));
  td_tensor *in[] = {trained(VEC(1, 1)), trained(VEC(1, 1)), VEC(1, 1)}, *out[4];
  must(td_module_call(m, in, 3, out, 4, &err));
  td_tensor *again[4];
  must(td_module_call(m, in, 3, again, 4, &err));
  back(out[0]);
  cr_assert_str_eq(log,
                   "p0(|1,1 - - -)p1(|1,1 - - -)"
                   "h0(2,2 0,0 0,0|1,1 - - -)h1(2,2 0,0 0,0|1,1 - - -)h2(2,2 0,0 0,0|1,1 - - -)");
  EXPECT_GRAD(in[0], 2, 2);
  EXPECT_GRAD(in[1], 0, 0);
  log[0] = '\0';
  td_tensor *both = apply("add", again[1], again[3]);
  back(both);
  cr_assert_str_eq(log,
                   "p0(|- 1,1 - 1,1)p1(|- 1,1 - 1,1)"
                   "h0(3,3 1,1 0,0|- 1,1 - 1,1)h1(3,3 1,1 0,0|- 1,1 - 1,1)h2(3,3 1,1 0,0|- 1,1 - 1,1)");
  EXPECT_GRAD(in[0], 5, 5);
  for (int i = 0; i < 3; ++i) td_tensor_release(in[i]);
  for (int i = 1; i < 4; ++i) td_tensor_release(out[i]);
  for (int i = 0; i < 4; ++i) td_tensor_release(again[i]);
  td_module_release(m);
  cr_assert(h0.destroyed == 1 && h1.destroyed == 1 && h2.destroyed == 1 && p0.destroyed == 1 && p1.destroyed == 1);
}

Test(module_backward_hooks, replace_gradients) {
  char log[512] = "";
  hook ten = {.name = "p", .log = log, .times = 10}, five = {.name = "h", .log = log, .times = 1, .plus = 5},
       none = {.name = "n", .log = log, .nulls = 1};
  td_module *m = known_linear();
  uint64_t id;
  must(td_module_add_backward_pre_hook(m, over(&ten), 0, NULL, &err));
  must(td_module_add_backward_hook(m, over(&five), 0, &id, &err));
  td_tensor *x = trained(floats((const float[]){1, 1, 1, 1, 1, 1}, TD_SHAPE(2, 3)));
  back(only(m, x));
  EXPECT_GRAD(x, 55, 75, 95, 55, 75, 95);
  td_dict *state;
  must(td_dict_from_module(m, &state, &err));
  EXPECT_GRAD(peek(state, TD_KEY("weight")), 20, 20, 20, 20, 20, 20);
  EXPECT_GRAD(peek(state, TD_KEY("bias")), 20, 20);
  td_dict_release(state);

  must(td_module_remove_hook(m, id, &err));
  expect_error(td_module_remove_hook(m, id, &err), TD_ERR_NOT_FOUND, NULL, "no such hook");
  cr_assert_eq(five.destroyed, 1);
  add(m, &none);
  td_tensor *fresh = trained(VEC(1, 1, 1)), *grad = NULL;
  back(only(m, fresh));
  must(td_tensor_grad(fresh, &grad, &err));
  cr_assert_null(grad, "a gradient that was taken away");
  td_tensor_release(fresh);
  td_tensor_release(x);
  td_module_release(m);
}

Test(module_backward_hooks, run_at_the_outputs_if_no_input_requires_grad) {
  char log[256] = "";
  hook p = {.name = "p", .log = log}, h = {.name = "h", .log = log};
  td_module *m = known_linear();
  must(td_module_add_backward_pre_hook(m, over(&p), 0, NULL, &err));
  add(m, &h);
  td_tensor *x = VEC(1, 1, 1);
  back(only(m, x));
  cr_assert_str_eq(log, "p(|1,1)h(-|1,1)");
  h.wrong_shape = 1;
  td_tensor *y = only(m, x);
  back_fails(y, "no input requires grad");
  td_tensor_release(y);
  log[0] = '\0';
  td_no_grad *scope;
  must(td_no_grad_begin(&scope, &err));
  td_tensor_release(only(m, x));
  must(td_no_grad_end(scope, &err));
  td_no_grad_release(scope);
  cr_assert_str_eq(log, "");
  td_tensor_release(x);
  td_module_release(m);
}

Test(module_backward_hooks, belong_to_the_graph_of_their_call) {
  char log[256] = "";
  hook a = {.name = "a", .log = log}, b = {.name = "b", .log = log};
  td_module *m = module("td.tanh", "{}", 0);
  uint64_t id;
  must(td_module_add_backward_hook(m, over(&a), 0, &id, &err));
  td_tensor *x = trained(VEC(0)), *y = only(m, x), *sum = sum_of(y);
  add(m, &b); /* too late for this call */
  must(td_module_remove_hook(m, id, &err));
  td_module_release(m);
  cr_assert(a.destroyed == 0 && b.destroyed == 0);
  for (int i = 0; i < 2; ++i) must(td_tensor_backward(sum, NULL, 1, &err));
  cr_assert_str_eq(log, "a(1|1)a(1|1)");
  td_tensor_release(sum);
  cr_assert_eq(a.destroyed, 0);
  td_tensor_release(y);
  cr_assert(a.destroyed == 1 && b.destroyed == 1);
  td_tensor_release(x);
}

Test(module_backward_hooks, are_part_of_gradients_of_higher_order) {
  char log[256] = "";
  hook twice = {.name = "h", .log = log, .times = 2};
  td_module *inner = module("td.tanh", "{}", 0);
  add(inner, &twice);
  td_tensor *x = trained(VEC(0.5f)), *y = only(inner, x);
  td_dict *xs = dict(TD_NO_DIMS), *ys = dict(TD_NO_DIMS), *grads;
  must(td_dict_set(xs, TD_KEY("x"), x, &err));
  must(td_dict_set(ys, TD_KEY("y"), y, &err));
  td_backward_options o = TD_BACKWARD_OPTIONS_INIT;
  o.create_graph = 1;
  must(td_dict_autograd_grad(ys, xs, NULL, &o, &grads, &err));
  expect(peek(grads, TD_KEY("x")), (const double[]){1.5729}, 1, 1e-4, "the gradient");
  must(td_tensor_backward(peek(grads, TD_KEY("x")), NULL, 0, &err));
  td_tensor *second;
  must(td_tensor_grad(x, &second, &err));
  expect(second, (const double[]){-1.4537}, 1, 1e-4, "the second one");
  td_tensor *const tensors[] = {second, x, y};
  for (int i = 0; i < 3; ++i) td_tensor_release(tensors[i]);
  td_dict_release(xs);
  td_dict_release(ys);
  td_dict_release(grads);
  td_module_release(inner);
}

/* y = x * [1, -1]^T */
static td_module *difference(void) {
  td_module *m = module("td.linear", "{\"in_features\": 2, \"out_features\": 1, \"bias\": false}", 0);
  td_dict *state;
  must(td_dict_from_module(m, &state, &err));
  copy_into(state, TD_KEY("weight"), floats((const float[]){1, -1}, TD_SHAPE(1, 2)));
  td_dict_release(state);
  return m;
}

Test(module_backward_hooks, of_sequences_and_their_members) {
  char log[512] = "";
  hook whole = {.name = "ts", .log = log}, part = {.name = "lin", .log = log};
  td_module *linear = known_linear();
  add(linear, &part);
  td_module *members[] = {keyed(linear, "x", "y"), keyed(difference(), "y", "z")}, *sequence;
  must(td_module_sequential(members, 2, NULL, &sequence, &err));
  add(sequence, &whole);
  td_dict *data = dict(TD_SHAPE(1));
  td_tensor *x = trained(floats((const float[]){1, 1, 1}, TD_SHAPE(1, 3)));
  must(td_dict_set(data, TD_KEY("x"), x, &err));
  must(td_module_forward(sequence, data, &err));
  cr_assert_eq(peek(data, TD_KEY("x")), x, "the data keep their own tensor");
  back(get(data, TD_KEY("z")));
  cr_assert_str_eq(log, "lin(-3,-3,-3|1,-1)ts(-3,-3,-3|- 1)");
  EXPECT_GRAD(x, -3, -3, -3);
  log[0] = '\0';
  must(td_module_forward(sequence, data, &err));
  td_tensor *y = sum_of(peek(data, TD_KEY("y"))), *z = sum_of(peek(data, TD_KEY("z")));
  back(apply("add", y, z));
  cr_assert_str_eq(log, "lin(2,4,6|2,0)ts(2,4,6|1,1 1)");

  log[0] = '\0'; /* what another writer gives is wrapped in it as well */
  td_value given = td_value_tensor(x), outs[2];
  size_t n;
  must(td_module_dispatch(sequence, &given, 1, NULL, 0, TD_NO_STR, outs, 2, &n, &err));
  back(outs[1].as.tensor);
  cr_assert_str_eq(log, "lin(-3,-3,-3|1,-1)ts(-3,-3,-3|- 1)");
  td_tensor *const tensors[] = {outs[0].as.tensor, x, y, z};
  for (int i = 0; i < 4; ++i) td_tensor_release(tensors[i]);
  td_module_release(members[0]), td_module_release(members[1]), td_module_release(sequence);
  td_dict_release(data);
  cr_assert(whole.destroyed == 1 && part.destroyed == 1);
}

Test(module_backward_hooks, of_chains_and_their_members) {
  char log[256] = "";
  hook whole = {.name = "chain", .log = log}, part = {.name = "c1", .log = log};
  td_module *chained[] = {known_linear(), difference()}, *chain;
  add(chained[1], &part);
  must(td_module_chain(chained, 2, NULL, &chain, &err));
  add(chain, &whole);
  td_tensor *x = trained(floats((const float[]){1, 1, 1}, TD_SHAPE(1, 3)));
  back(only(chain, x));
  cr_assert_str_eq(log, "c1(1,-1|1)chain(-3,-3,-3|1)");
  td_module_release(chained[0]), td_module_release(chained[1]), td_module_release(chain);
  td_tensor_release(x);
  cr_assert(whole.destroyed == 1 && part.destroyed == 1);
}

/* A function of ("n", "x") that writes "y" and ("n", "y"), or the first of them, under a hook. */
static td_module *hooked(function *f, size_t n_out, td_inplace inplace, hook *h) {
  td_module *inner = function_module(f), *m;
  const td_key out_keys[] = {*TD_KEY("y"), *TD_KEY("n", "y")};
  td_tensordict_options o = TD_TENSORDICT_OPTIONS_INIT;
  o.inplace = inplace;
  must(td_module_tensordict(inner, TD_KEY("n", "x"), 1, out_keys, n_out, &o, &m, &err));
  td_module_release(inner);
  add(m, h);
  return m;
}

Test(module_backward_hooks, leave_the_data_as_the_module_would) {
  char log[256] = "";
  hook h = {.name = "h", .log = log};
  function f = {.status = TD_OK, .writes = 1};
  td_module *m = hooked(&f, 2, TD_INPLACE_DEFAULT, &h);
  td_dict *data = dict(TD_SHAPE(1));
  put(data, TD_KEY("n", "x"), trained(VEC(3)));
  td_tensor *x = peek(data, TD_KEY("n", "x"));
  must(td_module_forward(m, data, &err));
  EXPECT(peek(data, TD_KEY("y")), 3);
  EXPECT(peek(data, TD_KEY("n", "y")), 4);
  cr_assert_eq(peek(data, TD_KEY("n", "x")), x);
  back(get(data, TD_KEY("n", "y")));
  cr_assert_str_eq(log, "h(1|- 1)");
  f.status = TD_ERR_IO;
  expect_error(td_module_forward(m, data, &err), TD_ERR_CALLBACK, NULL, "refused on purpose");
  cr_assert_eq(peek(data, TD_KEY("n", "x")), x);
  f.status = TD_OK;
  must(td_dict_lock_(data, &err));
  expect_error(td_module_forward(m, data, &err), TD_ERR_LOCKED, NULL, "locked");
  td_dict_release(data);
  td_module_release(m);
}

Test(module_backward_hooks, leave_the_results_where_the_module_puts_them) {
  char log[256] = "";
  hook h = {.name = "h", .log = log};
  function f = {.status = TD_OK, .writes = 1};
  td_module *m = hooked(&f, 1, TD_INPLACE_EMPTY, &h);
  td_dict *data = dict(TD_SHAPE(1)), *empty, *same;
  put(data, TD_KEY("n", "x"), trained(VEC(3)));
  must(td_dict_lock_(data, &err));
  must(td_module_run(m, data, NULL, &empty, &err));
  cr_assert(empty != data && td_dict_count(empty) == 1);
  must(td_dict_unlock_(data, &err));
  td_run_options run = TD_RUN_OPTIONS_INIT;
  run.tensordict_out = empty;
  must(td_module_run(m, data, &run, &same, &err));
  cr_assert_eq(same, empty);
  td_dict_release(same);
  td_dict_release(empty);
  td_dict_release(data);
  td_module_release(m);
}

Test(module_backward_hooks, of_functions_of_values) {
  char log[256] = "";
  hook h = {.name = "h", .log = log};
  td_module *four_values;
  must(td_module_from_function(TD_CALLBACKS(td_module_function, four, NULL, NULL), &four_values, &err));
  add(four_values, &h);
  const td_key in[] = {*TD_KEY("a"), *TD_KEY("b"), *TD_KEY("c")},
               out[] = {*TD_KEY("w"), *TD_KEY("_"), *TD_KEY("_"), *TD_KEY("z")};
  td_module *m;
  must(td_module_tensordict(four_values, in, 3, out, 4, NULL, &m, &err));
  td_dict *data = dict(TD_NO_DIMS);
  put(data, TD_KEY("a"), trained(VEC(1)));
  put(data, TD_KEY("b"), VEC(1));
  put(data, TD_KEY("c"), VEC(1));
  must(td_module_forward(m, data, &err));
  back(get(data, TD_KEY("w")));
  cr_assert_str_eq(log, "h(2 0 0|1 - - -)");
  td_dict_release(data);
  td_module_release(m);
  td_module_release(four_values);
}

Test(module_backward_hooks, a_failure_comes_out_of_the_backward_pass) {
  char log[1024] = "";
  hook h = {.name = "h", .log = log, .status = TD_ERR_IO}, p = {.name = "p", .log = log};
  td_module *m = known_linear();
  add(m, &h);
  must(td_module_add_backward_pre_hook(m, over(&p), 0, NULL, &err));
  td_tensor *x = trained(VEC(1, 1, 1)), *y = only(m, x), *grad;
  back_fails(y, "no gradients today");
  h.status = TD_OK, h.wrong_shape = 1;
  back_fails(y, "input 0 a gradient of shape [7]");
  h.wrong_shape = 0, p.wrong_shape = 1;
  back_fails(y, "output 0 a gradient of shape [7]");
  p.wrong_shape = 0, h.wrong_side = 1;
  back_fails(y, "cannot replace the gradient of an output");
  must(td_tensor_grad(x, &grad, &err));
  cr_assert_null(grad);
  h.wrong_side = 0;
  td_tensor *sum = sum_of(y);
  must(td_tensor_backward(sum, NULL, 1, &err));
  EXPECT_GRAD(x, 5, 7, 9);
  td_tensor_release(sum);

  expect_error(td_module_add_backward_hook(m, TD_CALLBACKS(td_backward_hook, NULL, &h, destroy_hook), 0, NULL, &err),
               TD_ERR_ARGUMENT, NULL, "fn");
  expect_error(td_module_add_backward_hook(m, over(&h), TD_HOOK_ALWAYS_CALL, NULL, &err), TD_ERR_ARGUMENT, NULL,
               "flags");
  expect_error(td_module_add_backward_pre_hook(NULL, over(&h), 0, NULL, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  td_query *query;
  td_module *rows;
  must(td_query_new(TD_KEY("x"), 1, NULL, &query, &err));
  must(td_module_query(query, &rows, &err));
  expect_error(td_module_add_backward_hook(rows, over(&h), 0, NULL, &err), TD_ERR_UNSUPPORTED, NULL, "QueryModule");
  cr_assert_eq(h.destroyed, 4);
  td_module_release(rows);
  td_query_release(query);
  td_tensor_release(y);
  td_tensor_release(x);
  td_module_release(m);
}

Test(module_backward_hooks, what_is_behind_one_cannot_be_changed_in_place) {
  char log[256] = "";
  hook h = {.name = "h", .log = log};
  td_module *m = module("td.relu", "{}", 0);
  add(m, &h);
  td_tensor *x = trained(VEC(1)), *y = only(m, x);
  td_op *op;
  must(td_op_find(TD_STR("add_"), TD_STR("Scalar"), &op, &err));
  td_value args[] = {td_value_tensor(y), td_value_int(1)}, out;
  expect_error(td_op_call(op, args, 2, NULL, 0, &out, 1, &err), TD_ERR_TORCH, NULL,
               "Output 0 of a backward hook is a view");
  td_op_release(op);
  td_tensor_release(x);
  td_tensor_release(y);
  td_module_release(m);
}

Test(module_backward_hooks, are_refused_under_vmap) {
  char log[256] = "";
  hook h = {.name = "h", .log = log};
  td_module *plain = known_linear(), *linear = known_linear(), *m, *ensemble;
  must(td_module_tensordict(linear, TD_KEY("x"), 1, TD_KEY("y"), 1, NULL, &m, &err));
  td_module *const states_of[] = {plain, plain};
  td_dict *inner, *states, *data = dict(TD_SHAPE(1)), *out;
  must(td_dict_from_modules(states_of, 2, NULL, &inner, &err));
  must(td_dict_new(TD_SHAPE(2), NULL, &states, &err));
  must(td_dict_set_dict(states, TD_KEY("module"), inner, &err));
  put(data, TD_KEY("x"), floats((const float[]){1, 1, 1}, TD_SHAPE(1, 3)));
  must(td_module_ensemble(m, 2, 1, NULL, &ensemble, &err));
  add(linear, &h);
  expect_error(td_module_vmap(m, states, data, NULL, &out, &err), TD_ERR_UNSUPPORTED, NULL, "vmap");
  expect_error(td_module_run(ensemble, data, NULL, &out, &err), TD_ERR_UNSUPPORTED, NULL, "vmap");
  td_no_grad *scope;
  must(td_no_grad_begin(&scope, &err));
  must(td_module_vmap(m, states, data, NULL, &out, &err));
  td_dict_release(out);
  must(td_module_run(ensemble, data, NULL, &out, &err));
  td_dict_release(out);
  must(td_no_grad_end(scope, &err));
  td_no_grad_release(scope);
  cr_assert_str_eq(log, "");
  td_module *const modules[] = {plain, linear, m, ensemble};
  for (int i = 0; i < 4; ++i) td_module_release(modules[i]);
  td_dict_release(inner);
  td_dict_release(states);
  td_dict_release(data);
}
