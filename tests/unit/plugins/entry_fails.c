/* An entry that reports an error. */
#include "sum_type.h"

static const td_hash_type sum = SUM_TYPE("org.test.entry_fails");
static const td_plugin_type *const types[] = {&sum.type};

td_status td_plugin_entry(const td_host *host, td_plugin *out, td_error **err) {
  (void)out, (void)types;
  *err = host->error_new(TD_ERR_NOSPACE, (td_str)TD_TEXT("the moon is full"));
  return TD_ERR_NOSPACE;
}
