/* What is most likely done wrong, one test for each: the state of modules, ensembles and vmap. */
#include "support/probabilistic_support.h"

TestSuite(module_traps_state, .init = count_live, .fini = check_live);

static const char norm[] = "{\"num_features\": 3}";

static td_dict *stacked(td_module *const *modules, size_t n) {
  td_dict *d;
  must(td_dict_from_modules(modules, n, NULL, &d, &err));
  return d;
}

static td_tensor *parameter_of(const td_module *m, const td_key *name) { /* borrowed */
  td_tensor *t;
  must(td_module_get_parameter(m, name, &t, &err));
  td_tensor_release(t);
  return t;
}

Test(module_traps_state, trap_13_buffers_are_stacked_as_buffers_and_the_first_module_says_what_requires_grad) {
  td_module *pair[] = {module("td.batch_norm1d", norm, 0), module("td.batch_norm1d", norm, 1)};
  must(td_tensor_requires_grad_(parameter_of(pair[1], TD_KEY("weight")), 0, &err));
  td_dict *d = stacked(pair, 2), *params, *buffers;
  cr_assert_eq(td_tensor_dtype(peek(d, TD_KEY("num_batches_tracked"))), TD_DTYPE_INT64);
  cr_assert(!td_tensor_requires_grad(peek(d, TD_KEY("running_mean"))));
  cr_assert(td_tensor_requires_grad(peek(d, TD_KEY("weight"))), "as module 0");
  expect_error(td_module_stack_state(pair, 2, &params, &buffers, &err), TD_ERR_ARGUMENT, NULL, "same .requires_grad");
  td_dict_release(d);
  td_module_release(pair[0]);
  td_module_release(pair[1]);
}

/* Two layers that share a weight. */
static td_module *tied(uint64_t seed) {
  td_module *layers[] = {module("td.linear", "{\"in_features\": 2, \"out_features\": 2}", seed),
                         module("td.linear", "{\"in_features\": 2, \"out_features\": 2}", seed + 1)},
            *m;
  must(td_module_set_parameter(layers[1], TD_KEY("weight"), parameter_of(layers[0], TD_KEY("weight")), &err));
  must(td_module_chain(layers, 2, NULL, &m, &err));
  td_module_release(layers[0]);
  td_module_release(layers[1]);
  return m;
}

Test(module_traps_state, trap_14_tied_parameters_part_keep_one_name_or_stay_tied) {
  td_module *pair[] = {tied(0), tied(5)};
  td_dict *d = stacked(pair, 2), *params, *buffers;
  cr_assert_neq(peek(d, TD_KEY("0", "weight")), peek(d, TD_KEY("1", "weight")), "from_modules unties");
  must(td_module_stack_state(pair, 2, &params, &buffers, &err));
  cr_assert_str_eq(entries_of(params), "0.bias,0.weight,1.bias", "the first name only");

  td_dict *zero = dict(TD_NO_DIMS), *both = dict(TD_NO_DIMS); /* a functional call replaces it under both names */
  put(zero, TD_KEY("0", "weight"), full(0, TD_SHAPE(2, 2)));
  const td_dict *states[] = {zero};
  td_tensor *x = VEC(1, 1), *y;
  must(td_module_functional_call(pair[0], states, 1, NULL, &x, 1, &y, 1, &err));
  expect_equal(y, parameter_of(pair[0], TD_KEY("1", "bias")), 1e-6, "y");
  td_tensor_release(y);
  put(both, TD_KEY("0", "weight"), full(0, TD_SHAPE(2, 2)));
  put(both, TD_KEY("1", "weight"), full(1, TD_SHAPE(2, 2)));
  states[0] = both;
  expect_error(td_module_functional_call(pair[0], states, 1, NULL, &x, 1, &y, 1, &err), TD_ERR_ARGUMENT, NULL,
               "two values are given");
  td_tensor *bias = parameter_of(pair[0], TD_KEY("0", "bias")); /* a swap sets each place */
  td_scope *scope;
  must(td_module_swap(pair[0], both, 0, &scope, &err));
  cr_assert_eq(parameter_of(pair[0], TD_KEY("0", "weight")), peek(both, TD_KEY("0", "weight")));
  cr_assert_eq(parameter_of(pair[0], TD_KEY("1", "weight")), peek(both, TD_KEY("1", "weight")));
  must(td_scope_end(scope, &err));
  td_scope_release(scope);
  cr_assert_eq(parameter_of(pair[0], TD_KEY("0", "weight")), parameter_of(pair[0], TD_KEY("1", "weight")));
  cr_assert_eq(parameter_of(pair[0], TD_KEY("0", "bias")), bias);
  td_tensor_release(x);
  td_dict_release(both);
  td_dict_release(zero);
  td_dict_release(params);
  td_dict_release(buffers);
  td_dict_release(d);
  td_module_release(pair[0]);
  td_module_release(pair[1]);
}

/* Python's default cuts the graph; its page says that gradients arrive, and here they do. */
Test(module_traps_state, trap_15_gradients_reach_what_was_put_in_place_of_parameters) {
  td_module *linear = known_linear();
  td_tensor *leaf = VEC(1, 2), *x = VEC(0, 0, 0), *y, *grad, *three = VEC(3, 3), *own_grad;
  must(td_tensor_requires_grad_(leaf, 1, &err));
  td_tensor *derived = apply("mul", leaf, three); /* no leaf */
  td_dict *params = dict(TD_NO_DIMS);
  put(params, TD_KEY("bias"), derived);
  td_scope *scope;
  must(td_module_swap(linear, params, 0, &scope, &err));
  must(td_module_call(linear, &x, 1, &y, 1, &err));
  must(td_scope_end(scope, &err));
  td_scope_release(scope);
  td_tensor *sum = apply("sum", y, NULL);
  must(td_tensor_backward(sum, NULL, 0, &err));
  must(td_tensor_grad(leaf, &grad, &err));
  EXPECT(grad, 3, 3);
  must(td_tensor_grad(parameter_of(linear, TD_KEY("bias")), &own_grad, &err));
  cr_assert_null(own_grad);
  td_tensor_release(grad);
  td_tensor_release(sum);
  td_tensor_release(y);
  td_tensor_release(three);
  td_tensor_release(x);
  td_tensor_release(leaf);
  td_dict_release(params);
  td_module_release(linear);
}

static td_status fail_inside(void *userdata, const td_module *m, td_hook_call *call, td_error **error) {
  (void)userdata, (void)m, (void)call;
  *error = td_error_new(TD_ERR_IO, TD_STR("fails inside"));
  return TD_ERR_IO;
}

Test(module_traps_state, trap_16_a_swap_ends_with_what_the_module_had_also_after_a_failure) {
  td_module *m = module("td.batch_norm1d", norm, 0);
  td_tensor *own;
  must(td_module_get_buffer(m, TD_KEY("running_mean"), &own, &err));
  td_dict *params = dict(TD_NO_DIMS);
  put(params, TD_KEY("running_mean"), VEC(5, 5, 5));
  td_tensor *x = floats((const float[]){1, 2, 3, 4, 5, 6}, TD_SHAPE(2, 3)), *y;
  for (int failing = 0; failing < 2; ++failing) {
    td_scope *scope;
    uint64_t id;
    if (failing)
      must(td_module_add_forward_pre_hook(m, TD_CALLBACKS(td_forward_hook, fail_inside, NULL, NULL), 0, &id, &err));
    must(td_module_swap(m, params, 0, &scope, &err));
    if (failing) {
      expect_error(td_module_call(m, &x, 1, &y, 1, &err), TD_ERR_CALLBACK, NULL, "fails inside");
    } else {
      must(td_module_call(m, &x, 1, &y, 1, &err));
      td_tensor_release(y);
    }
    must(td_scope_cancel(scope, &err)); /* ends it, too */
    td_scope_release(scope);
    td_tensor *now;
    must(td_module_get_buffer(m, TD_KEY("running_mean"), &now, &err));
    cr_assert_eq(now, own);
    EXPECT(now, 0, 0, 0);
    EXPECT(peek(params, TD_KEY("running_mean")), 4.75, 4.85, 4.95); /* .9 * 5 + .1 * mean: its updates stay there */
    td_tensor_release(now);
  }
  td_tensor_release(x);
  td_tensor_release(own);
  td_dict_release(params);
  td_module_release(m);
}

Test(module_traps_state, a_swap_whose_dict_has_lost_a_key_stays_until_it_is_cancelled) {
  td_module *linear = known_linear();
  td_tensor *own = parameter_of(linear, TD_KEY("weight")), *bias = VEC(7, 7);
  td_dict *params = dict(TD_NO_DIMS);
  put(params, TD_KEY("bias"), VEC(1, 2));
  put(params, TD_KEY("weight"), full(0, TD_SHAPE(2, 3)));
  td_tensor *given = peek(params, TD_KEY("bias"));
  td_scope *scope;
  must(td_module_swap(linear, params, 0, &scope, &err));
  must(td_module_set_parameter(linear, TD_KEY("bias"), bias, &err));
  must(td_dict_remove(params, TD_KEY("weight"), &err));
  expect_error(td_scope_end(scope, &err), TD_ERR_KEY, NULL, "");
  cr_assert_eq(peek(params, TD_KEY("bias")), given, "nothing is written");
  cr_assert_eq(parameter_of(linear, TD_KEY("bias")), bias, "nothing is restored");
  must(td_scope_cancel(scope, &err));
  td_scope_release(scope);
  cr_assert_eq(parameter_of(linear, TD_KEY("weight")), own);
  td_tensor_release(bias);
  td_dict_release(params);
  td_module_release(linear);
}

Test(module_traps_state, trap_17_what_modules_share_is_expanded_and_a_state_dict_does_not_train) {
  td_module *linear = known_linear(), *same[] = {linear, linear};
  td_from_modules_options options = TD_FROM_MODULES_OPTIONS_INIT;
  options.expand_identical = 1;
  td_dict *d;
  must(td_dict_from_modules(same, 2, &options, &d, &err));
  int64_t strides[3];
  td_tensor *weight = peek(d, TD_KEY("weight")), *grad;
  cr_assert(td_tensor_strides(weight, strides, 3) == 3 && strides[0] == 0);
  td_tensor *sum = apply("sum", weight, NULL);
  must(td_tensor_backward(sum, NULL, 0, &err));
  must(td_tensor_grad(parameter_of(linear, TD_KEY("weight")), &grad, &err));
  EXPECT(grad, 2, 2, 2, 2, 2, 2); /* of the original */
  td_tensor_release(grad);
  td_tensor_release(sum);
  td_dict_release(d);
  options.expand_identical = 0, options.use_state_dict = 1;
  must(td_dict_from_modules(same, 2, &options, &d, &err));
  cr_assert(!td_tensor_requires_grad(peek(d, TD_KEY("weight"))));
  td_dict_release(d);
  td_module_release(linear);
}

Test(module_traps_state, trap_18_an_ensemble_has_its_template_too_and_refuses_random_operators) {
  td_module *layers[] = {module("td.linear", "{\"in_features\": 2, \"out_features\": 2}", 0),
                         module("td.dropout", "{\"p\": 0.5}", 0)},
            *net, *many;
  must(td_module_chain(layers, 2, NULL, &net, &err));
  net = keyed(net, "x", "y");
  must(td_module_ensemble(net, 3, 1, NULL, &many, &err));
  td_keys *names;
  td_tensor_list *tensors;
  must(td_module_parameters(many, NULL, &names, &tensors, &err));
  cr_assert_eq(td_keys_size(names), 4);
  td_tensor *copies = parameter_of(many, TD_KEY("params_td", "module", "0", "weight"));
  cr_assert(at(copies, 0) != at(copies, 4) && at(copies, 4) != at(copies, 8), "each copy is drawn anew");
  td_dict *data = dict(TD_NO_DIMS), *out;
  put(data, TD_KEY("x"), VEC(1, 2));
  expect_error(td_module_run(many, data, NULL, &out, &err), TD_ERR_TORCH, NULL, "random");
  must(td_module_train(many, 0, &err));
  must(td_module_run(many, data, NULL, &out, &err));
  expect_shape(peek(out, TD_KEY("y")), TD_SHAPE(3, 2));
  cr_assert(!has(data, "y"));
  td_dict_release(out);
  td_dict_release(data);
  td_tensor_list_release(tensors);
  td_keys_release(names);
  td_module_release(many);
  td_module_release(net);
  td_module_release(layers[0]);
  td_module_release(layers[1]);
}

static td_status look_inside(void *userdata, const td_value *args, size_t n, td_value *outs, size_t n_outs,
                             td_error **error) {
  (void)n, (void)n_outs;
  *(size_t *)userdata =
      td_dict_batch_size(args[0].as.dict, NULL, 0) * 10 + td_dict_batch_size(args[1].as.dict, NULL, 0);
  td_tensor *one;
  td_status s = td_tensor_full(TD_NO_DIMS, TD_VALUE(td_value_double(1)), TD_DTYPE_FLOAT32, TD_NO_STR, &one, error);
  if (s != TD_OK) return s;
  s = td_dict_set((td_dict *)args[1].as.dict, TD_KEY("new"), one, error); /* of a copy */
  if (s == TD_OK)
    outs[0] = td_value_tensor(one);
  else
    td_tensor_release(one);
  return s;
}

Test(module_traps_state, trap_19_inside_vmap_a_dict_lacks_the_mapped_dim_and_what_is_shared_is_a_copy) {
  td_dict *mapped = dict(TD_SHAPE(4, 3)), *shared = dict(TD_SHAPE(2));
  put(mapped, TD_KEY("x"), full(1, TD_SHAPE(4, 3)));
  put(shared, TD_KEY("y"), VEC(1, 2));
  td_value args[] = {td_value_dict(mapped), td_value_dict(shared)}, out;
  static const int32_t dims[] = {0, TD_VMAP_SHARED};
  td_vmap_function_options options = TD_VMAP_FUNCTION_OPTIONS_INIT;
  size_t seen = 0;
  options.in_dims = dims;
  td_status status = td_vmap(look_inside, &seen, args, 2, &options, &out, 1, &err);
  cr_assert_eq(seen, 11, "one batch dim each");
  expect_error(status, TD_ERR_CALLBACK, NULL,
               "batch"); /* a tensor without the batch dims of the dict that it is put into */
  td_dict_release(shared);
  shared = dict(TD_NO_DIMS);
  put(shared, TD_KEY("y"), VEC(1, 2));
  args[1] = td_value_dict(shared);
  must(td_vmap(look_inside, &seen, args, 2, &options, &out, 1, &err));
  cr_assert(!has(shared, "new"));
  expect_shape(out.as.tensor, TD_SHAPE(4)); /* what does not depend on the member is repeated */
  td_value_clear(&out);
  td_dict_release(shared);
  td_dict_release(mapped);
}
