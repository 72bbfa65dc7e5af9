/* The same type id twice. */
#include "sum_type.h"

static const td_hash_type sum = SUM_TYPE("org.test.twice");
static const td_plugin_type *const types[] = {&sum.type};

td_status td_plugin_entry(const td_host *host, td_plugin *out, td_error **err) {
  (void)host, (void)err;
  static const td_plugin_type *const both[] = {&sum.type, &sum.type};
  (void)types;
  return fill(out, both, 2);
}
