/* A hash type that is only a head. */
#include "sum_type.h"

static td_hash_type sum = SUM_TYPE("org.test.small_table");
static const td_plugin_type *const types[] = {&sum.type};

td_status td_plugin_entry(const td_host *host, td_plugin *out, td_error **err) {
  (void)host, (void)err;
  sum.type.struct_size = sizeof(td_plugin_type);
  return fill(out, types, 1);
}
