/* A sound FNV-1a; each plugin that includes it replaces one piece by a broken one. */
#include <stdlib.h>
#include <string.h>

#include "tensordict_plugin.h"

typedef struct hasher {
  uint64_t calls;
  char scratch[64];
} hasher;

static inline uint64_t fnv(const uint8_t *row, size_t n) {
  uint64_t h = 0xcbf29ce484222325u;
  for (size_t i = 0; i < n; ++i) h = (h ^ row[i]) * 0x100000001b3u;
  return h;
}

#ifndef HASH /* of row `i` of `count`; may use self */
#define HASH(self, row, n, i, count) fnv(row, n)
#endif
#ifndef AT_CREATE
#define AT_CREATE(self)
#endif
#ifndef DESTROY
#define DESTROY(self) free(self)
#endif
#ifndef FLAGS
#define FLAGS TD_PLUGIN_DETERMINISTIC
#endif
#ifndef EXPECTED /* the hash of "a" */
#define EXPECTED 0xaf63dc4c8601ec8cu
#endif
#ifndef VECTORS
#define VECTORS 1
#endif
#ifndef TYPE_ID
#define TYPE_ID "broken.hash"
#endif

static td_status create(const td_host *host, const td_config *config, void **self, td_error **err) {
  (void)host, (void)config, (void)err;
  hasher *made = calloc(1, sizeof *made);
  if (!made) return TD_ERR_OOM;
  AT_CREATE(made);
  *self = made;
  return TD_OK;
}

static void destroy(void *self) {
  DESTROY(self);
}

static td_status hash_rows(void *instance, const uint8_t *rows, size_t n, size_t row_bytes, size_t stride,
                           uint64_t *out, td_error **err) {
  hasher *self = instance;
  (void)err;
  for (size_t i = 0; i < n; ++i) out[i] = HASH(self, rows + i * stride, row_bytes, i, n);
  ++self->calls;
  return TD_OK;
}

static const td_hash_vector vectors[] = {{TD_TEXT("{}"), TD_TEXT("a"), EXPECTED}};

static const td_hash_type type = {
    .type = {.struct_size = sizeof(td_hash_type),
             .kind = TD_PLUGIN_KIND_HASH,
             .flags = FLAGS,
             .id = TD_TEXT(TYPE_ID),
             .version = TD_TEXT("1.0.0")},
    .create = create,
    .destroy = destroy,
    .hash_rows = hash_rows,
    .vectors = vectors,
    .n_vectors = VECTORS,
};
#include "one_type.h"
