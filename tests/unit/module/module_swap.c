/* Other tensors in the slots of a module for a while. */
#include "support/nn_support.h"

TestSuite(module_swap, .init = count_live, .fini = check_live);

Test(module_swap, swapped_tensors_come_back_always) {
  td_module *linear = known_linear();
  td_tensor *own = parameter(linear, TD_KEY("bias")), *x = VEC(0, 0, 0), *y, *grad;
  for (int end = 0; end < 2; ++end) {
    td_dict *params = dict(TD_NO_DIMS);
    td_tensor *bias = VEC(1, 2), *later = VEC(5, 6);
    must(td_tensor_requires_grad_(bias, 1, &err));
    must(td_dict_set(params, TD_KEY("bias"), bias, &err));
    td_scope *scope;
    must(td_module_swap(linear, params, 0, &scope, &err));
    must(td_module_call(linear, &x, 1, &y, 1, &err));
    EXPECT(y, 1, 2);
    td_tensor *sum = apply("sum", y, NULL);
    must(td_tensor_backward(sum, NULL, 0, &err));
    must(td_tensor_grad(bias, &grad, &err));
    EXPECT(grad, 1, 1); /* the graph stays whole */
    must(td_module_set_parameter(linear, TD_KEY("bias"), later, &err));
    must(end ? td_scope_end(scope, &err) : td_scope_cancel(scope, &err));
    td_scope_release(scope);
    cr_assert_eq(parameter(linear, TD_KEY("bias")), own);
    cr_assert_eq(peek(params, TD_KEY("bias")), end ? later : bias, "what the module had goes into the params");
    td_tensor_release(grad);
    td_tensor_release(sum);
    td_tensor_release(y);
    td_tensor_release(bias);
    td_tensor_release(later);
    td_dict_release(params);
  }
  td_dict *unknown = dict(TD_NO_DIMS);
  td_scope *scope;
  put(unknown, TD_KEY("bias"), VEC(1, 2));
  put(unknown, TD_KEY("zz"), VEC(1));
  expect_error(td_module_swap(linear, unknown, 0, &scope, &err), TD_ERR_KEY, NULL, "\"zz\"");
  cr_assert_eq(parameter(linear, TD_KEY("bias")), own);
  td_dict_release(unknown);
  td_tensor_release(x);
  td_module_release(linear);
}

/* Programs end scopes in any order. */
Test(module_swap, swaps_may_end_in_any_order) {
  td_module *linear = known_linear();
  td_tensor *own = parameter(linear, TD_KEY("bias")), *values[3];
  static const int orders[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  for (size_t order = 0; order < 6; ++order) {
    td_dict *params[3];
    td_scope *scopes[3];
    for (int i = 0; i < 3; ++i) {
      params[i] = dict(TD_NO_DIMS);
      values[i] = VEC((float)i, 1);
      must(td_dict_set(params[i], TD_KEY("bias"), values[i], &err));
      must(td_module_swap(linear, params[i], 0, &scopes[i], &err));
    }
    bool open[3] = {true, true, true};
    for (int i = 0; i < 3; ++i) {
      open[orders[order][i]] = false;
      must(td_scope_end(scopes[orders[order][i]], &err));
      td_tensor *now = own;
      for (int k = 0; k < 3; ++k)
        if (open[k]) now = values[k]; /* the one that began last */
      cr_assert_eq(parameter(linear, TD_KEY("bias")), now, "order %zu, after %d", order, i);
    }
    for (int i = 0; i < 3; ++i) {
      cr_assert_eq(peek(params[i], TD_KEY("bias")), values[i], "order %zu: params %d have another's tensor", order, i);
      td_scope_release(scopes[i]), td_dict_release(params[i]), td_tensor_release(values[i]);
    }
  }
  td_module_release(linear);
}

/* ---- Where parameters stay parameters */

Test(module_swap, gradients_reach_what_a_swapped_tensor_is_computed_from) {
  td_module *linear = known_linear();
  td_tensor *leaf = floats((const float[]){1, 1, 1, 1, 1, 1}, TD_SHAPE(2, 3)), *x = VEC(1, 2, 3), *y, *grad;
  must(td_tensor_requires_grad_(leaf, 1, &err));
  td_tensor *twice = apply("add", leaf, leaf);
  td_dict *params = dict(TD_NO_DIMS);
  must(td_dict_set(params, TD_KEY("weight"), twice, &err));
  td_scope *scope;
  must(td_module_swap(linear, params, 1, &scope, &err));
  cr_assert_eq(parameter(linear, TD_KEY("weight")), twice);
  must(td_module_call(linear, &x, 1, &y, 1, &err));
  td_tensor *sum = apply("sum", y, NULL);
  must(td_tensor_backward(sum, NULL, 0, &err));
  must(td_tensor_grad(leaf, &grad, &err));
  EXPECT(grad, 2, 4, 6, 2, 4, 6);
  must(td_scope_end(scope, &err));
  cr_assert_eq(peek(params, TD_KEY("weight")), twice);
  td_scope_release(scope);
  td_tensor *const tensors[] = {leaf, x, y, grad, twice, sum};
  for (size_t i = 0; i < 6; ++i) td_tensor_release(tensors[i]);
  td_dict_release(params);
  td_module_release(linear);
}

Test(module_swap, the_dict_has_its_own_tensors_after_the_scope) {
  td_module *linear = known_linear();
  td_dict *params = dict(TD_NO_DIMS);
  put(params, TD_KEY("bias"), VEC(1, 2));
  td_tensor *given = peek(params, TD_KEY("bias")), *later = VEC(5, 6);
  for (int replaced = 0; replaced < 2; ++replaced) {
    td_scope *scope;
    must(td_module_swap(linear, params, 1, &scope, &err));
    cr_assert(td_tensor_requires_grad(parameter(linear, TD_KEY("bias"))), "a parameter as before");
    if (replaced) must(td_module_set_parameter(linear, TD_KEY("bias"), later, &err));
    must(td_scope_end(scope, &err));
    td_scope_release(scope);
    cr_assert_eq(peek(params, TD_KEY("bias")), replaced ? later : given);
    cr_assert(!td_tensor_requires_grad(peek(params, TD_KEY("bias"))));
  }
  td_tensor_release(later);
  td_dict_release(params);
  td_module_release(linear);
}
