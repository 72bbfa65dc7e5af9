/* Writes something else where the magic number is. */
#include "sum_type.h"

static const td_hash_type sum = SUM_TYPE("org.test.wrong_magic");
static const td_plugin_type *const types[] = {&sum.type};

td_status td_plugin_entry(const td_host *host, td_plugin *out, td_error **err) {
  (void)host, (void)err;
  fill(out, types, 1);
  out->magic = 0x12345678;
  return TD_OK;
}
