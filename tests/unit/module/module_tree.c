/* What a tree of modules holds: listing, finding, registering, state dicts, casts and hooks. */
#include "support/nn_support.h"

TestSuite(module_tree, .init = count_live, .fini = check_live);

/* Sequential(Linear(2, 3), ReLU, Sequential(BatchNorm1d(3), Linear(3, 1, bias=False))) */
static td_module *network(void) {
  td_module *inner[] = {module("td.batch_norm1d", "{\"num_features\": 3}", 0),
                        module("td.linear", "{\"in_features\": 3, \"out_features\": 1, \"bias\": false}", 1)};
  td_module *outer[] = {module("td.linear", "{\"in_features\": 2, \"out_features\": 3}", 2), module("td.relu", "{}", 0),
                        NULL};
  td_module *net;
  must(td_module_chain(inner, 2, NULL, &outer[2], &err));
  must(td_module_chain(outer, 3, NULL, &net, &err));
  for (int i = 0; i < 2; ++i) td_module_release(inner[i]);
  for (int i = 0; i < 3; ++i) td_module_release(outer[i]);
  return net;
}

static const char *listed(const td_module *m, int buffers, const td_list_options *options) {
  td_keys *keys;
  td_tensor_list *tensors;
  must((buffers ? td_module_buffers : td_module_parameters)(m, options, &keys, &tensors, &err));
  cr_assert_eq(td_keys_size(keys), td_tensor_list_size(tensors));
  td_tensor_list_release(tensors);
  return joined(keys);
}

static td_status note(void *userdata, const td_key *name, td_module *m, td_error **error) {
  char *text = userdata;
  (void)m;
  if (strlen(text) > 400) {
    *error = td_error_new(TD_ERR_NOSPACE, TD_STR("full"));
    return TD_ERR_NOSPACE;
  }
  for (size_t p = 0; p < name->n; ++p) {
    if (p) strcat(text, ".");
    strncat(text, name->parts[p].data, name->parts[p].size);
  }
  strcat(text, " ");
  return TD_OK;
}

static const char *visited(td_module *m, td_visit_order order, const td_list_options *options) {
  static char text[512];
  text[0] = '\0';
  must(td_module_visit(m, order, options, note, text, &err));
  return text;
}

Test(module_tree, lists_names_in_order_and_each_thing_once) {
  td_module *net = network(), *twice, *pair[] = {net, net};
  cr_assert_str_eq(listed(net, 0, NULL), "0.weight 0.bias 2.0.weight 2.0.bias 2.1.weight ");
  cr_assert_str_eq(listed(net, 1, NULL), "2.0.running_mean 2.0.running_var 2.0.num_batches_tracked ");
  cr_assert_str_eq(visited(net, TD_VISIT_MODULES, NULL), " 0 1 2 2.0 2.1 ");
  cr_assert_str_eq(visited(net, TD_VISIT_CHILDREN, NULL), "0 1 2 ");
  td_list_options options = TD_LIST_OPTIONS_INIT;
  options.prefix = TD_KEY("net");
  cr_assert_str_eq(listed(net, 1, &options), "net.2.0.running_mean net.2.0.running_var net.2.0.num_batches_tracked ");
  cr_assert_str_eq(visited(net, TD_VISIT_CHILDREN, &options), "net.0 net.1 net.2 ");
  options.shallow = 1;
  cr_assert_str_eq(listed(net, 0, &options), "");

  must(td_module_list(pair, 2, NULL, &twice, &err));
  cr_assert_str_eq(visited(twice, TD_VISIT_MODULES, NULL), " 0 0.0 0.1 0.2 0.2.0 0.2.1 ");
  td_list_options all = TD_LIST_OPTIONS_INIT;
  all.keep_duplicates = 1;
  cr_assert_str_eq(visited(twice, TD_VISIT_MODULES, &all), " 0 0.0 0.1 0.2 0.2.0 0.2.1 1 1.0 1.1 1.2 1.2.0 1.2.1 ");
  cr_assert_str_eq(listed(twice, 1, &all) + strlen("0.2.0.running_mean 0.2.0.running_var 0.2.0.num_batches_tracked "),
                   "1.2.0.running_mean 1.2.0.running_var 1.2.0.num_batches_tracked ");
  cr_assert_eq(strlen(visited(net, TD_VISIT_APPLY, NULL)), 6);
  char full[512];
  memset(full, 'x', 450);
  full[450] = '\0';
  expect_error(td_module_visit(net, TD_VISIT_MODULES, NULL, note, full, &err), TD_ERR_CALLBACK, NULL, "full");
  expect_error(td_module_visit(net, 7, NULL, note, full, &err), TD_ERR_ARGUMENT, NULL, "order");
  td_string *text;
  must(td_module_repr(net, &text, &err));
  cr_assert_str_eq(
      td_string_view(text).data,
      "Sequential(\n  (0): Linear(in_features=2, out_features=3, bias=True)\n  (1): ReLU()\n  (2): Sequential(\n"
      "    (0): BatchNorm1d(3, eps=1e-05, momentum=0.1, affine=True, bias=True, track_running_stats=True)\n    (1): "
      "Linear(in_features=3, out_features=1, bias=False)\n"
      "  )\n)");
  td_string_release(text);
  td_module_release(twice);
  td_module_release(net);
}

Test(module_tree, what_is_not_there_or_of_another_kind_is_not_found) {
  td_module *net = network(), *found;
  td_tensor *t;
  static const struct {
    int what; /* 0 parameter, 1 buffer, 2 module */
    const char *a, *b, *c, *message;
  } lost[] = {{0, "2", "9", "weight", "no parameter"},
              {0, "2", "0", "running_mean", "not a parameter"},
              {1, "2", "1", "weight", "not a buffer"},
              {2, "2", "9", "x", "has no member \"9\""},
              {2, "2", "1", "weight", "is not a module"}};
  for (size_t i = 0; i < sizeof lost / sizeof *lost; ++i) {
    const td_key *key = TD_KEY(lost[i].a, lost[i].b, lost[i].c);
    expect_error(lost[i].what == 0   ? td_module_get_parameter(net, key, &t, &err)
                 : lost[i].what == 1 ? td_module_get_buffer(net, key, &t, &err)
                                     : td_module_get_submodule(net, key, &found, &err),
                 TD_ERR_KEY, NULL, lost[i].message);
  }
  td_module_release(net);
}

Test(module_tree, members_are_found_and_replaced) {
  td_module *net = network(), *found, *relu = module("td.relu", "{}", 0);
  td_tensor *w = floats((const float[]){1, 2, 3}, TD_SHAPE(1, 3));
  must(td_module_get_submodule(net, NULL, &found, &err));
  cr_assert_eq(found, net);
  td_module_release(found);
  must(td_module_set_parameter(net, TD_KEY("2", "1", "weight"), w, &err));
  cr_assert_eq(parameter(net, TD_KEY("2", "1", "weight")), w);
  must(td_module_set_submodule(net, TD_KEY("1"), relu, &err));
  must(td_module_set_submodule(net, TD_KEY("2", "new"), relu, &err));
  expect_error(td_module_set_submodule(net, NULL, relu, &err), TD_ERR_ARGUMENT, NULL, "target name");
  expect_error(td_module_set_submodule(net, TD_KEY("2", "0"), net, &err), TD_ERR_ARGUMENT, NULL, "contain itself");
  td_tensor_release(w);
  td_module_release(relu);
  td_module_release(net);
}

Test(module_tree, names_are_checked_before_anything_is_registered) {
  td_module *net = network(), *relu = module("td.relu", "{}", 0);
  td_tensor *small = VEC(1);
  expect_error(td_module_register_parameter(net, TD_STR("a.b"), small, &err), TD_ERR_ARGUMENT, NULL,
               "can't contain \".\"");
  expect_error(td_module_register_buffer(net, TD_STR(""), small, 1, &err), TD_ERR_ARGUMENT, NULL, "can't be empty");
  expect_error(td_module_register_module(net, TD_STR("0"), relu, &err), TD_ERR_EXISTS, NULL, "in use");
  td_tensor_release(small);
  td_module_release(relu);
  td_module_release(net);
}

Test(module_tree, what_is_registered_may_be_none_or_temporary) {
  td_module *relu = module("td.relu", "{}", 0);
  td_tensor *t, *small = VEC(1);
  must(td_module_register_parameter(relu, TD_STR("scale"), small, &err));
  must(td_module_register_parameter(relu, TD_STR("none"), NULL, &err));
  must(td_module_register_buffer(relu, TD_STR("temporary"), small, 0, &err));
  must(td_module_register_module(relu, TD_STR("empty"), NULL, &err));
  expect_error(td_module_get_parameter(relu, TD_KEY("none"), &t, &err), TD_ERR_KEY, NULL,
               "no module, parameter or buffer has this name");
  td_dict *state;
  must(td_module_state_dict(relu, TD_STR("m."), 0, &state, &err));
  td_keys *keys;
  must(td_dict_keys(state, 0, &keys, &err));
  cr_assert_str_eq(joined(keys), "m.scale ");
  td_dict_release(state);
  td_tensor_release(small);
  td_module_release(relu);
}

/* The state dict of the network, which shares its memory, with 7, 8, 9 as the last weight. */
static td_dict *saved(const td_module *net) {
  td_dict *state;
  must(td_module_state_dict(net, TD_NO_STR, 0, &state, &err));
  copy_into(state, TD_KEY("2.1.weight"), floats((const float[]){7, 8, 9}, TD_SHAPE(1, 3)));
  return state;
}

/* Has 0, 0, 0 as the last weight, but no first one, and "zz" instead. */
static td_dict *damaged(void) {
  td_module *a = network();
  td_dict *state = saved(a), *other;
  must(td_dict_clone(state, &other, &err));
  td_dict_release(state);
  td_module_release(a);
  copy_into(other, TD_KEY("2.1.weight"), floats((const float[]){0, 0, 0}, TD_SHAPE(1, 3)));
  must(td_dict_remove(other, TD_KEY("0.weight"), &err));
  put(other, TD_KEY("zz"), VEC(1));
  return other;
}

/* A network into which a state dict was loaded. */
static td_module *loaded(void) {
  td_module *a = network(), *b = network();
  td_dict *state = saved(a);
  must(td_module_load_state_dict(b, state, NULL, NULL, NULL, &err));
  td_dict_release(state);
  td_module_release(a);
  return b;
}

Test(module_tree, a_state_dict_shares_memory_and_is_loaded_into_another_module) {
  td_module *a = network(), *b = network();
  td_dict *state = saved(a);
  td_keys *missing, *unexpected;
  td_tensor *w = get(state, TD_KEY("0.weight"));
  cr_assert(!td_tensor_requires_grad(w));
  td_tensor_release(w);
  EXPECT(parameter(a, TD_KEY("2", "1", "weight")), 7, 8, 9);
  must(td_module_load_state_dict(b, state, NULL, &missing, &unexpected, &err));
  cr_assert(td_keys_size(missing) == 0 && td_keys_size(unexpected) == 0);
  td_keys_release(missing);
  td_keys_release(unexpected);
  EXPECT(parameter(b, TD_KEY("2", "1", "weight")), 7, 8, 9);
  td_dict_release(state);
  td_module_release(a);
  td_module_release(b);
}

Test(module_tree, a_state_dict_is_loaded_as_a_whole_or_not_at_all) {
  td_module *b = loaded();
  td_dict *other = damaged();
  put(other, TD_KEY("0.bias"), VEC(1));
  cr_assert_eq(td_module_load_state_dict(b, other, NULL, NULL, NULL, &err), TD_ERR_KEY);
  const char *message = td_error_message(err).data;
  cr_assert(strstr(message, "Missing key(s) in state_dict: \"0.weight\"") && strstr(message, "Unexpected") &&
                strstr(message, "\"zz\"") && strstr(message, "size mismatch for 0.bias"),
            "%s", message);
  td_error_release(err);
  err = NULL;
  td_load_options loose = TD_LOAD_OPTIONS_INIT;
  loose.lenient = 1;
  expect_error(td_module_load_state_dict(b, other, &loose, NULL, NULL, &err), TD_ERR_SHAPE, NULL, "size mismatch");
  EXPECT(parameter(b, TD_KEY("2", "1", "weight")), 7, 8, 9); /* nothing was loaded */
  td_dict_release(other);
  td_module_release(b);
}

Test(module_tree, a_lenient_load_tells_what_is_missing_and_unexpected) {
  td_module *b = loaded();
  td_dict *other = damaged();
  td_keys *missing, *unexpected;
  td_load_options loose = TD_LOAD_OPTIONS_INIT;
  loose.lenient = 1;
  must(td_dict_remove(other, TD_KEY("0.bias"), &err));
  must(td_module_load_state_dict(b, other, &loose, &missing, &unexpected, &err));
  cr_assert_str_eq(joined(missing), "0.weight 0.bias ");
  cr_assert_str_eq(joined(unexpected), "zz ");
  EXPECT(parameter(b, TD_KEY("2", "1", "weight")), 0, 0, 0);
  td_dict_release(other);
  td_module_release(b);
}

Test(module_tree, an_assigned_tensor_is_itself_the_parameter_and_trained_as_the_old_one_was) {
  td_module *b = loaded();
  td_dict *other = damaged();
  td_load_options loose = TD_LOAD_OPTIONS_INIT;
  loose.lenient = loose.assign = 1;
  must(td_module_load_state_dict(b, other, &loose, NULL, NULL, &err));
  cr_assert(td_tensor_requires_grad(parameter(b, TD_KEY("2", "1", "weight"))));
  copy_into(other, TD_KEY("2.1.weight"), floats((const float[]){4, 5, 6}, TD_SHAPE(1, 3)));
  EXPECT(parameter(b, TD_KEY("2", "1", "weight")), 4, 5, 6);
  td_dict_release(other);
  td_module_release(b);
}

Test(module_tree, what_from_module_gives_is_a_state_dict_too) {
  td_module *a = network(), *b = network();
  td_dict *nested;
  td_dict_release(saved(a));
  must(td_dict_from_module(a, &nested, &err));
  must(td_module_load_state_dict(b, nested, NULL, NULL, NULL, &err));
  EXPECT(parameter(b, TD_KEY("2", "1", "weight")), 7, 8, 9);
  td_dict_release(nested);
  td_module_release(a);
  td_module_release(b);
}

Test(module_tree, casts_reach_every_parameter_and_leave_integers_alone) {
  td_module *net = network();
  td_tensor *w = parameter(net, TD_KEY("0", "weight")), *count;
  must(td_module_to(net, TD_DTYPE_FLOAT64, TD_NO_STR, &err));
  cr_assert_eq(parameter(net, TD_KEY("0", "weight")), w, "a parameter stays the tensor that it is");
  cr_assert_eq(td_tensor_dtype(w), TD_DTYPE_FLOAT64);
  must(td_module_get_buffer(net, TD_KEY("2", "0", "num_batches_tracked"), &count, &err));
  cr_assert_eq(td_tensor_dtype(count), TD_DTYPE_INT64);
  td_tensor_release(count);
  expect_error(td_module_to(net, TD_DTYPE_INT32, TD_NO_STR, &err), TD_ERR_DTYPE, NULL, "floating");
  must(td_module_to(net, TD_DTYPE_FLOAT32, TD_NO_STR, &err));
  td_module_release(net);
}

/* After a cast there and back, too. */
Test(module_tree, gradients_reach_every_parameter) {
  td_module *net = network();
  td_tensor *w = parameter(net, TD_KEY("0", "weight")), *count;
  must(td_module_to(net, TD_DTYPE_FLOAT64, TD_NO_STR, &err));
  must(td_module_requires_grad_(net, 0, &err));
  cr_assert(!td_tensor_requires_grad(w));
  must(td_module_requires_grad_(net, 1, &err));
  must(td_module_to(net, TD_DTYPE_FLOAT32, TD_NO_STR, &err));
  td_tensor *x = floats((const float[]){1, 2, 3, 4}, TD_SHAPE(2, 2)), *y, *grad;
  must(td_module_call(net, &x, 1, &y, 1, &err));
  td_tensor *sum = apply("sum", y, NULL);
  must(td_tensor_backward(sum, NULL, 0, &err));
  must(td_tensor_grad(w, &grad, &err));
  cr_assert(grad);
  td_tensor_release(grad);
  must(td_module_zero_grad(net, 0, &err));
  must(td_tensor_grad(w, &grad, &err));
  EXPECT(grad, 0, 0, 0, 0, 0, 0);
  td_tensor_release(grad);
  must(td_module_get_buffer(net, TD_KEY("2", "0", "num_batches_tracked"), &count, &err));
  EXPECT(count, 1); /* training counted the batch */
  td_tensor_release(count);
  td_tensor_release(sum);
  td_tensor_release(x);
  td_tensor_release(y);
  td_module_release(net);
}

Test(module_tree, parameters_are_drawn_anew_in_the_module_or_in_a_given_state) {
  td_module *net = network();
  td_tensor *w = parameter(net, TD_KEY("0", "weight"));
  double before = at(w, 0);
  td_generator *rng;
  size_t n;
  must(td_generator_new(5, &rng, &err));
  must(td_module_reset_parameters(net, NULL, rng, NULL, &n, &err));
  cr_assert(n == 3 && at(w, 0) != before);
  before = at(w, 0);
  td_dict *state, *copy, *fresh, *batched;
  must(td_dict_from_module(net, &state, &err));
  must(td_dict_detach(state, &copy, &err));
  must(td_dict_clone(copy, &batched, &err));
  must(td_module_reset_parameters(net, batched, rng, &fresh, NULL, &err));
  cr_assert_eq(at(w, 0), before, "the module's own stay");
  cr_assert_neq(at(peek(fresh, TD_KEY("0", "weight")), 0), before);
  cr_assert(td_tensor_requires_grad(peek(fresh, TD_KEY("0", "weight"))));
  expect_equal(peek(fresh, TD_KEY("0", "weight")), peek(batched, TD_KEY("0", "weight")), 0, "the same memory");
  td_dict_release(fresh);
  td_dict_release(batched);
  td_dict_release(copy);
  td_dict_release(state);
  must(td_dict_from_modules(&net, 1, NULL, &batched, &err));
  expect_error(td_module_reset_parameters(net, batched, rng, &fresh, NULL, &err), TD_ERR_SHAPE, NULL, "batch size [1]");
  td_dict_release(batched);
  td_generator_release(rng);
  td_module_release(net);
}

/* ---- Hooks */
typedef struct hook {
  const char *name;
  char *log;
  td_module *remove_from;
  uint64_t id;
  int replaces, destroyed;
} hook;

static td_status forward_hook(void *userdata, const td_module *m, td_hook_call *call, td_error **error) {
  hook *h = userdata;
  (void)m;
  strcat(h->log, h->name);
  if (h->remove_from) return td_module_remove_hook(h->remove_from, h->id, error);
  if (!h->replaces) return TD_OK;
  const int pre = call->n_outputs == 0;
  td_tensor *first = VEC(7, 7, 7), *last = pre ? VEC(1, 1, 1) : VEC(42, 43), *before = call->inputs[0];
  td_tensor *const all[] = {first, last}; /* the last one counts */
  for (int i = 0; i < 2; ++i)
    must(pre ? td_hook_call_set_input(call, -i, all[i], &err) : td_hook_call_set_output(call, -i, all[i], &err));
  cr_assert_eq(call->inputs[0], before, "what the hook sees stays");
  expect_error(td_hook_call_set_input(call, 1, last, &err), TD_ERR_INDEX, NULL, "1 is out of range for 1");
  expect_error(td_hook_call_set_output(call, -2, last, &err), TD_ERR_INDEX, NULL, "-2 is out of range for");
  expect_error(td_hook_call_set_input(call, 0, NULL, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_hook_call_set_data(call, NULL, &err), TD_ERR_ARGUMENT, NULL, "does not run on a dict");
  expect_error(td_hook_call_set_result(call, NULL, &err), TD_ERR_ARGUMENT, NULL, "is not a dict");
  td_hook_call forged = *call;
  expect_error(td_hook_call_set_input(&forged, 0, last, &err), TD_ERR_ARGUMENT, NULL, "does not belong to a hook");
  td_tensor_release(first), td_tensor_release(last);
  return TD_OK;
}

static void destroy_hook(void *userdata) {
  ++((hook *)userdata)->destroyed;
}

static td_status add_extra(void *userdata, const td_module *m, td_dict *state, td_str prefix, td_error **error) {
  (void)m, (void)error;
  char name[64];
  snprintf(name, sizeof name, "%.*sextra", (int)prefix.size, prefix.data);
  if (userdata)
    put(state, TD_KEY(name), VEC(1));
  else
    must(td_dict_remove(state, TD_KEY(name), &err));
  return TD_OK;
}

static const td_forward_hook *over(hook *h) {
  static td_forward_hook made;
  made = (td_forward_hook){sizeof made, forward_hook, h, destroy_hook};
  return &made;
}

Test(module_tree, hooks_run_in_order_replace_values_and_remove_themselves) {
  char log[64] = "";
  hook a = {"a", log, NULL, 0, 0, 0}, b = {"b", log, NULL, 0, 1, 0}, c = {"c", log, NULL, 0, 1, 0},
       d = {"d", log, NULL, 0, 0, 0};
  td_module *m = known_linear();
  td_tensor *x = VEC(0, 0, 0), *y;
  must(td_module_add_forward_pre_hook(m, over(&b), 0, &b.id, &err));
  must(td_module_add_forward_pre_hook(m, over(&a), TD_HOOK_PREPEND, &a.id, &err));
  must(td_module_call(m, &x, 1, &y, 1, &err));
  cr_assert_str_eq(log, "ab");
  EXPECT(y, 16, 35); /* of the replaced input */
  td_tensor_release(y);
  must(td_module_add_forward_hook(m, over(&c), 0, &c.id, &err));
  must(td_module_add_forward_hook(m, over(&d), TD_HOOK_ALWAYS_CALL, &d.id, &err));
  a.remove_from = m;
  log[0] = '\0';
  for (int i = 0; i < 2; ++i) {
    must(td_module_call(m, &x, 1, &y, 1, &err));
    EXPECT(y, 42, 43);
    td_tensor_release(y);
  }
  cr_assert_str_eq(log, "abcdbcd");
  cr_assert_eq(a.destroyed, 1);
  expect_error(td_module_remove_hook(m, a.id, &err), TD_ERR_NOT_FOUND, NULL, "no such hook");
  td_tensor_release(x);
  td_module_release(m);
  cr_assert(c.destroyed == 1 && d.destroyed == 1);
}

Test(module_tree, of_a_failing_call_only_hooks_that_are_always_called_hear) {
  char log[64] = "";
  hook b = {"b", log, NULL, 0, 1, 0}, c = {"c", log, NULL, 0, 1, 0}, d = {"d", log, NULL, 0, 0, 0};
  td_module *m = known_linear();
  must(td_module_add_forward_pre_hook(m, over(&b), 0, &b.id, &err));
  must(td_module_add_forward_hook(m, over(&c), 0, &c.id, &err));
  must(td_module_add_forward_hook(m, over(&d), TD_HOOK_ALWAYS_CALL, &d.id, &err));
  must(td_module_remove_hook(m, b.id, &err));
  td_tensor *wrong = VEC(1), *y;
  expect_error(td_module_call(m, &wrong, 1, &y, 1, &err), TD_ERR_SHAPE, NULL, "shapes cannot");
  cr_assert_str_eq(log, "d", "a hook that is always called");
  expect_error(td_module_add_forward_hook(m, TD_CALLBACKS(td_forward_hook, NULL, &b, destroy_hook), 0, NULL, &err),
               TD_ERR_ARGUMENT, NULL, "fn");
  cr_assert_eq(b.destroyed, 2);
  td_tensor_release(wrong);
  td_module_release(m);
}

Test(module_tree, hooks_of_states_write_into_what_is_saved_and_take_from_a_copy_of_what_is_loaded) {
  int writes = 1;
  td_module *m = known_linear();
  td_dict *state;
  uint64_t id;
  must(td_module_add_state_hook(m, TD_STATE_HOOK_STATE_DICT, TD_CALLBACKS(td_state_hook, add_extra, &writes, NULL), 0,
                                &id, &err));
  must(td_module_state_dict(m, TD_STR("p."), 0, &state, &err));
  EXPECT(peek(state, TD_KEY("p.extra")), 1);
  td_dict_release(state);
  must(td_module_state_dict(m, TD_NO_STR, 0, &state, &err));
  expect_error(td_module_load_state_dict(m, state, NULL, NULL, NULL, &err), TD_ERR_KEY, NULL, "\"extra\"");
  must(td_module_add_state_hook(m, TD_STATE_HOOK_LOAD_STATE_DICT_PRE,
                                TD_CALLBACKS(td_state_hook, add_extra, NULL, NULL), 0, NULL, &err));
  must(td_module_load_state_dict(m, state, NULL, NULL, NULL, &err)); /* the hook takes it out of a copy */
  EXPECT(peek(state, TD_KEY("extra")), 1);
  td_dict_release(state);
  td_module_release(m);
}

Test(module_tree, modules_nest_to_a_depth_that_walks_can_take) {
  td_module *inner = NULL, *outer = NULL, *list = NULL;
  must(td_module_new(TD_STR("td.relu"), TD_NO_STR, NULL, &inner, &err));
  size_t levels = 1;
  td_status s = TD_OK;
  for (;; ++levels) {
    if ((s = td_module_chain(&inner, 1, NULL, &outer, &err)) != TD_OK) break;
    td_module_release(inner), inner = outer;
    cr_assert_lt(levels, 1000u);
  }
  cr_assert_eq(levels, 250u);
  expect_error(s, TD_ERR_ARGUMENT, NULL, "250");
  td_module_release(inner);

  must(td_module_list(NULL, 0, NULL, &list, &err)); /* the other end: at the deepest one's own handle */
  td_module *root = list;
  td_module_retain(root);
  for (levels = 1;; ++levels) {
    must(td_module_list(NULL, 0, NULL, &inner, &err));
    if ((s = td_module_register_module(list, TD_STR("m"), inner, &err)) != TD_OK) break;
    td_module_release(list), list = inner;
    cr_assert_lt(levels, 1000u);
  }
  cr_assert_eq(levels, 250u);
  expect_error(s, TD_ERR_ARGUMENT, NULL, "250");
  td_module_release(inner), td_module_release(list), td_module_release(root);
}
