/* Methods of torch.nn.Module and of composite distributions that no other file is about. */
#include "support/nn_support.h"

TestSuite(module_methods, .init = count_live, .fini = check_live);

Test(module_methods, a_module_says_whether_it_reads_keys_and_trains) {
  td_module *bare = known_linear(), *m;
  must(td_module_tensordict(bare, TD_KEY("x"), 1, TD_KEY("y"), 1, NULL, &m, &err));
  cr_assert(td_module_has_keys(m) && !td_module_has_keys(bare) && !td_module_has_keys(NULL));
  cr_assert(td_module_is_training(m) && td_module_is_training(bare));
  must(td_module_train(m, 0, &err));
  cr_assert(!td_module_is_training(m) && !td_module_is_training(bare) && !td_module_is_training(NULL));
  must(td_module_train(bare, 1, &err));
  cr_assert(!td_module_is_training(m) && td_module_is_training(bare));
  td_module_release(m);
  td_module_release(bare);
}

Test(module_methods, a_buffer_is_put_in_place_and_cast_by_type_only) {
  td_module *m = known_linear();
  td_tensor *count, *got;
  must(td_tensor_full(TD_SHAPE(2), TD_VALUE(td_value_double(3)), TD_DTYPE_INT64, TD_NO_STR, &count, &err));
  must(td_module_register_buffer(m, TD_STR("count"), count, 1, &err));
  td_tensor_release(count);
  must(td_tensor_full(TD_SHAPE(3), TD_VALUE(td_value_double(7)), TD_DTYPE_INT64, TD_NO_STR, &count, &err));
  must(td_module_set_buffer(m, TD_KEY("count"), count, &err));
  must(td_module_get_buffer(m, TD_KEY("count"), &got, &err));
  cr_assert_eq(got, count);
  td_tensor_release(got);
  expect_error(td_module_set_buffer(m, TD_KEY("weight"), count, &err), TD_ERR_KEY, NULL, "weight");
  expect_error(td_module_set_buffer(m, TD_KEY("nothing"), count, &err), TD_ERR_KEY, NULL, "nothing");
  td_tensor_release(count);

  must(td_module_to(m, TD_DTYPE_FLOAT64, TD_NO_STR, &err));
  must(td_module_get_buffer(m, TD_KEY("count"), &got, &err));
  cr_assert_eq(td_tensor_dtype(got), TD_DTYPE_INT64, "a cast leaves integers");
  td_tensor_release(got);
  must(td_module_to_type(m, TD_DTYPE_FLOAT32, &err));
  must(td_module_get_buffer(m, TD_KEY("count"), &got, &err));
  cr_assert_eq(td_tensor_dtype(got), TD_DTYPE_FLOAT32);
  EXPECT(got, 7, 7, 7);
  td_tensor_release(got);
  must(td_module_get_parameter(m, TD_KEY("weight"), &got, &err));
  cr_assert(td_tensor_dtype(got) == TD_DTYPE_FLOAT32 && td_tensor_requires_grad(got));
  EXPECT(got, 1, 2, 3, 4, 5, 6);
  td_tensor_release(got);
  td_module_release(m);
}

static td_dist *normal(td_tensor *loc, td_tensor *scale) {
  td_dict *params = dict(TD_NO_DIMS);
  td_dist *d;
  put(params, TD_KEY("loc"), loc);
  put(params, TD_KEY("scale"), scale);
  must(td_dist_new(TD_STR("td.normal"), params, TD_NO_STR, &d, &err));
  td_dict_release(params);
  return d;
}

Test(module_methods, distributions_that_are_there_are_put_together) {
  td_tensor *loc = VEC(1, 2);
  must(td_tensor_requires_grad_(loc, 1, &err));
  td_tensor_retain(loc);
  td_dist *parts[] = {normal(loc, VEC(1, 1)), normal(VEC(0, 0), VEC(2, 2))}, *both;
  const td_key names[] = {*TD_KEY("a"), *TD_KEY("n", "b")};
  must(td_dist_composite_of(TD_SHAPE(2), names, parts, 2, &both, &err));
  td_dict *draws, *log_prob;
  must(td_dist_rsample_dict(both, TD_SHAPE(3), NULL, &draws, &err));
  td_tensor *a = get(draws, TD_KEY("a")), *b = get(draws, TD_KEY("n", "b"));
  expect_shape(a, TD_SHAPE(3, 2));
  cr_assert(td_tensor_requires_grad(a) && !td_tensor_requires_grad(b));
  td_tensor *sum = apply("sum", a, NULL), *grad;
  must(td_tensor_backward(sum, NULL, 0, &err));
  must(td_tensor_grad(loc, &grad, &err));
  EXPECT(grad, 3, 3);
  must(td_dist_log_prob_dict(both, draws, 1, &log_prob, &err));
  expect_shape(peek(log_prob, TD_KEY("sample_log_prob")), TD_SHAPE(3, 2));
  cr_assert_eq(td_dict_count(log_prob), 3);
  expect_error(td_dist_composite_of(TD_SHAPE(2), NULL, parts, 2, &both, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_dist_rsample_dict(parts[0], TD_NO_DIMS, NULL, &draws, &err), TD_ERR_UNSUPPORTED, NULL, "composite");
  td_tensor *const tensors[] = {a, b, sum, grad, loc};
  for (int i = 0; i < 5; ++i) td_tensor_release(tensors[i]);
  td_dict_release(draws);
  td_dict_release(log_prob);
  td_dist *const dists[] = {parts[0], parts[1], both};
  for (int i = 0; i < 3; ++i) td_dist_release(dists[i]);
}
