/* Says that it was built for plugin ABI 1.0. */
#include "sum_type.h"

static const td_hash_type sum = SUM_TYPE("org.test.claims_1_0");
static const td_plugin_type *const types[] = {&sum.type};

td_status td_plugin_entry(const td_host *host, td_plugin *out, td_error **err) {
  (void)host, (void)err;
  fill(out, types, 1);
  out->abi_major = 1;
  return TD_OK;
}
