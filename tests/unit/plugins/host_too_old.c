/* An entry that says that the host is too old for it. */
#include "sum_type.h"

static const td_hash_type sum = SUM_TYPE("org.test.host_too_old");
static const td_plugin_type *const types[] = {&sum.type};

td_status td_plugin_entry(const td_host *host, td_plugin *out, td_error **err) {
  (void)out, (void)types;
  *err = host->error_new(TD_ERR_VERSION, (td_str)TD_TEXT("needs a host with wings"));
  return TD_ERR_VERSION;
}
