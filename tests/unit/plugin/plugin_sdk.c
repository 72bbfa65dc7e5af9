/* What tests/unit/plugins/sdk.cpp wrote with the C++ headers for plugins, as a caller sees it. */
#include "support/nn_support.h"

static void load_sdk(void) {
  must(td_plugins_load(TD_STR(TD_TEST_PLUGINS "/sdk.so"), &err));
  count_live();
}
TestSuite(plugin_sdk, .init = load_sdk, .fini = check_live);

Test(plugin_sdk, an_error_of_the_host_reaches_the_caller_and_none_is_left) {
  td_module *product;
  must(td_module_new(TD_STR("test.sdk_product"), TD_STR("{}"), NULL, &product, &err));
  td_tensor *bad = VEC(1, 2, 3), *out = NULL;
  const int64_t before = td_live_objects(TD_OBJECT_ERROR);
  for (int i = 0; i < 100; ++i)
    expect_error(td_module_call(product, &bad, 1, &out, 1, &err), TD_ERR_TORCH, NULL, "self must be a matrix");
  cr_assert_eq(td_live_objects(TD_OBJECT_ERROR), before);
  td_tensor_release(bad), td_module_release(product);
}

static td_module *largest(const char *config) {
  td_module *made;
  must(td_module_new(TD_STR("test.sdk_largest"), TD_STR(config), NULL, &made, &err));
  return made;
}

Test(plugin_sdk, an_operator_with_several_results_returns_all_of_them) {
  td_module *all = largest("{}");
  td_tensor *in = VEC(1, 3, 2), *out[2];
  const void *place;
  must(td_module_call(all, &in, 1, out, 2, &err));
  expect_shape(out[0], TD_SHAPE(1));
  cr_assert_eq(at(out[0], 0), 3);
  cr_assert_eq(td_tensor_dtype(out[1]), TD_DTYPE_INT64);
  must(td_tensor_data(out[1], &place, &err));
  cr_assert_eq(*(const int64_t *)place, 1);
  td_tensor_release(in), td_tensor_release(out[0]), td_tensor_release(out[1]), td_module_release(all);
}

Test(plugin_sdk, operate_returns_the_first_result_of_several) {
  td_module *first = largest("{\"of\": \"first\"}");
  td_tensor *in = VEC(1, 3, 2), *out;
  must(td_module_call(first, &in, 1, &out, 1, &err));
  cr_assert_eq(at(out, 0), 3);
  td_tensor_release(in), td_tensor_release(out), td_module_release(first);
}

Test(plugin_sdk, a_result_that_is_no_tensor_is_an_error) {
  td_module *size = largest("{\"of\": \"size\"}");
  td_tensor *in = VEC(1, 3, 2), *out = NULL;
  expect_error(td_module_call(size, &in, 1, &out, 1, &err), TD_ERR_PLUGIN, NULL, "result 0 of size is no tensor");
  td_tensor_release(in), td_module_release(size);
}

Test(plugin_sdk, one_file_has_several_types_each_with_its_schema) {
  td_hash *hash;
  must(td_hash_new(TD_STR("test.sdk_sum"), TD_STR("{\"start\": 40}"), &hash, &err));
  const uint8_t row[] = {1, 1};
  uint64_t sum;
  must(td_hash_rows(hash, row, 1, 2, 2, &sum, &err));
  cr_assert_eq(sum, 42);
  td_hash_release(hash);
  expect_error(td_hash_new(TD_STR("test.sdk_sum"), TD_STR("{\"start\": \"x\"}"), &hash, &err), TD_ERR_ARGUMENT, NULL,
               "start");
}

Test(plugin_sdk, a_distribution_draws_with_the_generator_and_has_what_its_class_has) {
  td_tensor *rate = VEC(2, 4), *first, *second, *log_prob, *mean, *none;
  td_dict *params;
  td_dist *dist;
  td_generator *generator;
  must(td_dict_new(TD_SHAPE(2), NULL, &params, &err));
  must(td_dict_set(params, TD_KEY("rate"), rate, &err));
  must(td_dist_new(TD_STR("test.sdk_exponential"), params, TD_STR("{}"), &dist, &err));
  must(td_generator_new(7, &generator, &err));
  must(td_dist_sample(dist, TD_SHAPE(5), generator, &first, &err));
  must(td_generator_seed(generator, 7, &err));
  must(td_dist_sample(dist, TD_SHAPE(5), generator, &second, &err));
  expect_shape(first, TD_SHAPE(5, 2));
  for (int i = 0; i < 10; ++i) cr_assert(at(first, i) == at(second, i) && at(first, i) >= 0);
  must(td_dist_log_prob(dist, rate, &log_prob, &err));
  cr_assert_float_eq(at(log_prob, 0), log(2) - 4, 1e-5);
  must(td_dist_get(dist, TD_DIST_STAT_MEAN, &mean, &err));
  cr_assert_float_eq(at(mean, 1), 0.25, 1e-7);
  expect_error(td_dist_get(dist, TD_DIST_STAT_ENTROPY, &none, &err), TD_ERR_UNSUPPORTED, NULL, NULL);
  td_tensor_release(rate), td_tensor_release(first), td_tensor_release(second), td_tensor_release(log_prob);
  td_tensor_release(mean), td_dict_release(params), td_dist_release(dist), td_generator_release(generator);
}
