/* org.test.sum: the sum of a row's bytes. Tests of the loader put a plugin around it that is wrong in one way. */
#ifndef TESTS_SUM_TYPE_H
#define TESTS_SUM_TYPE_H

#include <stdlib.h>

#include "tensordict_plugin.h"

static td_status sum_create(const td_host *host, const td_config *config, void **self, td_error **err) {
  (void)host, (void)config, (void)err;
  *self = malloc(1);
  return *self ? TD_OK : TD_ERR_OOM;
}

static void sum_destroy(void *self) {
  free(self);
}

static td_status sum_rows(void *self, const uint8_t *rows, size_t n, size_t row_bytes, size_t stride, uint64_t *out,
                          td_error **err) {
  (void)self, (void)err;
  for (size_t i = 0; i < n; ++i) {
    out[i] = 0;
    for (size_t at = 0; at < row_bytes; ++at) out[i] += rows[i * stride + at];
  }
  return TD_OK;
}

#define SUM_TYPE(id_text)                                               \
  {                                                                     \
    .type = {.struct_size = sizeof(td_hash_type),                       \
             .kind = TD_PLUGIN_KIND_HASH,                               \
             .flags = TD_PLUGIN_DETERMINISTIC | TD_PLUGIN_THREAD_SAFE,  \
             .id = TD_TEXT(id_text),                                    \
             .version = TD_TEXT("1.2.3")},                              \
    .create = sum_create, .destroy = sum_destroy, .hash_rows = sum_rows \
  }

/* What a good entry writes. */
static inline td_status fill(td_plugin *out, const td_plugin_type *const *types, size_t n_types) {
  out->abi_major = TD_PLUGIN_ABI_MAJOR;
  out->abi_minor = TD_PLUGIN_ABI_MINOR;
  out->id = (td_str)TD_TEXT("org.test.plugin");
  out->vendor = (td_str)TD_TEXT("Tests");
  out->version = (td_str)TD_TEXT("4.5.6");
  out->license = (td_str)TD_TEXT("MIT");
  out->types = types;
  out->n_types = n_types;
  return TD_OK;
}

#endif
