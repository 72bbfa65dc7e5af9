/* What modules of the caller's have beside their tensors, in state dicts. */
#include "support/nn_support.h"

TestSuite(module_extra_state, .init = count_live, .fini = check_live);

/* A number that is saved as an integer, or as a tensor that is written in place. */
typedef struct counter {
  int64_t value;
  td_tensor *tensor; /* if not NULL */
  int sets, destroyed, gives_nothing, nested;
  td_status get_status, set_status;
} counter;

static td_status get_counter(void *userdata, const td_module *m, td_dict *state, td_error **error) {
  const counter *c = userdata;
  cr_assert(m && state);
  if (c->get_status != TD_OK) {
    *error = td_error_new(c->get_status, TD_STR("cannot tell"));
    return c->get_status;
  }
  if (c->gives_nothing) return TD_OK;
  if (c->nested) return td_dict_set_data(state, TD_KEY("_extra_state", "count"), TD_DATA(td_data_int(c->value)), error);
  if (c->tensor) return td_dict_set(state, TD_KEY("_extra_state"), c->tensor, error);
  return td_dict_set_data(state, TD_KEY("_extra_state"), TD_DATA(td_data_int(c->value)), error);
}

static int64_t extra_int(const td_dict *state, const td_key *key) {
  td_data_list *list;
  td_data value;
  must(td_dict_get_data(state, key, &list, &err));
  must(td_data_list_get(list, 0, &value, &err));
  td_data_list_release(list);
  cr_assert_eq(value.kind, TD_DATA_INT);
  return value.i;
}

static td_status set_counter(void *userdata, const td_module *m, const td_dict *state, td_error **error) {
  counter *c = userdata;
  cr_assert(m && state);
  if (c->set_status != TD_OK) {
    *error = td_error_new(c->set_status, TD_STR("will not have it"));
    return c->set_status;
  }
  ++c->sets;
  if (c->tensor) return td_tensor_copy_(c->tensor, peek(state, TD_KEY("_extra_state")), error);
  c->value = extra_int(state, TD_KEY("_extra_state"));
  return TD_OK;
}

static void destroy_counter(void *userdata) {
  ++((counter *)userdata)->destroyed;
}

static const td_extra_state *both(counter *c) {
  static td_extra_state made;
  made = (td_extra_state){sizeof made, get_counter, set_counter, c, destroy_counter};
  return &made;
}

/* Sequential(Linear(3, 2), ReLU, ReLU) with counters on those that are not NULL; `a` on the linear. */
static td_module *counted(counter *a, counter *b, counter *c) {
  td_module *parts[] = {known_linear(), module("td.relu", "{}", 0), module("td.relu", "{}", 0)}, *net;
  counter *counters[] = {a, b, c};
  for (int i = 0; i < 3; ++i)
    if (counters[i]) must(td_module_set_extra_state(parts[i], both(counters[i]), &err));
  must(td_module_chain(parts, 3, NULL, &net, &err));
  for (int i = 0; i < 3; ++i) td_module_release(parts[i]);
  return net;
}

static td_dict *saved(const td_module *m, const char *prefix) {
  td_dict *state;
  must(td_module_state_dict(m, TD_STR(prefix), 0, &state, &err));
  return state;
}

static const char *keys_of(const td_dict *d) {
  td_keys *keys;
  must(td_dict_keys(d, 0, &keys, &err));
  return joined(keys);
}

static const char *only(td_keys *keys) {
  static char text[256];
  text[0] = '\0';
  for (size_t i = 0; i < td_keys_size(keys); ++i) {
    td_key k;
    must(td_keys_get(keys, i, &k, &err));
    strncat(text, k.parts[0].data, k.parts[0].size);
  }
  td_keys_release(keys);
  return text;
}

Test(module_extra_state, is_saved_after_the_modules_own_tensors_and_handed_back) {
  counter a = {.value = 5}, c = {.tensor = VEC(1, 2)}, a2 = {.value = 0}, c2 = {.tensor = VEC(0, 0)};
  td_module *m = counted(&a, NULL, &c), *other = counted(&a2, NULL, &c2);
  td_dict *state = saved(m, "p.");
  cr_assert_str_eq(keys_of(state), "p.0.weight p.0.bias p.0._extra_state p.2._extra_state ");
  cr_assert_eq(extra_int(state, TD_KEY("p.0._extra_state")), 5);
  EXPECT(peek(state, TD_KEY("p.2._extra_state")), 1, 2);
  td_dict_release(state);

  state = saved(m, "");
  td_keys *missing, *unexpected;
  must(td_module_load_state_dict(other, state, NULL, &missing, &unexpected, &err));
  cr_assert(td_keys_size(missing) == 0 && td_keys_size(unexpected) == 0);
  td_keys_release(missing), td_keys_release(unexpected);
  cr_assert(a2.value == 5 && a2.sets == 1);
  EXPECT(c2.tensor, 1, 2);
  td_dict_release(state);

  td_dict *nested = dict(NULL, 0); /* nested names lead there as well */
  must(td_dict_set_data(nested, TD_KEY("0", "_extra_state"), TD_DATA(td_data_int(8)), &err));
  put(nested, TD_KEY("2", "_extra_state"), VEC(3, 4));
  td_load_options loose = TD_LOAD_OPTIONS_INIT;
  loose.lenient = 1;
  must(td_module_load_state_dict(other, nested, &loose, NULL, NULL, &err));
  cr_assert_eq(a2.value, 8);
  EXPECT(c2.tensor, 3, 4);
  td_dict_release(nested);
  td_module_release(m), td_module_release(other);
  cr_assert(a.destroyed == 1 && c.destroyed == 1 && a2.destroyed == 1 && c2.destroyed == 1);
  td_tensor_release(c.tensor), td_tensor_release(c2.tensor);
}

Test(module_extra_state, is_missing_or_unexpected_as_its_functions_say) {
  counter a = {.value = 5};
  td_module *with = counted(&a, NULL, NULL), *without = counted(NULL, NULL, NULL), *linear;
  td_dict *full = saved(with, ""), *bare = saved(without, "");
  td_load_options loose = TD_LOAD_OPTIONS_INIT;
  loose.lenient = 1;
  td_keys *missing, *unexpected;

  expect_error(td_module_load_state_dict(with, bare, NULL, NULL, NULL, &err), TD_ERR_KEY, NULL,
               "Missing key(s) in state_dict: \"0._extra_state\"");
  expect_error(td_module_load_state_dict(without, full, NULL, NULL, NULL, &err), TD_ERR_KEY, NULL,
               "Unexpected key(s) in state_dict: \"0._extra_state\"");
  cr_assert_eq(a.sets, 0);
  must(td_module_load_state_dict(with, bare, &loose, &missing, &unexpected, &err));
  cr_assert_str_eq(only(missing), "0._extra_state");
  cr_assert_str_eq(only(unexpected), "");
  cr_assert_eq(a.sets, 0);
  must(td_module_load_state_dict(without, full, &loose, &missing, &unexpected, &err));
  cr_assert_str_eq(only(missing), "");
  cr_assert_str_eq(only(unexpected), "0._extra_state");

  /* One function alone: what only tells is not expected back, what only takes is missing if it is not there. */
  must(td_module_get_submodule(with, TD_KEY("0"), &linear, &err));
  must(td_module_set_extra_state(linear, TD_CALLBACKS(td_extra_state, get_counter, NULL, &a, destroy_counter), &err));
  cr_assert_eq(a.destroyed, 1, "the old functions went");
  expect_error(td_module_load_state_dict(with, full, NULL, NULL, NULL, &err), TD_ERR_KEY, NULL, "Unexpected");
  must(td_module_set_extra_state(linear, TD_CALLBACKS(td_extra_state, NULL, set_counter, &a, NULL), &err));
  cr_assert_eq(a.destroyed, 2);
  td_dict *state = saved(with, "");
  cr_assert_str_eq(keys_of(state), "0.weight 0.bias ");
  td_dict_release(state);
  a.value = 0;
  must(td_module_load_state_dict(with, full, NULL, NULL, NULL, &err));
  cr_assert_eq(a.value, 5);
  must(td_module_set_extra_state(linear, TD_CALLBACKS(td_extra_state, NULL, NULL, NULL, NULL), &err));
  must(td_module_load_state_dict(with, bare, NULL, NULL, NULL, &err));
  td_module_release(linear);
  td_dict_release(full), td_dict_release(bare);
  td_module_release(with), td_module_release(without);
}

/* Other numbers for all that such a network has, if all three of its modules have a counter. */
static td_dict *new_state(void) {
  td_dict *state = dict(NULL, 0);
  put(state, TD_KEY("0.weight"), floats((const float[6]){0}, TD_SHAPE(2, 3)));
  put(state, TD_KEY("0.bias"), VEC(0, 0));
  put(state, TD_KEY("1._extra_state"), VEC(9, 9));
  must(td_dict_set_data(state, TD_KEY("0._extra_state"), TD_DATA(td_data_int(10)), &err));
  must(td_dict_set_data(state, TD_KEY("2._extra_state"), TD_DATA(td_data_int(30)), &err));
  return state;
}

Test(module_extra_state, a_failed_set_leaves_everything_as_it_was) {
  counter a = {.value = 1}, b = {.tensor = VEC(1, 1)}, c = {.value = 3, .set_status = TD_ERR_IO};
  td_module *m = counted(&a, &b, &c);
  td_dict *state = new_state();
  td_tensor *weight = parameter(m, TD_KEY("0", "weight"));
  expect_error(td_module_load_state_dict(m, state, NULL, NULL, NULL, &err), TD_ERR_CALLBACK, NULL, "will not have it");
  cr_assert(a.value == 1 && a.sets == 2 && b.sets == 2 && c.value == 3, "they got back what they had");
  EXPECT(b.tensor, 1, 1);
  EXPECT(weight, 1, 2, 3, 4, 5, 6);
  c.set_status = TD_OK;
  must(td_module_load_state_dict(m, state, NULL, NULL, NULL, &err));
  cr_assert(a.value == 10 && c.value == 30);
  EXPECT(b.tensor, 9, 9);
  EXPECT(weight, 0, 0, 0, 0, 0, 0);
  td_dict_release(state);
  td_module_release(m);
  td_tensor_release(b.tensor);
}

Test(module_extra_state, nothing_is_set_before_names_and_shapes_fit_and_all_functions_have_answered) {
  counter a = {.value = 1}, b = {.tensor = VEC(1, 1)}, c = {.value = 3, .set_status = TD_ERR_IO};
  td_module *m = counted(&a, &b, &c);
  td_dict *state = new_state();
  put(state, TD_KEY("0.bias"), VEC(0, 0, 0));
  expect_error(td_module_load_state_dict(m, state, NULL, NULL, NULL, &err), TD_ERR_SHAPE, NULL, "size mismatch");
  cr_assert(a.sets == 0 && b.sets == 0);
  put(state, TD_KEY("0.bias"), VEC(0, 0));
  b.get_status = TD_ERR_IO;
  expect_error(td_module_load_state_dict(m, state, NULL, NULL, NULL, &err), TD_ERR_CALLBACK, NULL, "cannot tell");
  cr_assert(a.value == 1 && a.sets == 0);
  td_dict_release(state);
  td_module_release(m);
  td_tensor_release(b.tensor);
}

Test(module_extra_state, a_function_must_give_a_tensor_or_a_value) {
  counter b = {.tensor = VEC(1, 1), .get_status = TD_ERR_IO};
  td_module *m = counted(NULL, &b, NULL);
  td_dict *none = NULL;
  expect_error(td_module_state_dict(m, TD_NO_STR, 0, &none, &err), TD_ERR_CALLBACK, NULL, "cannot tell");
  b.get_status = TD_OK, b.gives_nothing = 1;
  expect_error(td_module_state_dict(m, TD_NO_STR, 0, &none, &err), TD_ERR_CALLBACK, NULL, "returned neither a tensor");
  b.gives_nothing = 0, b.nested = 1;
  expect_error(td_module_state_dict(m, TD_NO_STR, 0, &none, &err), TD_ERR_CALLBACK, NULL, "returned neither a tensor");
  cr_assert_null(none);
  td_module_release(m);
  td_tensor_release(b.tensor);
}

Test(module_extra_state, a_failed_call_gives_the_userdata_back) {
  counter c = {.value = 3};
  td_module *m = counted(NULL, NULL, &c);
  expect_error(td_module_set_extra_state(NULL, both(&c), &err), TD_ERR_ARGUMENT, NULL, "NULL");
  cr_assert_eq(c.destroyed, 1, "a failed call gives the userdata back");
  td_module_release(m);
  cr_assert_eq(c.destroyed, 2);
}

Test(module_extra_state, names_of_data_that_no_module_has_are_unexpected) {
  td_module *m = known_linear();
  td_dict *state = saved(m, "");
  must(td_dict_set_data(state, TD_KEY("version"), TD_DATA(td_data_int(2)), &err));
  expect_error(td_module_load_state_dict(m, state, NULL, NULL, NULL, &err), TD_ERR_KEY, NULL, "\"version\"");
  td_load_options loose = TD_LOAD_OPTIONS_INIT;
  loose.lenient = 1;
  must(td_module_load_state_dict(m, state, &loose, NULL, NULL, &err));
  td_dict_release(state);
  td_module_release(m);
}
