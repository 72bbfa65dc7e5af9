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

/* The examples of the page of from_modules: dense stacks are new, lazy ones are the modules' own. */
Test(ensemble, from_modules_dense_lazy_and_expanded) {
  td_module *pair[] = {linear(0), linear(1)}, *same[] = {pair[0], pair[0]}, *policy;
  must(td_module_tensordict(pair[0], TD_KEY("x"), 1, TD_KEY("y"), 1, NULL, &policy, &err));
  td_dict *data = dict(TD_NO_DIMS);
  put(data, TD_KEY("x"), VEC(1, 2, 3));
  td_tensor *x = peek(data, TD_KEY("x")), *grad;
  for (int kind = 0; kind < 3; ++kind) { /* dense, lazy, expanded */
    td_from_modules_options options = TD_FROM_MODULES_OPTIONS_INIT;
    options.lazy_stack = kind == 1;
    options.expand_identical = kind == 2;
    td_dict *params, *states = dict(TD_SHAPE(2)), *out;
    must(td_dict_from_modules(kind == 2 ? same : pair, 2, &options, &params, &err));
    cr_assert(td_dict_is_locked(params));
    must(td_dict_set_dict(states, TD_KEY("module"), params, &err));
    must(td_module_vmap(policy, states, data, NULL, &out, &err));
    td_tensor *y = peek(out, TD_KEY("y"));
    expect_shape(y, TD_SHAPE(2, 2));
    for (int i = 0; i < 2; ++i) {
      td_tensor *alone = member_call(kind == 2 ? same[i] : pair[i], x);
      for (int j = 0; j < 2; ++j) cr_assert(fabs(at(alone, j) - at(y, 2 * i + j)) < 1e-6);
      td_tensor_release(alone);
    }
    td_tensor *sum = apply("sum", y, NULL);
    must(td_tensor_backward(sum, NULL, 0, &err));
    td_tensor_release(sum);
    grad = NULL;
    cr_assert_eq(td_tensor_grad(own(pair[0], "weight"), &grad, &err) == TD_OK && grad != NULL, kind > 0);
    td_error_release(err);
    err = NULL;
    if (kind == 2) EXPECT(grad, 2, 4, 6, 2, 4, 6);
    td_tensor_release(grad);
    if (kind == 0) {
      must(td_tensor_grad(peek(params, TD_KEY("weight")), &grad, &err));
      EXPECT(grad, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3);
      td_tensor_release(grad);
    }
    must(td_module_zero_grad(pair[0], 1, &err));
    must(td_module_zero_grad(pair[1], 1, &err));
    td_dict_release(out);
    td_dict_release(params);
    td_dict_release(states);
  }

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

  td_module *other = module("td.linear", "{\"in_features\": 3, \"out_features\": 2, \"bias\": false}", 0),
            *mixed[] = {pair[0], other};
  expect_error(td_dict_from_modules(mixed, 2, NULL, &params, &err), TD_ERR_KEY, NULL, "\"bias\"");
  options.as_module = 0, options.lazy_stack = 1; /* a lazy stack may hold different structures */
  must(td_dict_from_modules(mixed, 2, &options, &params, &err));
  must(td_dict_keys(params, 0, &keys, &err));
  cr_assert_eq(td_keys_size(keys), 1);
  td_keys_release(keys);
  td_dict_release(params);
  td_module_release(other);
  td_dict_release(data);
  td_module_release(policy);
  for (int i = 0; i < 2; ++i) td_module_release(pair[i]);
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

Test(ensemble, stack_module_state_and_functional_calls) {
  td_module *models[MODELS];
  for (int i = 0; i < MODELS; ++i)
    models[i] = module("td.linear", "{\"in_features\": 3, \"out_features\": 3}", (uint64_t)i);
  td_dict *params, *buffers;
  must(td_module_stack_state(models, MODELS, &params, &buffers, &err));
  float numbers[64 * 3];
  for (int i = 0; i < 64 * 3; ++i) numbers[i] = (float)(i % 7) - 3;
  td_tensor *data = floats(numbers, TD_SHAPE(64, 3));
  td_value args[] = {td_value_dict(params), td_value_dict(buffers), td_value_tensor(data)}, out;
  int32_t dims[] = {0, 0, TD_VMAP_SHARED};
  static const int64_t chunks[] = {0, 2, 5, 100};
  td_tensor *first = NULL;
  for (int i = 0; i < 4; ++i) {
    td_vmap_function_options options = TD_VMAP_FUNCTION_OPTIONS_INIT;
    options.in_dims = dims;
    options.chunk_size = chunks[i];
    must(td_vmap(wrapper, models[0], args, 3, &options, &out, 1, &err));
    expect_shape(out.as.tensor, TD_SHAPE(MODELS, 64, 3));
    if (first) {
      expect_equal(out.as.tensor, first, 1e-6, "chunks");
      td_value_clear(&out);
    } else {
      first = out.as.tensor;
    }
  }
  td_tensor *alone = member_call(models[3], data);
  for (int i = 0; i < 64 * 3; ++i) cr_assert(fabs(at(first, 3 * 64 * 3 + i) - at(alone, i)) < 1e-5);
  td_tensor_release(alone);
  td_tensor_release(first);

  int32_t none[] = {TD_VMAP_SHARED, TD_VMAP_SHARED, TD_VMAP_SHARED}, uneven[] = {0, 0, 0}, far[] = {0, 0, 5};
  td_vmap_function_options options = TD_VMAP_FUNCTION_OPTIONS_INIT;
  options.in_dims = none;
  expect_error(td_vmap(wrapper, models[0], args, 3, &options, &out, 1, &err), TD_ERR_ARGUMENT, NULL, "must be mapped");
  options.in_dims = uneven;
  expect_error(td_vmap(wrapper, models[0], args, 3, &options, &out, 1, &err), TD_ERR_SHAPE, NULL, "64 members");
  options.in_dims = far;
  expect_error(td_vmap(wrapper, models[0], args, 3, &options, &out, 1, &err), TD_ERR_INDEX, NULL, "argument 2");

  const td_dict *twice[] = {params, params}, *one = params;
  td_functional_options strict = TD_FUNCTIONAL_OPTIONS_INIT;
  td_tensor *y;
  expect_error(td_module_functional_call(models[0], twice, 2, NULL, &data, 1, &y, 1, &err), TD_ERR_ARGUMENT, NULL,
               "twice");
  td_dict *partial = dict(TD_NO_DIMS);
  td_tensor *w = floats((const float[]){0, 0, 0, 0, 0, 0, 0, 0, 0}, TD_SHAPE(3, 3));
  put(partial, TD_KEY("weight"), w);
  put(partial, TD_KEY("unknown"), VEC(1));
  one = partial;
  must(td_module_functional_call(models[0], &one, 1, NULL, &data, 1, &y, 1, &err));
  cr_assert(fabs(at(y, 0) - at(own(models[0], "bias"), 0)) < 1e-6);
  td_tensor_release(y);
  strict.strict = 1;
  expect_error(td_module_functional_call(models[0], &one, 1, &strict, &data, 1, &y, 1, &err), TD_ERR_KEY, NULL,
               "\"unknown\"");
  must(td_dict_remove(partial, TD_KEY("unknown"), &err));
  expect_error(td_module_functional_call(models[0], &one, 1, &strict, &data, 1, &y, 1, &err), TD_ERR_KEY, NULL,
               "\"bias\"");

  /* Tied: one tensor at two places. */
  td_tensor *shared = own(models[0], "weight");
  must(td_module_set_parameter(models[1], TD_KEY("weight"), shared, &err));
  td_module *tied;
  must(td_module_chain(models, 2, NULL, &tied, &err));
  td_dict *both = dict(TD_NO_DIMS), *zero_bias = dict(TD_NO_DIMS);
  put(both, TD_KEY("0.weight"), floats((const float[]){0, 0, 0, 0, 0, 0, 0, 0, 0}, TD_SHAPE(3, 3)));
  const td_dict *given[] = {both};
  must(td_module_functional_call(tied, given, 1, NULL, &data, 1, &y, 1, &err));
  cr_assert(fabs(at(y, 0) - at(own(models[1], "bias"), 0)) < 1e-6, "both places have the new weight");
  td_tensor_release(y);
  put(both, TD_KEY("1", "weight"), floats((const float[]){1, 0, 0, 0, 1, 0, 0, 0, 1}, TD_SHAPE(3, 3)));
  expect_error(td_module_functional_call(tied, given, 1, NULL, &data, 1, &y, 1, &err), TD_ERR_ARGUMENT, NULL,
               "two values");
  strict.strict = 0, strict.untie_weights = 1;
  must(td_module_functional_call(tied, given, 1, &strict, &data, 1, &y, 1, &err));
  td_tensor_release(y);
  td_dict_release(both);
  td_dict_release(zero_bias);
  td_module_release(tied);
  td_dict_release(partial);
  td_tensor_release(data);
  td_dict_release(params);
  td_dict_release(buffers);
  for (int i = 0; i < MODELS; ++i) td_module_release(models[i]);
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
  td_dict *flat = dict(TD_NO_DIMS), *short_data = dict(TD_NO_DIMS);
  put(flat, TD_KEY("x"), VEC(1, 2)); /* no batch dims: the leading dim of its tensors */
  put(short_data, TD_KEY("x"), floats(numbers, TD_NO_DIMS));
  td_value bad = td_value_dict(short_data);
  int seen;
  expect_error(td_vmap(sum_of_x, &seen, &bad, 1, NULL, outs, 2, &err), TD_ERR_INDEX, NULL, "not a batch dim");
  td_dict_release(flat);
  td_dict_release(short_data);

  td_dict *deep = dict(TD_SHAPE(2, 4, 3));
  put(deep, TD_KEY("x"), floats((const float[24]){1}, TD_SHAPE(2, 4, 3)));
  arg = td_value_dict(deep);
  must(td_vmap(nested_sum, &seen, &arg, 1, NULL, outs, 2, &err));
  expect_shape(outs[1].as.tensor, TD_SHAPE(2, 4));
  EXPECT(outs[1].as.tensor, 2, 0, 0, 0, 0, 0, 0, 0);
  td_value_clear(&outs[0]);
  td_value_clear(&outs[1]);
  td_dict_release(deep);
  td_dict_release(data);
}

Test(ensemble, an_ensemble_is_a_module_of_copies) {
  td_module *one = keyed(linear(0), "x", "y"), *many, *bare = linear(0);
  td_generator *rng;
  must(td_generator_new(3, &rng, &err));
  double before = at(own(bare, "weight"), 0);
  must(td_module_ensemble(one, 4, 1, rng, &many, &err));
  td_keys *keys;
  td_tensor_list *tensors;
  must(td_module_parameters(many, NULL, &keys, &tensors, &err));
  cr_assert_str_eq(joined(keys),
                   "module.module.weight module.module.bias params_td.module.weight params_td.module.bias ");
  td_tensor_list_release(tensors);
  td_tensor *stacked, *template;
  must(td_module_get_parameter(many, TD_KEY("params_td", "module", "weight"), &stacked, &err));
  must(td_module_get_parameter(many, TD_KEY("module", "module", "weight"), &template, &err));
  expect_shape(stacked, TD_SHAPE(4, 2, 3));
  cr_assert(at(template, 0) == before && at(stacked, 0) != at(stacked, 6), "copies differ, the template stays");

  td_dict *data = dict(TD_SHAPE(5)), *out;
  put(data, TD_KEY("x"), floats((const float[15]){1, 2, 3}, TD_SHAPE(5, 3)));
  must(td_module_run(many, data, NULL, &out, &err));
  cr_assert_neq(out, data);
  expect_shape(peek(out, TD_KEY("y")), TD_SHAPE(4, 5, 2));
  expect_shape(peek(out, TD_KEY("x")), TD_SHAPE(4, 5, 3));
  td_tensor *sum = apply("sum", peek(out, TD_KEY("y")), NULL), *grad = NULL;
  must(td_tensor_backward(sum, NULL, 0, &err));
  must(td_tensor_grad(stacked, &grad, &err));
  expect_shape(grad, TD_SHAPE(4, 2, 3));
  td_tensor_release(grad);
  td_tensor_release(sum);
  td_dict_release(out);
  must(td_module_select_out_keys(many, NULL, 0, &err));
  must(td_module_run(many, data, NULL, &out, &err));
  td_entry_kind kind;
  must(td_dict_entry_kind(out, TD_KEY("y"), &kind, &err));
  cr_assert(peek(out, TD_KEY("x")) && kind == TD_ENTRY_NONE, "only what is selected is returned");
  td_dict_release(out);

  td_module *apart, *none;
  must(td_module_ensemble(one, 5, 0, rng, &apart, &err)); /* each copy gets its row */
  must(td_module_run(apart, data, NULL, &out, &err));
  expect_shape(peek(out, TD_KEY("y")), TD_SHAPE(5, 2));
  td_dict_release(out);
  td_module_release(apart);
  must(td_module_ensemble(one, 3, 0, rng, &apart, &err));
  expect_error(td_module_run(apart, data, NULL, &out, &err), TD_ERR_SHAPE, NULL, "5 members");
  expect_error(td_module_ensemble(one, 0, 1, rng, &none, &err), TD_ERR_ARGUMENT, NULL, "1 to 16777216 copies");
  expect_error(td_module_ensemble(one, INT64_MAX, 1, rng, &none, &err), TD_ERR_ARGUMENT, NULL, "1 to 16777216 copies");
  expect_error(td_module_ensemble(bare, 2, 1, rng, &none, &err), TD_ERR_ARGUMENT, NULL, "must have keys");
  td_dict_release(data);
  td_tensor_release(stacked);
  td_tensor_release(template);
  td_generator_release(rng);
  td_module_release(apart);
  td_module_release(many);
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
