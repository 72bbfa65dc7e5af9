/* Text that people write: what repr prints, configs, schemas and manifests. */
#include "support/fuzz.h"

/* Shapes in the text are shapes of tensors that are made: large ones may fail for want of memory. */
static void repr(const uint8_t *bytes, size_t size) {
  const td_str text = {(const char *)bytes, size};
  td_parse_options options = TD_PARSE_OPTIONS_INIT;
  options.device = TD_STR("cpu");
  td_dict *dict = NULL;
  td_error *error = NULL;
  if (typed_or_oom(td_dict_parse(text, &options, &dict, &error), error)) look_at(dict);
  td_dict_release(dict);
}
const fuzz_target fuzz_repr = {"repr", repr, NULL, NULL, 0};

static void make_hash(const char *type, td_str config) {
  td_hash *hash = NULL;
  td_error *error = NULL;
  if (typed_or_oom(td_hash_new(TD_STR(type), config, &hash, &error), error)) {
    td_string *text = NULL;
    error = NULL;
    typed(td_hash_describe(hash, &text, &error), error);
    td_string_release(text);
  }
  td_hash_release(hash);
}

static td_status sum_rows(void *userdata, td_str config, const void *rows, size_t n, size_t row_bytes, size_t stride,
                          uint64_t *out, td_error **error) {
  (void)userdata, (void)config, (void)rows, (void)row_bytes, (void)stride, (void)error;
  for (size_t i = 0; i < n; ++i) out[i] = i;
  return TD_OK;
}

/* A config for the bundled types, or, behind a schema and a byte 0xFF, for a type with that schema. */
static void config(const uint8_t *bytes, size_t size) {
  static const char *const types[] = {"td.siphash", "td.xxh3", "td.random_projection", "td.binary_to_decimal"};
  bytes_left left = {bytes, size}, first, second;
  if (!take_part(&left, &first)) return;
  const td_str text = {(const char *)first.at, first.size};
  if (!take_part(&left, &second)) {
    for (size_t i = 0; i < sizeof types / sizeof *types; ++i) make_hash(types[i], text);
    return;
  }
  td_type_info info = TD_TYPE_INFO_INIT;
  info.id = TD_STR("fuzz.hash"), info.version = TD_STR("1.0.0"), info.schema = text;
  td_hash_callbacks callbacks = {sizeof callbacks, sum_rows, NULL, NULL};
  td_error *error = NULL;
  if (!typed(td_plugins_register_hash(&info, &callbacks, &error), error)) return;
  make_hash("fuzz.hash", (td_str){(const char *)second.at, second.size});
  hold(td_plugins_unregister(TD_PLUGIN_KIND_HASH, info.id, NULL) == TD_OK,
       "a type that was registered can be unregistered");
}
const fuzz_target fuzz_config = {"config", config, NULL, NULL, 0};

static void manifest(const uint8_t *bytes, size_t size) {
  put_file("plugin.toml", bytes, size);
  td_error *error = NULL;
  typed(td_plugins_load(TD_STR(inside("plugin.toml")), &error), error);
}
const fuzz_target fuzz_manifest = {"manifest", manifest, NULL, NULL, 0};
