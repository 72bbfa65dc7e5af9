/* org.test.failing: hashes to 0, or fails in the way that its config names: {"how": "status" | "unknown" | "throw" |
 * "throw_in_parallel"}. With {"how": "parallel"} it counts the rows in pieces, each of which adds its own. */
#include "throw_int.h"

#include <string.h>

#include "sum_type.h"

typedef struct failing {
  const td_host *host;
  char how[32];
} failing;

static td_status create(const td_host *host, const td_config *config, void **self, td_error **err) {
  td_str how = TD_TEXT("not");
  td_status s = host->config_str(config, (td_str)TD_TEXT("how"), &how, err);
  if (s != TD_OK) return s;
  if (how.size >= sizeof((failing *)0)->how) return TD_ERR_ARGUMENT;
  failing *made = calloc(1, sizeof *made);
  if (!made) return TD_ERR_OOM;
  made->host = host;
  memcpy(made->how, how.data, how.size);
  *self = made;
  return TD_OK;
}

static void throw_piece(void *userdata, int64_t begin, int64_t end) {
  (void)userdata, (void)begin, (void)end;
  throw_int();
}

static void number_rows(void *userdata, int64_t begin, int64_t end) {
  uint64_t *out = userdata;
  for (int64_t i = begin; i < end; ++i) out[i] += (uint64_t)i;
}

static td_status hash(void *self, const uint8_t *rows, size_t n, size_t row_bytes, size_t stride, uint64_t *out,
                      td_error **err) {
  const failing *f = self;
  (void)rows, (void)row_bytes, (void)stride;
  memset(out, 0, n * sizeof *out);
  if (strcmp(f->how, "status") == 0) {
    *err = f->host->error_new(TD_ERR_DTYPE, (td_str)TD_TEXT("these bytes taste odd"));
    return TD_ERR_DTYPE;
  }
  if (strcmp(f->how, "unknown") == 0) return 4711;
  if (strcmp(f->how, "throw") == 0) throw_int();
  if (strcmp(f->how, "throw_in_parallel") == 0) f->host->parallel_for((int64_t)n, 1, throw_piece, NULL);
  if (strcmp(f->how, "parallel") == 0) f->host->parallel_for((int64_t)n, 2, number_rows, out);
  return TD_OK;
}

static td_hash_type type = SUM_TYPE("org.test.failing");
static const td_plugin_type *const types[] = {&type.type};

td_status td_plugin_entry(const td_host *host, td_plugin *out, td_error **err) {
  (void)host, (void)err;
  type.create = create;
  type.hash_rows = hash;
  return fill(out, types, 1);
}
