/* org.example.fnv1a: a hash plugin to start from. FNV-1a, 64 bits: http://www.isthe.com/chongo/tech/comp/fnv/
 *
 * SPDX-License-Identifier: MIT
 */
#include "tensordict_plugin.h"

/* No config and nothing to keep: the instance is this byte. */
static char instance;

static td_status create(const td_host *host, const td_config *config, void **self, td_error **err) {
  (void)host, (void)config, (void)err;
  *self = &instance;
  return TD_OK;
}

static void destroy(void *self) {
  (void)self;
}

static td_status hash_rows(void *self, const uint8_t *rows, size_t n, size_t row_bytes, size_t stride, uint64_t *out,
                           td_error **err) {
  (void)self, (void)err;
  for (size_t i = 0; i < n; ++i) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t at = 0; at < row_bytes; ++at) hash = (hash ^ rows[i * stride + at]) * UINT64_C(0x100000001b3);
    out[i] = hash;
  }
  return TD_OK;
}

/* The library checks these when the type is first used. */
static const td_hash_vector vectors[] = {
    {TD_TEXT("{}"), TD_TEXT(""), UINT64_C(0xcbf29ce484222325)},
    {TD_TEXT("{}"), TD_TEXT("a"), UINT64_C(0xaf63dc4c8601ec8c)},
    {TD_TEXT("{}"), TD_TEXT("foobar"), UINT64_C(0x85944171f73967e8)},
};

static const td_hash_type fnv1a = {
    .type = {.struct_size = sizeof(td_hash_type),
             .kind = TD_PLUGIN_KIND_HASH,
             .flags = TD_PLUGIN_DETERMINISTIC | TD_PLUGIN_STABLE | TD_PLUGIN_THREAD_SAFE,
             .id = TD_TEXT("org.example.fnv1a"),
             .version = TD_TEXT("1.0.0")},
    .create = create,
    .destroy = destroy,
    .hash_rows = hash_rows,
    .vectors = vectors,
    .n_vectors = sizeof vectors / sizeof *vectors,
};

static const td_plugin_type *const types[] = {&fnv1a.type};

td_status td_plugin_entry(const td_host *host, td_plugin *out, td_error **err) {
  (void)host, (void)err;
  out->abi_major = TD_PLUGIN_ABI_MAJOR;
  out->abi_minor = TD_PLUGIN_ABI_MINOR;
  out->id = (td_str)TD_TEXT("org.example.fnv1a");
  out->vendor = (td_str)TD_TEXT("Example");
  out->version = (td_str)TD_TEXT("1.0.0");
  out->license = (td_str)TD_TEXT("MIT");
  out->types = types;
  out->n_types = 1;
  return TD_OK;
}
