/* A good plugin, with a type of a kind that does not exist yet. */
#include "sum_type.h"

static const td_hash_type sum = SUM_TYPE("org.test.sum");
static const td_plugin_type future = {sizeof(td_plugin_type), 77, 0, 0, TD_TEXT("org.test.future"), TD_TEXT("1.0.0")};
static const td_plugin_type *const types[] = {&sum.type, &future};

td_status td_plugin_entry(const td_host *host, td_plugin *out, td_error **err) {
  (void)host, (void)err;
  return fill(out, types, 2);
}
