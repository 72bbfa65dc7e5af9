#include "support/nn_support.h"

TestSuite(module_state, .init = count_live, .fini = check_live);

static void expect_leaves(const td_dict *state, const char *const *names, size_t n) {
  td_keys *list;
  must(td_dict_keys(state, TD_KEYS_NESTED | TD_KEYS_LEAVES, &list, &err));
  cr_assert_eq(td_keys_size(list), n);
  for (size_t i = 0; i < n; ++i) {
    td_key key;
    char dotted[100] = "";
    must(td_keys_get(list, i, &key, &err));
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
  must(td_module_sequential(members, 3, NULL, &seq, &err));
  for (size_t i = 0; i < 3; ++i) td_module_release(members[i]);
  return seq;
}

Test(module_state, the_state_mirrors_the_tree_and_is_the_modules_own) {
  static const char *const names[] = {"module.0.module.shift", "module.0.module.deep.scale",
                                      "module.0.module.deep.count", "module.2.module.weight", "module.2.module.bias"};
  td_module *seq = small_sequence();
  td_dict *state, *again;
  must(td_dict_from_module(seq, &state, &err));
  expect_leaves(state, names, 5);
  cr_assert_eq(td_dict_batch_size(state, NULL, 0), 0u);
  td_tensor *scale = peek(state, TD_KEY("module", "0", "module", "deep", "scale"));
  cr_assert(td_tensor_requires_grad(scale));
  cr_assert_not(td_tensor_requires_grad(peek(state, TD_KEY("module", "0", "module", "shift"))));
  cr_assert_eq(td_tensor_dtype(peek(state, TD_KEY("module", "0", "module", "deep", "count"))), TD_DTYPE_INT64);
  must(td_dict_from_module(seq, &again, &err));
  cr_assert_eq(peek(again, TD_KEY("module", "0", "module", "deep", "scale")), scale, "the very tensor");
  td_dict_release(again);

  /* A gradient arrives at the module's own tensors. */
  td_tensor *sum, *grad;
  td_dict *td = dict(TD_NO_DIMS);
  put(td, TD_KEY("x"), VEC(1, 1, 1));
  must(td_module_forward(seq, td, &err));
  EXPECT(peek(td, TD_KEY("y")), 3 * 6 + 10, 3 * 15 + 20);
  sum = apply("sum", peek(td, TD_KEY("y")), NULL);
  must(td_tensor_backward(sum, NULL, 0, &err));
  must(td_tensor_grad(scale, &grad, &err));
  EXPECT(grad, 5, 7, 9);
  td_tensor_release(grad);
  td_tensor_release(sum);
  td_dict_release(td);
  td_dict_release(state);
  td_module_release(seq);
}

Test(module_state, a_given_state_replaces_what_it_has_for_one_call) {
  td_module *seq = small_sequence();
  td_dict *td = dict(TD_NO_DIMS), *state = dict(TD_NO_DIMS);
  put(td, TD_KEY("x"), VEC(1, 1, 1));
  put(state, TD_KEY("module", "0", "module", "deep", "scale"), VEC(0, 0, 0));
  must(td_module_forward_with_state(seq, state, td, &err));
  EXPECT(peek(td, TD_KEY("y")), 1 * 6 + 10, 1 * 15 + 20);
  must(td_module_forward(seq, td, &err));
  EXPECT(peek(td, TD_KEY("y")), 3 * 6 + 10, 3 * 15 + 20);

  /* A failing call leaves the module as it was, too. */
  put(state, TD_KEY("module", "2", "module", "weight"), floats((const float[]){1, 2, 3, 4}, TD_SHAPE(2, 2)));
  expect_error(td_module_forward_with_state(seq, state, td, &err), TD_ERR_SHAPE, NULL, "module 2");
  must(td_module_forward(seq, td, &err));
  EXPECT(peek(td, TD_KEY("y")), 3 * 6 + 10, 3 * 15 + 20);

  put(state, TD_KEY("module", "1", "nothing"), VEC(1));
  expect_error(td_module_forward_with_state(seq, state, td, &err), TD_ERR_KEY, NULL,
               "(\"module\", \"1\", \"nothing\")");
  td_dict_release(state);
  state = dict(TD_NO_DIMS); /* a tensor where the module has a child */
  put(state, TD_KEY("module", "0"), VEC(1));
  expect_error(td_module_forward_with_state(seq, state, td, &err), TD_ERR_KEY, NULL, "(\"module\", \"0\")");
  td_dict_release(state);
  td_dict_release(td);
  td_module_release(seq);
}

Test(module_state, stacked_states_are_new_leaves_that_train_like_the_first) {
  td_module *members[] = {module("test.scale", "{\"shift\": 1}", 0), module("test.scale", "{\"shift\": 2}", 0)};
  td_dict *states, *own;
  must(td_dict_from_modules(members, 2, NULL, &states, &err));
  int64_t n = 0;
  cr_assert_eq(td_dict_batch_size(states, &n, 1), 1u);
  cr_assert_eq(n, 2);
  td_tensor *scale = peek(states, TD_KEY("deep", "scale")), *count = peek(states, TD_KEY("deep", "count"));
  expect_shape(scale, TD_SHAPE(2, 3));
  expect_shape(count, TD_SHAPE(2));
  EXPECT(count, 7, 7);
  EXPECT(peek(states, TD_KEY("shift")), 1, 1, 1, 2, 2, 2);
  cr_assert_eq(td_tensor_dtype(count), TD_DTYPE_INT64);
  cr_assert(td_tensor_requires_grad(scale));
  cr_assert_not(td_tensor_requires_grad(peek(states, TD_KEY("shift"))));

  copy_into(states, TD_KEY("deep", "scale"), floats((const float[]){0, 0, 0, 0, 0, 0}, TD_SHAPE(2, 3)));
  must(td_dict_from_module(members[0], &own, &err));
  EXPECT(peek(own, TD_KEY("deep", "scale")), 2, 2, 2);
  td_dict_release(own);
  td_dict_release(states);
  td_module_release(members[0]);
  td_module_release(members[1]);
}

Test(module_state, modules_of_different_structure_or_none_are_not_stacked) {
  td_dict *states;
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
    expect_error(td_dict_from_modules(differ, 2, NULL, &states, &err), cases[i].status, NULL, cases[i].message);
    td_module_release(differ[0]);
    td_module_release(differ[1]);
  }
  td_module *member = module("test.scale", "{}", 0);
  expect_error(td_dict_from_modules(&member, 0, NULL, &states, &err), TD_ERR_ARGUMENT, NULL, "no modules");
  td_module_release(member);
}

/* States of old versions have no counter of batches. */
Test(module_state, a_counter_of_batches_may_be_missing) {
  td_module *m = module("td.batch_norm1d", "{\"num_features\": 2}", 0);
  td_tensor *x = floats((const float[]){1, 2, 3, 4}, TD_SHAPE(2, 2)), *y;
  must(td_module_call(m, &x, 1, &y, 1, &err));
  td_dict *state;
  must(td_module_state_dict(m, TD_NO_STR, 0, &state, &err));
  must(td_dict_remove(state, TD_KEY("num_batches_tracked"), &err));
  td_keys *missing;
  must(td_module_load_state_dict(m, state, NULL, &missing, NULL, &err));
  cr_assert_eq(td_keys_size(missing), 0);
  td_keys_release(missing);
  td_tensor *count;
  must(td_module_get_buffer(m, TD_KEY("num_batches_tracked"), &count, &err));
  EXPECT(count, 1);
  must(td_dict_remove(state, TD_KEY("running_mean"), &err));
  expect_error(td_module_load_state_dict(m, state, NULL, NULL, NULL, &err), TD_ERR_KEY, NULL, "running_mean");
  td_tensor *const tensors[] = {x, y, count};
  for (size_t i = 0; i < 3; ++i) td_tensor_release(tensors[i]);
  td_dict_release(state);
  td_module_release(m);
}
