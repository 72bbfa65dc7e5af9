/* A td_plugin of an impossible size. */
#include "sum_type.h"

static const td_hash_type sum = SUM_TYPE("org.test.short_head");
static const td_plugin_type *const types[] = {&sum.type};

td_status td_plugin_entry(const td_host *host, td_plugin *out, td_error **err) {
  (void)host, (void)err;
  fill(out, types, 1);
  out->struct_size = 24;
  return TD_OK;
}
