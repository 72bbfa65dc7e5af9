/* Queries through hash types that others have written. */
#include "support/query.h"

static td_query_options with_plugin(const char *file, const char *type, const char *config) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s.so", TD_TEST_PLUGINS, file);
  must(td_plugins_load(TD_STR(path), &err));
  td_query_options options = TD_QUERY_OPTIONS_INIT;
  options.hash_type = TD_STR(type);
  options.hash_config = TD_STR(config);
  return options;
}

LeaklessTest(query_plugins, every_64_bit_value_is_legal_as_a_hash) {
  td_query_options options = with_plugin("first_word", "org.test.first_word", "{}");
  td_query *query = query_with(&options);
  td_dict *data = ROWS(0, -1, INT64_MIN, INT64_MAX, -2, 1, -1, 0);
  must(td_query_forward(query, data, TD_QUERY_DEFAULT, &err));
  expect_int64(data, TD_KEY("_hash"), INDICES(0, -1, INT64_MIN, INT64_MAX, -2, 1, -1, 0));
  expect_int64(data, TD_KEY("_index"), INDICES(0, 1, 2, 3, 4, 5, 1, 0));
  td_dict_release(data);
  td_query_release(query);
}

LeaklessTest(query_plugins, the_template_for_plugins_works) {
  td_query_options options = with_plugin("fnv1a", "org.example.fnv1a", "{}");
  td_query *query = query_with(&options);
  td_dict *data = new_dict(TD_SHAPE(2));
  td_tensor *words;
  must(td_tensor_copy_from("foobarfoobar", TD_DTYPE_UINT8, TD_SHAPE(2, 6), &words, &err));
  put(data, TD_KEY("a"), words);
  must(td_query_forward(query, data, TD_QUERY_DEFAULT, &err));
  const int64_t foobar = (int64_t)UINT64_C(0x85944171f73967e8);
  expect_int64(data, TD_KEY("_hash"), INDICES(foobar, foobar));
  td_dict_release(data);
  td_query_release(query);
}

LeaklessTest(query_plugins, a_type_that_fails_its_own_vectors_cannot_be_used) {
  td_query_options options = with_plugin("wrong_vector", "org.test.wrong_vector", "{}");
  td_query *query = NULL;
  for (int i = 0; i < 2; ++i)
    expect_error(td_query_new(TD_KEY("a"), 1, &options, &query, &err), TD_ERR_PLUGIN, NULL, "own test vector 1");
  cr_assert_null(query);
}

LeaklessTest(query_plugins, a_plugin_that_fails_leaves_everything_as_it_was) {
  static const struct {
    const char *config;
    failure expected;
  } cases[] = {
      {"{\"how\":\"status\"}", {TD_ERR_DTYPE, NULL, "these bytes taste odd"}},
      {"{\"how\":\"unknown\"}", {TD_ERR_PLUGIN, NULL, "org.test.failing"}},
      {"{\"how\":\"throw\"}", {TD_ERR_PLUGIN, NULL, "an exception left the plugin"}},
      {"{\"how\":\"throw_in_parallel\"}", {TD_ERR_PLUGIN, NULL, "an exception left the plugin"}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    td_query_options options = with_plugin("failing_hash", "org.test.failing", cases[i].config);
    td_query *query = query_with(&options);
    td_dict *data = ROWS(1, 2, 3);
    expect_unchanged(query, data, cases[i].expected);
    td_dict_release(data);
    td_query_release(query);
  }
}

LeaklessTest(query_plugins, a_plugin_may_use_the_threads_of_the_host) {
  td_query_options options = with_plugin("failing_hash", "org.test.failing", "{\"how\":\"parallel\"}");
  td_query *query = query_with(&options);
  td_dict *data = ROWS(9, 9, 9, 9, 9, 9, 9);
  must(td_query_forward(query, data, TD_QUERY_DEFAULT, &err));
  expect_int64(data, TD_KEY("_hash"), INDICES(0, 1, 2, 3, 4, 5, 6));
  td_dict_release(data);
  td_query_release(query);
}
