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
