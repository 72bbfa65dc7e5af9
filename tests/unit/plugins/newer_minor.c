/* Built for a later minor of this ABI. */
#include "sum_type.h"

static const td_hash_type sum = SUM_TYPE("org.test.newer_minor");
static const td_plugin_type *const types[] = {&sum.type};

td_status td_plugin_entry(const td_host *host, td_plugin *out, td_error **err) {
  (void)host, (void)err;
  fill(out, types, 1);
  out->abi_minor = TD_PLUGIN_ABI_MINOR + 7;
  return TD_OK;
}
