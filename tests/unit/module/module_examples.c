/* The code examples of the reference pages, with what they print or assert there. Those of select_subsequence, of the first
 * sequence and of probabilistic sequences stand in module_sequence.c and module_probabilistic_sequence.c, the first of
 * stack_module_state in ensemble.c. */
#include "support/sequence_support.h"

TestSuite(module_examples, .init = count_live, .fini = check_live);

#define FIELD(name) "        " name ": Tensor(shape=torch.Size([]), device=cpu, dtype=torch.float32, is_shared=False)"
#define FIELDS(list) \
  "TensorDict(\n    fields={\n" list "},\n    batch_size=torch.Size([]),\n    device=None,\n    is_shared=False)"

static td_status two_more(void *userdata, td_tensor *const *inputs, size_t n, td_tensor **outputs, size_t n_outputs,
                          td_error **error) {
  (void)userdata, (void)error;
  cr_assert(n == 2 && n_outputs == 2);
  td_tensor *two = VEC(2);
  for (size_t i = 0; i < 2; ++i) {
    td_tensor *sum = apply("add", inputs[i], two);
    td_value args[] = {td_value_tensor(sum), td_value_ints(NULL, 0)}, flat;
    td_op *reshape;
    must(td_op_find(TD_STR("reshape"), TD_NO_STR, &reshape, &err));
    must(td_op_call(reshape, args, 2, NULL, 0, &flat, 1, &err));
    td_op_release(reshape);
    td_tensor_release(sum);
    outputs[i] = flat.as.tensor;
  }
  td_tensor_release(two);
  return TD_OK;
}

/* lambda x, y: (x+2, y+2) of "a", "b" */
static td_module *plus_two(void) {
  td_module *inner, *m;
  td_key in[] = {*TD_KEY("a"), *TD_KEY("b")}, out[] = {*TD_KEY("c"), *TD_KEY("d")};
  must(td_module_from_function(TD_CALLBACKS(td_module_function, two_more, NULL, NULL), &inner, &err));
  must(td_module_tensordict(inner, in, 2, out, 2, NULL, &m, &err));
  td_module_release(inner);
  return m;
}

static td_tensor *number(double value) {
  td_tensor *t;
  must(td_tensor_full(TD_NO_DIMS, TD_VALUE(td_value_double(value)), TD_DTYPE_FLOAT32, TD_NO_STR, &t, &err));
  return t;
}

static td_dict *zero_and_one(void) {
  td_dict *d = dict(TD_NO_DIMS);
  put(d, TD_KEY("a"), number(0));
  put(d, TD_KEY("b"), number(1));
  return d;
}

static void prints(const td_module *m, td_dict *taken, const char *expected) {
  td_string *text;
  must(td_module_forward(m, taken, &err));
  must(td_dict_repr(taken, 0, &text, &err));
  cr_assert_str_eq(td_string_view(text).data, expected);
  td_string_release(text);
  td_dict_release(taken);
}

static const char all_of_it[] = FIELDS(FIELD("a") ",\n" FIELD("b") ",\n" FIELD("c") ",\n" FIELD("d"));
static const char without_c[] = FIELDS(FIELD("a") ",\n" FIELD("b") ",\n" FIELD("d"));

Test(module_examples, reset_out_keys) {
  td_module *m = plus_two();
  must(td_module_select_out_keys(m, TD_KEY("d"), 1, &err));
  prints(m, zero_and_one(), without_c);
  must(td_module_reset_out_keys(m, &err));
  prints(m, zero_and_one(), all_of_it);
  td_module_release(m);
}

Test(module_examples, select_out_keys) {
  td_module *m = plus_two();
  prints(m, zero_and_one(), all_of_it);
  must(td_module_select_out_keys(m, TD_KEY("d"), 1, &err));
  prints(m, zero_and_one(), without_c);

  td_tensor *zero = number(0), *one = number(1); /* with dispatched arguments: tensor(2.) of zero and one is d = 3 */
  td_value args[] = {td_value_tensor(zero), td_value_tensor(one)}, out;
  size_t n;
  must(td_module_dispatch(m, args, 2, NULL, 0, TD_NO_STR, &out, 1, &n, &err));
  cr_assert_eq(n, 1);
  EXPECT(out.as.tensor, 3);
  td_value_clear(&out);
  td_tensor_release(zero);
  td_tensor_release(one);
  must(td_module_reset_out_keys(m, &err));
  prints(m, zero_and_one(), all_of_it);
  td_module_release(m);

  td_module *s = seq("x>y y>z", NULL); /* with a sequence */
  td_dict *data = dict(TD_NO_DIMS);
  put(data, TD_KEY("x"), VEC(0));
  must(td_module_forward(s, data, &err));
  cr_assert_str_eq(entries_of(data), "x,y,z");
  td_dict_release(data);
  must(td_module_select_out_keys(s, TD_KEY("z"), 1, &err));
  data = dict(TD_NO_DIMS);
  put(data, TD_KEY("x"), VEC(0));
  must(td_module_forward(s, data, &err));
  cr_assert_str_eq(entries_of(data), "x,z");
  td_dict_release(data);
  td_module_release(s);
}

/* from_modules, on its page and on that of stack_module_state: two layers, dense and lazy. */
enum { MODELS = 2 };
static td_status exec_module(void *empty_module, const td_value *args, size_t n, td_value *outs, size_t n_outs,
                             td_error **error) {
  const td_dict *params = args[0].as.dict;
  td_tensor *y;
  cr_assert(n == 2 && n_outs == 1);
  td_status s = td_module_functional_call(empty_module, &params, 1, NULL, &args[1].as.tensor, 1, &y, 1, error);
  if (s == TD_OK) outs[0] = td_value_tensor(y);
  return s;
}

/* Python prints Parameter for the dense ones: here that is a tensor which requires grad. */
static const char *const stacks_printed[] = {
    "TensorDict(\n    fields={\n"
    "        bias: Tensor(shape=torch.Size([2, 4]), device=cpu, dtype=torch.float32, is_shared=False),\n"
    "        weight: Tensor(shape=torch.Size([2, 4, 3]), device=cpu, dtype=torch.float32, is_shared=False)},\n"
    "    batch_size=torch.Size([2]),\n    device=None,\n    is_shared=False)",
    "LazyStackedTensorDict(\n    fields={\n"
    "        bias: Tensor(shape=torch.Size([2, 4]), device=cpu, dtype=torch.float32, is_shared=False),\n"
    "        weight: Tensor(shape=torch.Size([2, 4, 3]), device=cpu, dtype=torch.float32, is_shared=False)},\n"
    "    exclusive_fields={\n    },\n    batch_size=torch.Size([2]),\n    device=None,\n    is_shared=False,\n"
    "    stack_dim=0)"};

static td_module *layer(uint64_t seed) {
  return module("td.linear", "{\"in_features\": 3, \"out_features\": 4}", seed);
}

static td_dict *stacked(td_module *const *modules, int lazy) {
  td_from_modules_options options = TD_FROM_MODULES_OPTIONS_INIT;
  options.lazy_stack = lazy != 0;
  td_dict *params;
  must(td_dict_from_modules(modules, MODELS, &options, &params, &err));
  return params;
}

Test(module_examples, from_modules_prints) {
  td_module *modules[] = {layer(0), layer(1)};
  for (int lazy = 0; lazy < 2; ++lazy) {
    td_dict *params = stacked(modules, lazy);
    td_string *text;
    must(td_dict_repr(params, 0, &text, &err));
    cr_assert_str_eq(td_string_view(text).data, stacks_printed[lazy]);
    td_string_release(text);
    td_dict_release(params);
  }
  for (int i = 0; i < MODELS; ++i) td_module_release(modules[i]);
}

Test(module_examples, from_modules_maps_and_trains) {
  for (int lazy = 0; lazy < 2; ++lazy) {
    td_module *empty = layer(9), *modules[] = {layer(0), layer(1)};
    td_dict *params = stacked(modules, lazy);
    td_tensor *x = VEC(1, 2, 3), *grad = NULL, *weight = parameter(modules[0], TD_KEY("weight"));
    td_value args[] = {td_value_dict(params), td_value_tensor(x)}, y;
    static const int32_t dims[] = {0, TD_VMAP_SHARED};
    td_vmap_function_options how = TD_VMAP_FUNCTION_OPTIONS_INIT;
    how.in_dims = dims;
    must(td_vmap(exec_module, empty, args, 2, &how, &y, 1, &err));
    expect_shape(y.as.tensor, TD_SHAPE(MODELS, 4));
    td_tensor *sum = apply("sum", y.as.tensor, NULL);
    must(td_tensor_backward(sum, NULL, 0, &err));
    must(td_tensor_grad(weight, &grad, &err));
    cr_assert_eq(grad != NULL, lazy, "of a dense stack the modules get no gradient, of a lazy one they do");
    td_tensor_release(grad);
    if (!lazy) {
      cr_assert(td_tensor_requires_grad(peek(params, TD_KEY("weight"))));
      must(td_tensor_grad(peek(params, TD_KEY("weight")), &grad, &err));
      td_tensor *norm = apply("norm", grad, NULL);
      cr_assert_gt(at(norm, 0), 0);
      td_tensor_release(norm);
      td_tensor_release(grad);
    }
    td_tensor_release(sum);
    td_value_clear(&y);
    td_tensor_release(x);
    td_dict_release(params);
    td_module_release(empty);
    for (int i = 0; i < MODELS; ++i) td_module_release(modules[i]);
  }
}

Test(module_examples, stack_module_state_names) {
  td_module *models[5];
  for (int i = 0; i < 5; ++i) {
    td_str names[] = {TD_STR("l1"), TD_STR("l2")};
    td_module *layers[] = {module("td.linear", "{\"in_features\": 3, \"out_features\": 4}", (uint64_t)i),
                           module("td.linear", "{\"in_features\": 4, \"out_features\": 3}", (uint64_t)i)};
    must(td_module_chain(layers, 2, names, &models[i], &err));
    td_module_release(layers[0]);
    td_module_release(layers[1]);
  }
  td_dict *params, *buffers;
  td_keys *keys;
  must(td_module_stack_state(models, 5, &params, &buffers, &err));
  char text[128] = "";
  must(td_dict_keys(params, 0, &keys, &err));
  append_keys(text, keys);
  cr_assert_str_eq(text, "l1.weight,l1.bias,l2.weight,l2.bias");
  td_dict_release(params);
  td_dict_release(buffers);
  for (int i = 0; i < 5; ++i) td_module_release(models[i]);
}

/* ---- torch.nn.Module, as the page of QueryModule lists it */
static td_status note(void *log, const td_key *name, td_module *m, td_error **error) {
  td_string *text;
  (void)error;
  must(td_module_repr(m, &text, &err));
  if (name->n) strncat(strcat(log, "'"), name->parts[0].data, name->parts[0].size), strcat(log, "' ");
  strcat(strcat(log, td_string_view(text).data), "\n");
  if (!strncmp(td_string_view(text).data, "Linear", 6)) {
    td_dict *state;
    td_no_grad *scope;
    must(td_dict_from_module(m, &state, &err));
    must(td_no_grad_begin(&scope, &err));
    must(td_dict_fill_(state, TD_KEY("weight"), TD_VALUE(td_value_double(1)), &err));
    must(td_no_grad_end(scope, &err));
    td_no_grad_release(scope);
    td_dict_release(state);
  }
  td_string_release(text);
  return TD_OK;
}
#define LINEAR "Linear(in_features=2, out_features=2, bias=True)"
static const char square[] = "{\"in_features\": 2, \"out_features\": 2, \"bias\": true}";

Test(module_examples, apply_modules_and_named_modules) {
  td_module *two[] = {module("td.linear", square, 0), module("td.linear", square, 1)}, *same[] = {two[0], two[0]}, *net;
  char log[1024] = "";
  must(td_module_chain(two, 2, NULL, &net, &err));
  must(td_module_visit(net, TD_VISIT_APPLY, NULL, note, log, &err));
  cr_assert_str_eq(log, LINEAR "\n" LINEAR "\nSequential(\n  (0): " LINEAR "\n  (1): " LINEAR "\n)\n");
  td_tensor *weight;
  must(td_module_get_parameter(net, TD_KEY("1", "weight"), &weight, &err));
  EXPECT(weight, 1, 1, 1, 1);
  cr_assert(td_tensor_requires_grad(weight));
  td_tensor_release(weight);
  td_module_release(net);

  must(td_module_chain(same, 2, NULL, &net, &err)); /* a module that stands at two places is returned once */
  log[0] = '\0';
  must(td_module_visit(net, TD_VISIT_MODULES, NULL, note, log, &err));
  cr_assert_str_eq(log, "Sequential(\n  (0): " LINEAR "\n  (1): " LINEAR "\n)\n'0' " LINEAR "\n");
  td_module_release(net);
  td_module_release(two[0]);
  td_module_release(two[1]);
}

Test(module_examples, reset_parameters_recursive) {
  td_module *layers[] = {module("td.linear", "{\"in_features\": 2, \"out_features\": 3}", 0),
                         module("td.relu", "{}", 0)},
            *net, *m;
  must(td_module_chain(layers, 2, NULL, &net, &err));
  m = keyed(net, "bork", "dork");
  for (int functional = 0; functional < 2; ++functional) {
    td_dict *params, *old, *result = NULL;
    size_t n;
    must(td_dict_from_module(m, &params, &err));
    must(td_dict_clone(params, &old, &err));
    must(td_module_reset_parameters(m, functional ? params : NULL, NULL, functional ? &result : NULL, &n, &err));
    if (!functional) cr_assert_eq(n, 1);
    static const char *const names[] = {"weight", "bias"};
    for (int i = 0; i < 2; ++i) {
      td_tensor *before = peek(old, TD_KEY("module", "0", names[i])),
                *after = peek(params, TD_KEY("module", "0", names[i]));
      for (int64_t j = 0; j < td_tensor_numel(before); ++j) cr_assert_neq(at(before, j), at(after, j));
    }
    td_dict_release(result);
    td_dict_release(old);
    td_dict_release(params);
  }
  td_module_release(m);
  td_module_release(layers[0]);
  td_module_release(layers[1]);
}
