/* A hash type that cannot hash. */
#include "sum_type.h"

static td_hash_type sum = SUM_TYPE("org.test.null_function");
static const td_plugin_type *const types[] = {&sum.type};

td_status td_plugin_entry(const td_host *host, td_plugin *out, td_error **err) {
  (void)host, (void)err;
  sum.hash_rows = NULL;
  return fill(out, types, 1);
}
