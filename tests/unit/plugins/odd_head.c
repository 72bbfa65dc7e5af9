/* A td_plugin that ends in the middle of a pointer. */
#include "sum_type.h"

static const td_hash_type sum = SUM_TYPE("org.test.odd_head");
static const td_plugin_type *const types[] = {&sum.type};

td_status td_plugin_entry(const td_host *host, td_plugin *out, td_error **err) {
  (void)host, (void)err;
  fill(out, types, 1);
  out->struct_size = sizeof(td_plugin) - 4;
  return TD_OK;
}
