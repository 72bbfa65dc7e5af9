/* Ensembles: states of many modules, functional calls, and functions over many members at once. */
#include <stdlib.h>
#include <unistd.h>

#include "support/nn_support.h"

TestSuite(ensemble, .init = count_live, .fini = check_live);

static td_module *linear(uint64_t seed) {
  return module("td.linear", "{\"in_features\": 3, \"out_features\": 2}", seed);
}

static td_tensor *member_call(const td_module *m, td_tensor *x) {
  td_tensor *y;
  must(td_module_call(m, &x, 1, &y, 1, &err));
  return y;
}

static td_tensor *own(const td_module *m, const char *name) {
  td_tensor *t;
  must(td_module_get_parameter(m, TD_KEY(name), &t, &err));
  td_tensor_release(t);
  return t;
}

enum { DENSE, LAZY, EXPANDED };

static td_dict *states_of(td_module *const *pair, int kind) {
  td_from_modules_options options = TD_FROM_MODULES_OPTIONS_INIT;
  options.lazy_stack = kind == LAZY;
  options.expand_identical = kind == EXPANDED;
  td_dict *params;
  must(td_dict_from_modules(pair, 2, &options, &params, &err));
  return params;
}

/* What `m` makes of 1, 2, 3 with each of the states. */
static td_tensor *mapped(td_module *m, td_dict *params) {
  td_module *policy;
  td_dict *data = dict(TD_NO_DIMS), *states = dict(TD_SHAPE(2)), *out;
  must(td_module_tensordict(m, TD_KEY("x"), 1, TD_KEY("y"), 1, NULL, &policy, &err));
  put(data, TD_KEY("x"), VEC(1, 2, 3));
  must(td_dict_set_dict(states, TD_KEY("module"), params, &err));
  must(td_module_vmap(policy, states, data, NULL, &out, &err));
  td_tensor *y = get(out, TD_KEY("y"));
  td_dict_release(out), td_dict_release(states), td_dict_release(data);
  td_module_release(policy);
  return y;
}

/* The examples of the page of from_modules: dense stacks are new, lazy ones are the modules' own. */
Test(ensemble, members_compute_what_their_modules_do_from_dense_lazy_and_expanded_states) {
  td_module *pair[] = {linear(0), linear(1)}, *same[] = {pair[0], pair[0]};
  td_tensor *x = VEC(1, 2, 3);
  for (int kind = DENSE; kind <= EXPANDED; ++kind) {
    td_module *const *members = kind == EXPANDED ? same : pair;
    td_dict *params = states_of(members, kind);
    cr_assert(td_dict_is_locked(params));
    td_tensor *y = mapped(pair[0], params);
    expect_shape(y, TD_SHAPE(2, 2));
    for (int i = 0; i < 2; ++i) {
      td_tensor *alone = member_call(members[i], x);
      for (int j = 0; j < 2; ++j) cr_assert(fabs(at(alone, j) - at(y, 2 * i + j)) < 1e-6);
      td_tensor_release(alone);
    }
    td_tensor_release(y);
    td_dict_release(params);
  }
  td_tensor_release(x);
  for (int i = 0; i < 2; ++i) td_module_release(pair[i]);
}

Test(ensemble, gradients_reach_the_modules_unless_the_states_are_dense) {
  td_module *pair[] = {linear(0), linear(1)}, *same[] = {pair[0], pair[0]};
  for (int kind = DENSE; kind <= EXPANDED; ++kind) {
    td_dict *params = states_of(kind == EXPANDED ? same : pair, kind);
    td_tensor *y = mapped(pair[0], params), *sum = apply("sum", y, NULL), *grad = NULL;
    must(td_tensor_backward(sum, NULL, 0, &err));
    cr_assert_eq(td_tensor_grad(own(pair[0], "weight"), &grad, &err) == TD_OK && grad != NULL, kind > DENSE);
    td_error_release(err);
    err = NULL;
    if (kind == EXPANDED) EXPECT(grad, 2, 4, 6, 2, 4, 6);
    td_tensor_release(grad);
    if (kind == DENSE) {
      must(td_tensor_grad(peek(params, TD_KEY("weight")), &grad, &err));
      EXPECT(grad, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3);
      td_tensor_release(grad);
    }
    must(td_module_zero_grad(pair[0], 1, &err));
    must(td_module_zero_grad(pair[1], 1, &err));
    td_tensor_release(sum), td_tensor_release(y);
    td_dict_release(params);
  }
  for (int i = 0; i < 2; ++i) td_module_release(pair[i]);
}

Test(ensemble, states_as_a_module_list_their_parameters_and_are_not_lazy) {
  td_module *pair[] = {linear(0), linear(1)};
  td_from_modules_options options = TD_FROM_MODULES_OPTIONS_INIT;
  td_dict *params;
  options.lazy_stack = options.as_module = 1;
  expect_error(td_dict_from_modules(pair, 2, &options, &params, &err), TD_ERR_ARGUMENT, NULL,
               "lazy stacks are not supported");
  options.lazy_stack = 0;
  must(td_dict_from_modules(pair, 2, &options, &params, &err));
  td_keys *keys;
  td_tensor_list *tensors;
  must(td_dict_parameters(params, &keys, &tensors, &err));
  cr_assert_eq(td_keys_size(keys), 2);
  td_keys_release(keys);
  td_tensor_list_release(tensors);
  td_dict_release(params);
  for (int i = 0; i < 2; ++i) td_module_release(pair[i]);
}

Test(ensemble, only_a_lazy_stack_may_hold_different_structures) {
  td_module *mixed[] = {linear(0),
                        module("td.linear", "{\"in_features\": 3, \"out_features\": 2, \"bias\": false}", 0)};
  td_dict *params;
  expect_error(td_dict_from_modules(mixed, 2, NULL, &params, &err), TD_ERR_KEY, NULL, "\"bias\"");
  params = states_of(mixed, LAZY);
  td_keys *keys;
  must(td_dict_keys(params, 0, &keys, &err));
  cr_assert_eq(td_keys_size(keys), 1);
  td_keys_release(keys);
  td_dict_release(params);
  for (int i = 0; i < 2; ++i) td_module_release(mixed[i]);
}

/* The first example of the page of stack_module_state. */
enum { MODELS = 5 };
static td_status wrapper(void *userdata, const td_value *args, size_t n, td_value *outs, size_t n_outs,
                         td_error **error) {
  const td_dict *states[] = {args[0].as.dict, args[1].as.dict};
  td_tensor *y;
  cr_assert(n == 3 && n_outs == 1);
  td_status s = td_module_functional_call(userdata, states, 2, NULL, &args[2].as.tensor, 1, &y, 1, error);
  if (s == TD_OK) outs[0] = td_value_tensor(y);
  return s;
}

/* Five layers, their states, and rows for them. */
typedef struct stacked {
  td_module *models[MODELS];
  td_dict *params, *buffers;
  td_tensor *data;
} stacked;

static stacked five_layers(void) {
  stacked s;
  for (int i = 0; i < MODELS; ++i)
    s.models[i] = module("td.linear", "{\"in_features\": 3, \"out_features\": 3}", (uint64_t)i);
  must(td_module_stack_state(s.models, MODELS, &s.params, &s.buffers, &err));
  float numbers[64 * 3];
  for (int i = 0; i < 64 * 3; ++i) numbers[i] = (float)(i % 7) - 3;
  s.data = floats(numbers, TD_SHAPE(64, 3));
  return s;
}

static void release_layers(stacked *s) {
  td_tensor_release(s->data);
  td_dict_release(s->params), td_dict_release(s->buffers);
  for (int i = 0; i < MODELS; ++i) td_module_release(s->models[i]);
}

static td_tensor *zero_weight(void) {
  return floats((const float[]){0, 0, 0, 0, 0, 0, 0, 0, 0}, TD_SHAPE(3, 3));
}

Test(ensemble, a_function_of_stacked_states_gives_the_same_in_chunks_of_any_size) {
  stacked s = five_layers();
  td_value args[] = {td_value_dict(s.params), td_value_dict(s.buffers), td_value_tensor(s.data)}, out;
  int32_t dims[] = {0, 0, TD_VMAP_SHARED};
  static const int64_t chunks[] = {0, 2, 5, 100};
  td_tensor *first = NULL;
  for (int i = 0; i < 4; ++i) {
    td_vmap_function_options options = TD_VMAP_FUNCTION_OPTIONS_INIT;
    options.in_dims = dims;
    options.chunk_size = chunks[i];
    must(td_vmap(wrapper, s.models[0], args, 3, &options, &out, 1, &err));
    expect_shape(out.as.tensor, TD_SHAPE(MODELS, 64, 3));
    if (first) {
      expect_equal(out.as.tensor, first, 1e-6, "chunks");
      td_value_clear(&out);
    } else {
      first = out.as.tensor;
    }
  }
  td_tensor *alone = member_call(s.models[3], s.data);
  for (int i = 0; i < 64 * 3; ++i) cr_assert(fabs(at(first, 3 * 64 * 3 + i) - at(alone, i)) < 1e-5);
  td_tensor_release(alone);
  td_tensor_release(first);
  release_layers(&s);
}

Test(ensemble, dims_of_arguments_that_do_not_fit_are_refused) {
  stacked s = five_layers();
  td_value args[] = {td_value_dict(s.params), td_value_dict(s.buffers), td_value_tensor(s.data)}, out;
  int32_t none[] = {TD_VMAP_SHARED, TD_VMAP_SHARED, TD_VMAP_SHARED}, uneven[] = {0, 0, 0}, far[] = {0, 0, 5};
  td_vmap_function_options options = TD_VMAP_FUNCTION_OPTIONS_INIT;
  options.in_dims = none;
  expect_error(td_vmap(wrapper, s.models[0], args, 3, &options, &out, 1, &err), TD_ERR_ARGUMENT, NULL,
               "must be mapped");
  options.in_dims = uneven;
  expect_error(td_vmap(wrapper, s.models[0], args, 3, &options, &out, 1, &err), TD_ERR_SHAPE, NULL, "64 members");
  options.in_dims = far;
  expect_error(td_vmap(wrapper, s.models[0], args, 3, &options, &out, 1, &err), TD_ERR_INDEX, NULL, "argument 2");
  release_layers(&s);
}

Test(ensemble, a_functional_call_takes_partial_states_unless_it_is_strict) {
  stacked s = five_layers();
  const td_dict *twice[] = {s.params, s.params};
  td_functional_options strict = TD_FUNCTIONAL_OPTIONS_INIT;
  td_tensor *y;
  expect_error(td_module_functional_call(s.models[0], twice, 2, NULL, &s.data, 1, &y, 1, &err), TD_ERR_ARGUMENT, NULL,
               "twice");
  td_dict *partial = dict(TD_NO_DIMS);
  put(partial, TD_KEY("weight"), zero_weight());
  put(partial, TD_KEY("unknown"), VEC(1));
  const td_dict *one = partial;
  must(td_module_functional_call(s.models[0], &one, 1, NULL, &s.data, 1, &y, 1, &err));
  cr_assert(fabs(at(y, 0) - at(own(s.models[0], "bias"), 0)) < 1e-6);
  td_tensor_release(y);
  strict.strict = 1;
  expect_error(td_module_functional_call(s.models[0], &one, 1, &strict, &s.data, 1, &y, 1, &err), TD_ERR_KEY, NULL,
               "\"unknown\"");
  must(td_dict_remove(partial, TD_KEY("unknown"), &err));
  expect_error(td_module_functional_call(s.models[0], &one, 1, &strict, &s.data, 1, &y, 1, &err), TD_ERR_KEY, NULL,
               "\"bias\"");
  td_dict_release(partial);
  release_layers(&s);
}

Test(ensemble, a_tensor_at_two_places_takes_one_value_unless_it_is_untied) {
  stacked s = five_layers();
  must(td_module_set_parameter(s.models[1], TD_KEY("weight"), own(s.models[0], "weight"), &err));
  td_module *tied;
  must(td_module_chain(s.models, 2, NULL, &tied, &err));
  td_dict *both = dict(TD_NO_DIMS);
  put(both, TD_KEY("0.weight"), zero_weight());
  const td_dict *given[] = {both};
  td_tensor *y;
  must(td_module_functional_call(tied, given, 1, NULL, &s.data, 1, &y, 1, &err));
  cr_assert(fabs(at(y, 0) - at(own(s.models[1], "bias"), 0)) < 1e-6, "both places have the new weight");
  td_tensor_release(y);
  put(both, TD_KEY("1", "weight"), floats((const float[]){1, 0, 0, 0, 1, 0, 0, 0, 1}, TD_SHAPE(3, 3)));
  expect_error(td_module_functional_call(tied, given, 1, NULL, &s.data, 1, &y, 1, &err), TD_ERR_ARGUMENT, NULL,
               "two values");
  td_functional_options untied = TD_FUNCTIONAL_OPTIONS_INIT;
  untied.untie_weights = 1;
  must(td_module_functional_call(tied, given, 1, &untied, &s.data, 1, &y, 1, &err));
  td_tensor_release(y);
  td_dict_release(both);
  td_module_release(tied);
  release_layers(&s);
}

/* ---- vmap of functions of dicts */
static td_status sum_of_x(void *userdata, const td_value *args, size_t n, td_value *outs, size_t n_outs,
                          td_error **error) {
  int *seen = userdata;
  td_tensor *x;
  (void)n, (void)n_outs;
  td_status s = td_dict_get(args[0].as.dict, TD_KEY("x"), &x, error);
  if (s != TD_OK) return s;
  int64_t inner[4] = {0};
  *seen = (int)td_dict_batch_size(args[0].as.dict, inner, 4) * 100 + (int)inner[0];
  td_dict *d = dict(inner, (size_t)(*seen / 100));
  td_tensor *y = apply("add", x, x);
  put(d, TD_KEY("y"), y);
  put(d, TD_KEY("n", "shared"), *seen / 100 == 1 && inner[0] == 3 ? VEC(1, 2, 3) : VEC(1, 2, 3, 4));
  td_tensor_release(x);
  outs[0] = td_value_dict(d);
  outs[1] = td_value_tensor(apply("sum", y = get(d, TD_KEY("y")), NULL));
  td_tensor_release(y);
  return TD_OK;
}

static td_status nested_sum(void *userdata, const td_value *args, size_t n, td_value *outs, size_t n_outs,
                            td_error **error) {
  return td_vmap(sum_of_x, userdata, args, n, NULL, outs, n_outs, error);
}

/* Writes what is allowed into its dict and gives it back. */
static td_status set_inside(void *userdata, const td_value *args, size_t n, td_value *outs, size_t n_outs,
                            td_error **error) {
  (void)n, (void)n_outs, (void)error;
  td_tensor *x = get(args[0].as.dict, TD_KEY("x"));
  *(td_status *)userdata = td_dict_set((td_dict *)args[0].as.dict, TD_KEY("y"), x, NULL);
  td_tensor_release(x);
  td_dict_retain(args[0].as.dict);
  outs[0] = td_value_dict(args[0].as.dict);
  return TD_OK;
}

Test(ensemble, locked_in_is_locked_inside_and_locked_out) {
  for (int locked = 0; locked < 2; ++locked) {
    td_dict *data = dict(TD_SHAPE(3));
    put(data, TD_KEY("x"), VEC(1, 2, 3));
    if (locked) must(td_dict_lock_(data, &err));
    td_value arg = td_value_dict(data), out;
    td_status set = TD_OK;
    must(td_vmap(set_inside, &set, &arg, 1, NULL, &out, 1, &err));
    cr_assert_eq(set, locked ? TD_ERR_LOCKED : TD_OK);
    cr_assert_eq(td_dict_is_locked(out.as.dict), locked);
    cr_assert_eq(td_dict_is_locked(data), locked);
    td_value_clear(&out), td_dict_release(data);
  }
}

Test(ensemble, functions_of_dicts_do_not_see_the_dim_of_the_members) {
  td_dict *data = dict(TD_SHAPE(4, 3));
  float numbers[12];
  for (int i = 0; i < 12; ++i) numbers[i] = (float)i;
  put(data, TD_KEY("x"), floats(numbers, TD_SHAPE(4, 3)));
  td_value arg = td_value_dict(data), outs[2];
  static const struct {
    int32_t in;
    int64_t out;
    int seen;
    int64_t shape[2];
    double sums[4];
  } cases[] = {{0, 0, 103, {4, 3}, {6, 24, 42, 60}},
               {1, 0, 104, {3, 4}, {36, 44, 52}},
               {-1, 1, 104, {4, 3}, {36, 44, 52}},
               {0, -1, 103, {3, 4}, {6, 24, 42, 60}}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    td_vmap_function_options options = TD_VMAP_FUNCTION_OPTIONS_INIT;
    int64_t out_dims[] = {cases[i].out, 0};
    int seen;
    options.in_dims = &cases[i].in;
    options.out_dims = out_dims;
    options.chunk_size = i == 3 ? 3 : 0;
    must(td_vmap(sum_of_x, &seen, &arg, 1, &options, outs, 2, &err));
    cr_assert_eq(seen, cases[i].seen);
    expect_shape(peek(outs[0].as.dict, TD_KEY("y")), cases[i].shape, 2);
    expect_shape(peek(outs[0].as.dict, TD_KEY("n", "shared")), cases[i].shape, 2);
    expect(outs[1].as.tensor, cases[i].sums, cases[i].seen == 103 ? 4 : 3, 1e-6, "sums");
    td_value_clear(&outs[0]);
    td_value_clear(&outs[1]);
  }
  td_dict_release(data);
}

Test(ensemble, a_dict_without_batch_dims_cannot_be_mapped) {
  td_dict *data = dict(TD_NO_DIMS);
  put(data, TD_KEY("x"), floats((const float[]){0}, TD_NO_DIMS));
  td_value bad = td_value_dict(data), outs[2];
  int seen;
  expect_error(td_vmap(sum_of_x, &seen, &bad, 1, NULL, outs, 2, &err), TD_ERR_INDEX, NULL, "not a batch dim");
  td_dict_release(data);
}

Test(ensemble, maps_of_functions_of_dicts_nest) {
  td_dict *deep = dict(TD_SHAPE(2, 4, 3));
  put(deep, TD_KEY("x"), floats((const float[24]){1}, TD_SHAPE(2, 4, 3)));
  td_value arg = td_value_dict(deep), outs[2];
  int seen;
  must(td_vmap(nested_sum, &seen, &arg, 1, NULL, outs, 2, &err));
  expect_shape(outs[1].as.tensor, TD_SHAPE(2, 4));
  EXPECT(outs[1].as.tensor, 2, 0, 0, 0, 0, 0, 0, 0);
  td_value_clear(&outs[0]);
  td_value_clear(&outs[1]);
  td_dict_release(deep);
}

static td_status make_ensemble(td_module *m, int64_t copies, td_bool expand, td_module **out) {
  td_generator *rng;
  must(td_generator_new(3, &rng, &err));
  const td_status status = td_module_ensemble(m, copies, expand, rng, out, &err);
  td_generator_release(rng);
  return status;
}

/* Of a layer from "x" to "y". */
static td_module *ensemble_of(int64_t copies, td_bool expand) {
  td_module *one = keyed(linear(0), "x", "y"), *many;
  must(make_ensemble(one, copies, expand, &many));
  td_module_release(one);
  return many;
}

static td_dict *five_rows(void) {
  td_dict *data = dict(TD_SHAPE(5));
  put(data, TD_KEY("x"), floats((const float[15]){1, 2, 3}, TD_SHAPE(5, 3)));
  return data;
}

Test(ensemble, an_ensemble_is_a_module_of_copies) {
  td_module *bare = linear(0), *many = ensemble_of(4, 1);
  td_keys *keys;
  td_tensor_list *tensors;
  must(td_module_parameters(many, NULL, &keys, &tensors, &err));
  cr_assert_str_eq(joined(keys),
                   "module.module.weight module.module.bias params_td.module.weight params_td.module.bias ");
  td_tensor_list_release(tensors);
  td_tensor *stacked = parameter(many, TD_KEY("params_td", "module", "weight")),
            *template = parameter(many, TD_KEY("module", "module", "weight"));
  expect_shape(stacked, TD_SHAPE(4, 2, 3));
  cr_assert(at(template, 0) == at(own(bare, "weight"), 0) && at(stacked, 0) != at(stacked, 6),
            "copies differ, the template stays");
  td_module_release(many);
  td_module_release(bare);
}

Test(ensemble, all_copies_run_on_the_data_and_get_gradients) {
  td_module *many = ensemble_of(4, 1);
  td_dict *data = five_rows(), *out;
  must(td_module_run(many, data, NULL, &out, &err));
  cr_assert_neq(out, data);
  expect_shape(peek(out, TD_KEY("y")), TD_SHAPE(4, 5, 2));
  expect_shape(peek(out, TD_KEY("x")), TD_SHAPE(4, 5, 3));
  td_tensor *sum = apply("sum", peek(out, TD_KEY("y")), NULL), *grad = NULL;
  must(td_tensor_backward(sum, NULL, 0, &err));
  must(td_tensor_grad(parameter(many, TD_KEY("params_td", "module", "weight")), &grad, &err));
  expect_shape(grad, TD_SHAPE(4, 2, 3));
  td_tensor_release(grad);
  td_tensor_release(sum);
  td_dict_release(out);
  td_dict_release(data);
  td_module_release(many);
}

Test(ensemble, an_ensemble_returns_only_what_is_selected) {
  td_module *many = ensemble_of(4, 1);
  td_dict *data = five_rows(), *out;
  must(td_module_select_out_keys(many, NULL, 0, &err));
  must(td_module_run(many, data, NULL, &out, &err));
  td_entry_kind kind;
  must(td_dict_entry_kind(out, TD_KEY("y"), &kind, &err));
  cr_assert(peek(out, TD_KEY("x")) && kind == TD_ENTRY_NONE, "only what is selected is returned");
  td_dict_release(out);
  td_dict_release(data);
  td_module_release(many);
}

Test(ensemble, each_copy_may_get_its_own_row) {
  td_module *five = ensemble_of(5, 0), *three = ensemble_of(3, 0);
  td_dict *data = five_rows(), *out;
  must(td_module_run(five, data, NULL, &out, &err));
  expect_shape(peek(out, TD_KEY("y")), TD_SHAPE(5, 2));
  td_dict_release(out);
  expect_error(td_module_run(three, data, NULL, &out, &err), TD_ERR_SHAPE, NULL, "5 members");
  td_dict_release(data);
  td_module_release(five);
  td_module_release(three);
}

Test(ensemble, an_ensemble_needs_copies_and_keys) {
  td_module *one = keyed(linear(0), "x", "y"), *bare = linear(0), *none;
  expect_error(make_ensemble(one, 0, 1, &none), TD_ERR_ARGUMENT, NULL, "1 to 16777216 copies");
  expect_error(make_ensemble(one, INT64_MAX, 1, &none), TD_ERR_ARGUMENT, NULL, "1 to 16777216 copies");
  expect_error(make_ensemble(bare, 2, 1, &none), TD_ERR_ARGUMENT, NULL, "must have keys");
  td_module_release(one);
  td_module_release(bare);
}

Test(ensemble, copies_are_drawn_anew_one_by_one) {
  td_module *one = keyed(linear(0), "x", "y"), *many;
  must(td_module_ensemble(one, 3, 1, NULL, &many, &err));
  td_dict *params, *out, *single;
  must(td_dict_from_module(one, &single, &err));
  must(td_dict_expand(single, TD_SHAPE(3), &params, &err));
  td_dict *copies;
  must(td_dict_clone(params, &copies, &err));
  td_generator *rng;
  must(td_generator_new(7, &rng, &err));
  size_t n = 9;
  td_tensor *own = parameter(many, TD_KEY("params_td", "module", "weight")),
            *template = parameter(one, TD_KEY("module", "weight"));
  double before = at(own, 0), of_template = at(template, 0);
  must(td_module_reset_parameters(many, copies, rng, &out, &n, &err));
  cr_assert(n == 0 && td_dict_kind_of(out) == TD_DICT_KIND_LAZY_STACK);
  td_tensor *drawn = get(copies, TD_KEY("module", "weight")), *seen = get(out, TD_KEY("module", "weight"));
  expect_shape(drawn, TD_SHAPE(3, 2, 3));
  cr_assert(at(drawn, 0) != at(drawn, 6) && at(drawn, 6) != at(drawn, 12), "each copy for itself");
  expect_equal(drawn, seen, 0, "the same memory");
  cr_assert(at(own, 0) == before && at(template, 0) == of_template, "the ensemble and the module keep theirs");

  td_dict *none;
  expect_error(td_module_reset_parameters(one, copies, rng, &none, NULL, &err), TD_ERR_SHAPE, NULL, "[3]");
  td_tensor_release(drawn);
  td_tensor_release(seen);
  td_dict *const dicts[] = {params, out, single, copies};
  for (size_t i = 0; i < 4; ++i) td_dict_release(dicts[i]);
  td_generator_release(rng);
  td_module_release(many);
  td_module_release(one);
}

/* Members of a sequence are drawn twice: numbers of the original after torch.manual_seed(0). */
Test(ensemble, sequences_draw_the_numbers_of_the_original) {
  static const double expected[] = {-0.8230451345443726,  -0.7359390258789062,  -0.019813179969787598,
                                    0.7928894758224487,   -0.30221307277679443, -0.1965653896331787,
                                    -0.41222310066223145, 0.03704357147216797};
  static const char one_to_one[] = "{\"in_features\": 1, \"out_features\": 1}";
  td_module *members[] = {keyed(module("td.linear", one_to_one, 0), "a", "b"),
                          keyed(module("td.linear", one_to_one, 0), "b", "c")},
            *sequence, *many;
  must(td_module_sequential(members, 2, NULL, &sequence, &err));
  td_generator *rng;
  must(td_generator_new(0, &rng, &err));
  must(td_module_ensemble(sequence, 2, 1, rng, &many, &err));
  const td_key *names[] = {
      TD_KEY("params_td", "module", "0", "module", "weight"), TD_KEY("params_td", "module", "0", "module", "bias"),
      TD_KEY("params_td", "module", "1", "module", "weight"), TD_KEY("params_td", "module", "1", "module", "bias")};
  for (int copy = 0; copy < 2; ++copy)
    for (int i = 0; i < 4; ++i) cr_assert(fabs(at(parameter(many, names[i]), copy) - expected[4 * copy + i]) < 1e-6);
  must(td_generator_seed(rng, 0, &err));
  size_t n;
  must(td_module_reset_parameters(sequence, NULL, rng, NULL, &n, &err));
  cr_assert_eq(n, 2);
  for (int i = 0; i < 2; ++i) {
    cr_assert(fabs(at(parameter(members[i], TD_KEY("module", "weight")), 0) - expected[2 * i]) < 1e-6);
    cr_assert(fabs(at(parameter(members[i], TD_KEY("module", "bias")), 0) - expected[2 * i + 1]) < 1e-6);
  }
  td_generator_release(rng);
  td_module *const all[] = {many, sequence, members[0], members[1]};
  for (size_t i = 0; i < 4; ++i) td_module_release(all[i]);
}

/* All members draw before the first of them changes. */
Test(ensemble, a_sequence_of_which_a_member_cannot_be_drawn_stays_as_it_is) {
  td_module *members[] = {keyed(linear(0), "a", "b"), keyed(linear(1), "b", "c")}, *sequence;
  td_tensor *wide;
  must(td_module_sequential(members, 2, NULL, &sequence, &err));
  must(td_tensor_full(TD_SHAPE(5, 3), TD_VALUE(td_value_double(1)), TD_DTYPE_FLOAT32, TD_NO_STR, &wide, &err));
  must(td_tensor_requires_grad_(wide, 1, &err));
  must(td_module_set_parameter(members[1], TD_KEY("module", "weight"), wide, &err));
  const double before = at(parameter(members[0], TD_KEY("module", "weight")), 0);
  expect_error(td_module_reset_parameters(sequence, NULL, NULL, NULL, NULL, &err), TD_ERR_SHAPE, NULL, "[5, 3]");
  check(at(parameter(members[0], TD_KEY("module", "weight")), 0) == before);
  td_tensor_release(wide);
  td_module_release(sequence), td_module_release(members[0]), td_module_release(members[1]);
}

/* Numbers are drawn into the module itself: memory that faults when it is written is refused. */
Test(ensemble, a_module_in_read_only_memory_draws_nothing) {
  char path[] = "/tmp/td-ensemble.XXXXXX";
  const int fd = mkstemp(path);
  cr_assert(fd >= 0);
  close(fd);
  td_save_options save = TD_SAVE_OPTIONS_INIT;
  save.overwrite = 1;
  td_module *m = linear(0), *keyed, *none;
  td_tensor *written, *weight;
  must(td_tensor_memmap_from(own(m, "weight"), TD_STR(path), &save, &written, &err));
  td_tensor_release(written);
  must(td_tensor_memmap_open(TD_STR(path), TD_SHAPE(2, 3), TD_DTYPE_FLOAT32, TD_OPEN_READ, &weight, &err));
  must(td_tensor_requires_grad_(weight, 1, &err));
  must(td_module_set_parameter(m, TD_KEY("weight"), weight, &err));
  must(td_module_tensordict(m, TD_KEY("x"), 1, TD_KEY("y"), 1, NULL, &keyed, &err));
  expect_error(td_module_reset_parameters(m, NULL, NULL, NULL, NULL, &err), TD_ERR_LOCKED, NULL, "read-only");
  expect_error(td_module_ensemble(keyed, 2, 1, NULL, &none, &err), TD_ERR_LOCKED, NULL, "read-only");
  td_tensor_release(weight);
  td_module_release(keyed), td_module_release(m);
  unlink(path);
}
