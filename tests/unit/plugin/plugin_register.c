/* Types that this process registers itself, and types that are hidden. */
#include "support/files.h"
#include "support/query.h"

static int destroyed;
static void count_destroyed(void *userdata) {
  (void)userdata;
  ++destroyed;
}

static td_type_info info_of(const char *id, const char *schema) {
  td_type_info info = TD_TYPE_INFO_INIT;
  info.id = TD_STR(id), info.version = TD_STR("1.0.0");
  if (schema) info.schema = TD_STR(schema);
  return info;
}

/* ---- Hashes ---------------------------------------------------------------------------------------------------------- */

/* The first byte of each row plus what userdata says; {"how":"fail"} fails. */
static td_status first_byte(void *userdata, td_str config, const void *rows, size_t n, size_t row_bytes, size_t stride,
                            uint64_t *out, td_error **error) {
  (void)row_bytes;
  if (strstr(config.data, "fail")) {
    *error = td_error_new(TD_ERR_IO, TD_STR("the pen is dry"));
    return TD_ERR_IO;
  }
  for (size_t i = 0; i < n; ++i) out[i] = ((const uint8_t *)rows)[i * stride] + (uint64_t) * (int *)userdata;
  return TD_OK;
}

static td_status register_hash(const char *id, const char *schema, int *plus) {
  const td_type_info info = info_of(id, schema);
  const td_hash_callbacks callbacks = {sizeof callbacks, first_byte, plus, count_destroyed};
  return td_plugins_register_hash(&info, &callbacks, &err);
}

LeaklessTest(plugin_register, a_hash_of_this_process_is_a_type_like_others) {
  int plus = 100;
  must(register_hash("org.here.first", "{\"properties\":{\"how\":{\"type\":\"string\"}}}", &plus));
  td_query_options options = TD_QUERY_OPTIONS_INIT;
  options.hash_type = TD_STR("org.here.first");
  td_query *query = query_with(&options);
  td_dict *data = ROWS(7, 8, 7);
  must(td_query_forward(query, data, TD_QUERY_DEFAULT, &err));
  expect_int64(data, TD_KEY("_hash"), INDICES(107, 108, 107));
  td_query_release(query);

  td_hash *failing, *other = NULL;
  uint64_t value;
  must(td_hash_new(options.hash_type, TD_STR("{\"how\":\"fail\"}"), &failing, &err));
  expect_error(td_hash_rows(failing, "a", 1, 1, 1, &value, &err), TD_ERR_CALLBACK, NULL, "the pen is dry");
  expect_error(td_hash_new(options.hash_type, TD_STR("{\"how\":1}"), &other, &err), TD_ERR_ARGUMENT, NULL, "\"how\"");
  expect_error(td_hash_new(options.hash_type, TD_STR("{\"why\":1}"), &other, &err), TD_ERR_ARGUMENT, NULL, "\"why\"");

  expect_error(register_hash("org.here.first", NULL, &plus), TD_ERR_EXISTS, NULL, "already registered");
  check(destroyed == 1);
  must(td_plugins_unregister(TD_PLUGIN_KIND_HASH, options.hash_type, &err));
  expect_error(td_hash_new(options.hash_type, TD_NO_STR, &other, &err), TD_ERR_NOT_FOUND, NULL, NULL);
  expect_error(td_plugins_unregister(TD_PLUGIN_KIND_HASH, options.hash_type, &err), TD_ERR_NOT_FOUND, NULL, NULL);
  check(destroyed == 1); /* an instance lives */
  must(register_hash("org.here.first", NULL, &plus));
  must(td_hash_new(options.hash_type, TD_STR("{\"any\":1}"), &other, &err)); /* without a schema: as it likes */
  td_hash_release(other);
  td_hash_release(failing);
  check(destroyed == 2);
  must(td_plugins_unregister(TD_PLUGIN_KIND_HASH, options.hash_type, &err));
  check(destroyed == 3);
  td_dict_release(data);
}

LeaklessTest(plugin_register, what_is_refused_is_destroyed_once) {
  int plus = 0;
  const td_type_info info = info_of("org.here.bad", NULL);
  const td_hash_callbacks missing = {sizeof missing, NULL, NULL, count_destroyed};
  expect_error(td_plugins_register_hash(&info, &missing, &err), TD_ERR_ARGUMENT, NULL, "hash_rows");
  check(destroyed == 1);
  expect_error(register_hash("", NULL, &plus), TD_ERR_ARGUMENT, NULL, "empty");
  static const char *const ids[] = {"x", "me ok.x", ".x", "me.", "me..x", "me.o\nk"};
  for (size_t i = 0; i < sizeof ids / sizeof *ids; ++i)
    expect_error(register_hash(ids[i], NULL, &plus), TD_ERR_ARGUMENT, NULL, "id");
  expect_error(register_hash("td.mine", NULL, &plus), TD_ERR_ARGUMENT, NULL, "td.");
  expect_error(register_hash("org.here.bad", "{\"properties\":{\"a\":{\"type\":\"colour\"}}}", &plus), TD_ERR_ARGUMENT,
               NULL, "colour");
  expect_error(register_hash("org.here.bad", "{\"oneOf\":[]}", &plus), TD_ERR_ARGUMENT, NULL, "oneOf");
  expect_error(register_hash("org.here.bad", "{", &plus), TD_ERR_ARGUMENT, NULL, "JSON");
  check(destroyed == 12);
  expect_error(td_plugins_register_hash(&info, NULL, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  const td_hash_callbacks good = {sizeof good, first_byte, &plus, count_destroyed};
  expect_error(td_plugins_register_hash(NULL, &good, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  check(destroyed == 13);
  expect_error(td_plugins_unregister(9, TD_STR("a"), &err), TD_ERR_ARGUMENT, NULL, "9");
}

/* ---- Modules and distributions --------------------------------------------------------------------------------------- */

static td_status init(void *userdata, td_str config, td_generator *generator, td_dict *parameters, td_dict *buffers,
                      td_error **error) {
  (void)userdata, (void)config, (void)generator, (void)buffers;
  td_tensor *scale;
  td_status s = td_tensor_full(TD_SHAPE(2), TD_VALUE(td_value_double(3)), TD_DTYPE_FLOAT32, TD_NO_STR, &scale, error);
  if (s == TD_OK) s = td_dict_set(parameters, TD_KEY("scale"), scale, error);
  td_tensor_release(scale);
  return s;
}

static td_status times_scale(void *userdata, td_str config, td_tensor *const *state, size_t n_state,
                             td_tensor *const *inputs, size_t n_inputs, td_bool training, td_tensor **outputs,
                             size_t n_outputs, td_error **error) {
  (void)userdata, (void)config, (void)training, (void)error;
  if (n_state != 1 || n_inputs != 1 || n_outputs != 1) return TD_ERR_ARGUMENT;
  outputs[0] = call("mul", "Tensor", ARGS(td_value_tensor(inputs[0]), td_value_tensor(state[0])));
  return TD_OK;
}

LeaklessTest(plugin_register, a_module_of_this_process_has_parameters) {
  const td_type_info info = info_of("org.here.scale", NULL);
  const td_module_callbacks callbacks = {sizeof callbacks, init, times_scale, NULL, count_destroyed};
  must(td_plugins_register_module(&info, &callbacks, &err));
  td_module *module;
  must(td_module_new(info.id, TD_NO_STR, NULL, &module, &err));
  td_tensor *x = range_f32(TD_SHAPE(2)), *y;
  must(td_module_call(module, &x, 1, &y, 1, &err));
  expect_values(y, VALUES(0, 3));
  td_tensor_release(y);
  expect_error(td_module_call(module, &x, 0, &y, 1, &err), TD_ERR_CALLBACK, NULL, NULL);
  td_dict *state;
  must(td_dict_from_module(module, &state, &err));
  check(kind_at(state, TD_KEY("scale")) == TD_ENTRY_TENSOR);
  td_dict_release(state);
  td_tensor_release(x);
  must(td_plugins_unregister(TD_PLUGIN_KIND_MODULE, info.id, &err));
  td_module_release(module);
  check(destroyed == 1);
}

static td_status twice(void *userdata, td_str config, td_generator *generator, td_dict *parameters, td_dict *buffers,
                       td_error **error) {
  td_status s = init(userdata, config, generator, parameters, buffers, error);
  return s == TD_OK ? init(userdata, config, generator, buffers, parameters, error) : s;
}

LeaklessTest(plugin_register, a_state_that_no_module_can_have_is_told_as_such) {
  const td_type_info info = info_of("org.here.twice", NULL);
  const td_module_callbacks callbacks = {sizeof callbacks, twice, times_scale, NULL, count_destroyed};
  must(td_plugins_register_module(&info, &callbacks, &err));
  td_module *module;
  expect_error(td_module_new(info.id, TD_NO_STR, NULL, &module, &err), TD_ERR_ARGUMENT, "\"scale\"",
               "the name is in use");
  must(td_plugins_unregister(TD_PLUGIN_KIND_MODULE, info.id, &err));
}

static td_status always(void *userdata, td_str config, td_tensor *const *params, td_dist_stat which, td_tensor **out,
                        td_error **error) {
  (void)userdata, (void)config;
  if (which != TD_DIST_STAT_MEAN) {
    *error = td_error_new(TD_ERR_UNSUPPORTED, TD_STR("only a mean"));
    return TD_ERR_UNSUPPORTED;
  }
  td_tensor_retain(params[0]);
  *out = params[0];
  return TD_OK;
}

LeaklessTest(plugin_register, a_distribution_of_this_process_has_a_mean) {
  const td_type_info info = info_of("org.here.always", NULL);
  const td_str names[] = {TD_STR("value")};
  td_dist_callbacks callbacks = {
      .struct_size = sizeof callbacks, .params = names, .n_params = 1, .stat = always, .destroy = count_destroyed};
  must(td_plugins_register_dist(&info, &callbacks, &err));
  td_dict *params = new_dict(TD_NO_DIMS);
  put(params, TD_KEY("value"), range_f32(TD_SHAPE(3)));
  td_dist *dist;
  must(td_dist_new(info.id, params, TD_NO_STR, &dist, &err));
  td_tensor *mean;
  must(td_dist_get(dist, TD_DIST_STAT_MEAN, &mean, &err));
  expect_values(mean, VALUES(0, 1, 2));
  td_tensor_release(mean);
  expect_error(td_dist_get(dist, TD_DIST_STAT_ENTROPY, &mean, &err), TD_ERR_UNSUPPORTED, NULL, "only a mean");
  expect_error(td_dist_sample(dist, TD_NO_DIMS, NULL, &mean, &err), TD_ERR_UNSUPPORTED, NULL, NULL);
  td_dist_release(dist);
  td_dict_release(params);
  must(td_plugins_unregister(TD_PLUGIN_KIND_DISTRIBUTION, info.id, &err));
  check(destroyed == 1);
}
