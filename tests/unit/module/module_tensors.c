/* What takes the places of a module's tensors: parameters of the caller's, other devices, the leaves of a dict. */
#include "support/nn_support.h"

TestSuite(module_tensors, .init = count_live, .fini = check_live);

Test(module_tensors, a_registered_parameter_is_trained) {
  td_module *m = known_linear();
  td_tensor *plain = VEC(1, 2), *trained = VEC(3, 4), *whole;
  must(td_tensor_requires_grad_(trained, 1, &err));
  must(td_module_register_parameter(m, TD_STR("plain"), plain, &err));
  must(td_module_register_parameter(m, TD_STR("trained"), trained, &err));
  td_tensor *own = parameter(m, TD_KEY("plain"));
  cr_assert(td_tensor_requires_grad(own) && !td_tensor_requires_grad(plain));
  const void *a, *b;
  must(td_tensor_data(plain, &a, &err));
  td_tensor *seen;
  must(td_tensor_detach(own, &seen, &err));
  must(td_tensor_data(seen, &b, &err));
  cr_assert_eq(a, b, "the memory is the caller's");
  cr_assert_eq(parameter(m, TD_KEY("trained")), trained);
  must(td_tensor_zeros(TD_SHAPE(2), TD_DTYPE_INT64, TD_NO_STR, &whole, &err));
  expect_error(td_module_register_parameter(m, TD_STR("whole"), whole, &err), TD_ERR_DTYPE, NULL, "floating-point");
  must(td_module_register_buffer(m, TD_STR("whole"), whole, 1, &err));
  must(td_module_register_parameter(m, TD_STR("none"), NULL, &err));
  td_tensor *const tensors[] = {plain, trained, whole, seen};
  for (size_t i = 0; i < 4; ++i) td_tensor_release(tensors[i]);
  td_module_release(m);
}

Test(module_tensors, a_module_goes_to_meta_and_gets_memory_again) {
  td_module *m = known_linear();
  td_tensor *x = VEC(1, 2, 3), *y;
  must(td_module_to(m, TD_DTYPE_NONE, TD_STR("meta"), &err));
  td_tensor *weight = parameter(m, TD_KEY("weight"));
  cr_assert_str_eq(td_tensor_device(weight).data, "meta");
  cr_assert(td_tensor_requires_grad(weight));
  expect_error(td_module_to(m, TD_DTYPE_NONE, TD_STR("cpu"), &err), TD_ERR_UNSUPPORTED, NULL, "has no values");
  must(td_module_to_empty(m, TD_STR("cpu"), &err));
  must(td_module_reset_parameters(m, NULL, NULL, NULL, NULL, &err));
  weight = parameter(m, TD_KEY("weight"));
  cr_assert(td_tensor_requires_grad(weight));
  expect_shape(weight, TD_SHAPE(2, 3));
  must(td_module_call(m, &x, 1, &y, 1, &err));
  expect_shape(y, TD_SHAPE(2));
  td_tensor_release(y);
  td_tensor_release(x);
  td_module_release(m);
}

Test(module_tensors, the_tensors_of_a_dict_are_a_module) {
  td_dict *d = dict(TD_SHAPE(2)), *state;
  td_tensor *whole;
  put(d, TD_KEY("w"), VEC(1, 2));
  put(d, TD_KEY("n", "b"), VEC(3, 4));
  must(td_tensor_zeros(TD_SHAPE(2), TD_DTYPE_INT64, TD_NO_STR, &whole, &err));
  put(d, TD_KEY("n", "steps"), whole);
  td_module *m, *outer = known_linear();
  must(td_module_from_params(d, &m, &err));
  must(td_module_register_module(outer, TD_STR("extra"), m, &err));
  td_keys *keys;
  td_tensor_list *tensors;
  must(td_module_parameters(outer, NULL, &keys, &tensors, &err));
  cr_assert_str_eq(joined(keys), "weight bias extra.w extra.n.b ");
  td_tensor_list_release(tensors);
  must(td_module_buffers(outer, NULL, &keys, &tensors, &err));
  cr_assert_str_eq(joined(keys), "extra.n.steps ");
  td_tensor_list_release(tensors);
  cr_assert(td_tensor_requires_grad(parameter(outer, TD_KEY("extra", "n", "b"))));
  must(td_dict_from_module(m, &state, &err));
  EXPECT(peek(state, TD_KEY("n", "b")), 3, 4);
  td_tensor *x = VEC(1), *y;
  expect_error(td_module_call(m, &x, 1, &y, 1, &err), TD_ERR_UNSUPPORTED, NULL, "cannot be called");
  td_tensor_release(x);
  td_dict *lazy, *bad = dict(TD_NO_DIMS), *trained;
  td_module *none;
  must(td_dict_lazy_stack(&d, 1, 0, &lazy, &err));
  expect_error(td_module_from_params(lazy, &none, &err), TD_ERR_UNSUPPORTED, NULL, "lazy stack");
  put(bad, TD_KEY("a.b"), VEC(1));
  expect_error(td_module_from_params(bad, &none, &err), TD_ERR_ARGUMENT, NULL, "can't contain");
  must(td_dict_params(d, NULL, &trained, &err));
  td_module_release(m);
  must(td_module_from_params(trained, &m, &err));
  cr_assert_eq(parameter(m, TD_KEY("w")), peek(trained, TD_KEY("w")), "of parameters, the same tensors");
  td_dict *const dicts[] = {d, state, lazy, bad, trained};
  for (size_t i = 0; i < 5; ++i) td_dict_release(dicts[i]);
  td_module_release(m);
  td_module_release(outer);
}
