/* An entry that an int flies out of. */
#include "throw_int.h"

#include "sum_type.h"

static const td_hash_type sum = SUM_TYPE("org.test.entry_throws");
static const td_plugin_type *const types[] = {&sum.type};

td_status td_plugin_entry(const td_host *host, td_plugin *out, td_error **err) {
  *err = host->error_new(TD_ERR_IO, (td_str)TD_TEXT("left behind"));
  throw_int();
  return fill(out, types, 1);
}
