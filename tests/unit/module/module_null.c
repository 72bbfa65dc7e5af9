/* NULL where a module, an output or a function belongs is an error with a message, and loses nothing. */
#include "support/nn_support.h"

#define refuses(call) expect_error((call), TD_ERR_ARGUMENT, NULL, "NULL")

static td_module *m, *k, *seq; /* a layer, one with keys, and a sequence of that one */
static td_dict *d;             /* {"w": [1] requiring grad} */
static td_tensor *t;

static void make_them(void) {
  count_live();
  m = known_linear(), k = keyed(known_linear(), "x", "y");
  must(td_module_sequential(&k, 1, NULL, &seq, &err));
  d = dict(TD_NO_DIMS), t = VEC(1);
  put(d, TD_KEY("w"), VEC(1));
  must(td_tensor_requires_grad_(peek(d, TD_KEY("w")), 1, &err));
}

static void release_them(void) {
  td_tensor_release(t);
  td_dict_release(d);
  td_module_release(seq), td_module_release(k), td_module_release(m);
  check_live();
}

TestSuite(module_null, .init = make_them, .fini = release_them);

Test(module_null, making_a_module_refuses) {
  td_module *out;
  refuses(td_module_from_values(TD_CALLBACKS(td_values_function, NULL, NULL, NULL), &out, &err));
  refuses(td_module_wrap(TD_CALLBACKS(td_dict_function, NULL, NULL, NULL), 0, NULL, 0, NULL, 0, &out, &err));
  refuses(td_module_tensordict(NULL, TD_KEY("x"), 1, TD_KEY("y"), 1, NULL, &out, &err));
  refuses(td_module_tensordict(m, TD_KEY("x"), 1, TD_KEY("y"), 1, NULL, NULL, &err));
  refuses(td_module_tensordict(m, NULL, 1, TD_KEY("y"), 1, NULL, &out, &err));
  refuses(td_module_sequential(NULL, 1, NULL, &out, &err));
  refuses(td_module_chain(&m, 1, NULL, NULL, &err));
  refuses(td_module_list((td_module *const[]){NULL}, 1, NULL, &out, &err));
  refuses(td_module_from_params(NULL, &out, &err));
  refuses(td_module_from_params(d, NULL, &err));
  refuses(td_module_ensemble(NULL, 2, 1, NULL, &out, &err));
  refuses(td_module_ensemble(k, 2, 1, NULL, NULL, &err));
}

Test(module_null, running_a_module_refuses) {
  td_dict *od;
  td_tensor *ot;
  td_value value;
  size_t n;
  refuses(td_module_run(NULL, d, NULL, &od, &err));
  refuses(td_module_run(k, NULL, NULL, &od, &err));
  refuses(td_module_run(k, d, NULL, NULL, &err));
  refuses(td_module_dispatch(NULL, NULL, 0, NULL, 0, TD_NO_STR, &value, 1, &n, &err));
  refuses(td_module_dispatch(k, NULL, 1, NULL, 0, TD_NO_STR, &value, 1, &n, &err));
  refuses(td_module_dispatch(k, NULL, 0, NULL, 0, TD_NO_STR, &value, 1, NULL, &err));
  refuses(td_module_functional_call(NULL, NULL, 0, NULL, &t, 1, &ot, 1, &err));
  refuses(td_module_functional_call(m, NULL, 1, NULL, &t, 1, &ot, 1, &err));
  refuses(td_module_functional_call(m, NULL, 0, NULL, &t, 1, NULL, 1, &err));
  refuses(td_vmap(NULL, NULL, NULL, 0, NULL, &value, 1, &err));
}

Test(module_null, keys_and_members_refuse) {
  td_module *out;
  td_keys *keys;
  refuses(td_module_in_keys(k, NULL, &err));
  refuses(td_module_out_keys(NULL, &keys, &err));
  refuses(td_module_out_keys_source(NULL, &keys, &err));
  refuses(td_module_select_out_keys(NULL, NULL, 0, &err));
  refuses(td_module_reset_out_keys(NULL, &err));
  refuses(td_module_select_subsequence(NULL, NULL, 0, NULL, 0, &out, &err));
  refuses(td_module_select_subsequence(seq, NULL, 0, NULL, 0, NULL, &err));
  cr_assert_eq(td_module_size(NULL), 0);
  refuses(td_module_member(seq, 0, NULL, &err));
  refuses(td_module_slice(NULL, 0, 1, 1, &out, &err));
  refuses(td_module_set_member(seq, 0, NULL, &err));
  refuses(td_module_remove_member(NULL, 0, &err));
}

Test(module_null, parameters_buffers_and_modules_refuse) {
  td_keys *keys;
  td_tensor *ot;
  td_tensor_list *list;
  refuses(td_module_parameters(m, NULL, NULL, &list, &err));
  refuses(td_module_parameters(m, NULL, &keys, NULL, &err));
  refuses(td_module_buffers(NULL, NULL, &keys, &list, &err));
  refuses(td_module_visit(m, TD_VISIT_MODULES, NULL, NULL, NULL, &err));
  refuses(td_module_get_parameter(m, TD_KEY("weight"), NULL, &err));
  refuses(td_module_get_buffer(NULL, TD_KEY("weight"), &ot, &err));
  refuses(td_module_get_submodule(m, NULL, NULL, &err));
  refuses(td_module_set_parameter(NULL, TD_KEY("weight"), t, &err));
  refuses(td_module_set_buffer(NULL, TD_KEY("weight"), t, &err));
  refuses(td_module_set_submodule(m, TD_KEY("a"), NULL, &err));
  refuses(td_module_register_parameter(NULL, TD_STR("a"), t, &err));
  refuses(td_module_register_buffer(NULL, TD_STR("a"), t, 1, &err));
  refuses(td_module_register_module(NULL, TD_STR("a"), m, &err));
}

Test(module_null, modes_texts_and_casts_refuse) {
  td_string *text;
  cr_assert(!td_module_is_training(NULL) && !td_module_has_keys(NULL));
  cr_assert(td_module_is_training(m) && !td_module_has_keys(m) && td_module_has_keys(seq));
  refuses(td_module_repr(NULL, &text, &err));
  refuses(td_module_repr(m, NULL, &err));
  refuses(td_module_requires_grad_(NULL, 1, &err));
  refuses(td_module_zero_grad(NULL, 1, &err));
  refuses(td_module_to(NULL, TD_DTYPE_FLOAT64, TD_NO_STR, &err));
  refuses(td_module_to_type(NULL, TD_DTYPE_FLOAT64, &err));
  refuses(td_module_share_memory(NULL, &err));
  refuses(td_module_to_empty(NULL, TD_STR("cpu"), &err));
}

Test(module_null, states_refuse) {
  td_dict *od, *od2;
  td_scope *scope;
  refuses(td_dict_from_modules(NULL, 1, NULL, &od, &err));
  refuses(td_dict_from_modules(&m, 1, NULL, NULL, &err));
  refuses(td_module_stack_state(&m, 1, &od, NULL, &err));
  refuses(td_module_stack_state(&m, 1, NULL, &od2, &err));
  refuses(td_module_reset_parameters(NULL, NULL, NULL, NULL, NULL, &err));
  refuses(td_module_reset_parameters(m, d, NULL, NULL, NULL, &err));
  refuses(td_module_state_dict(m, TD_NO_STR, 0, NULL, &err));
  refuses(td_module_load_state_dict(m, NULL, NULL, NULL, NULL, &err));
  refuses(td_module_set_extra_state(NULL, TD_CALLBACKS(td_extra_state, NULL, NULL, NULL, NULL), &err));
  refuses(td_module_swap(m, NULL, 0, &scope, &err));
  refuses(td_module_swap(m, d, 0, NULL, &err));
}

Test(module_null, hooks_refuse) {
  refuses(td_module_add_forward_hook(NULL, TD_CALLBACKS(td_forward_hook, NULL, NULL, NULL), 0, NULL, &err));
  refuses(td_module_add_state_hook(m, TD_STATE_HOOK_STATE_DICT, TD_CALLBACKS(td_state_hook, NULL, NULL, NULL), 0, NULL,
                                   &err));
  refuses(td_module_remove_hook(NULL, 1, &err));
}

Test(module_null, optimizers_refuse) {
  td_optimizer *optimizer;
  double number;
  refuses(td_optimizer_adamw(NULL, NULL, &optimizer, &err));
  refuses(td_optimizer_rmsprop(d, NULL, NULL, &err));
  must(td_optimizer_sgd(d, NULL, &optimizer, &err));
  refuses(td_optimizer_add_group(optimizer, NULL, &err));
  refuses(td_optimizer_get(optimizer, 0, TD_STR("lr"), NULL, &err));
  refuses(td_optimizer_set(NULL, 0, TD_STR("lr"), 1, &err));
  refuses(td_optimizer_state(optimizer, NULL, &err));
  refuses(td_optimizer_load_state(optimizer, NULL, &err));
  refuses(td_dict_clip_grad_norm_(NULL, 1, 2, 0, &number, &err));
  refuses(td_dict_clip_grad_value_(NULL, 1, &err));
  td_optimizer_release(optimizer);
}
