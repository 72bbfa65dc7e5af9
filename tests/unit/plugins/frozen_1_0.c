/* A plugin as it was built with the header of plugin ABI 1.0, which this library must refuse. */
#include "../../abi/frozen/tensordict_plugin_1_0.h"

/* What it was called then. */
#define TD_PLUGIN_KIND_HASH TD_PLUGIN_HASH

#include "sum_type.h"

static const td_hash_type sum = SUM_TYPE("org.test.frozen_1_0");
static const td_plugin_type *const types[] = {&sum.type};

td_status td_plugin_entry(const td_host *host, td_plugin *out, td_error **err) {
  if (host->magic != TD_PLUGIN_MAGIC || host->abi_major != 1 || host->struct_size < sizeof(td_host)) {
    *err = host->error_new(TD_ERR_VERSION, (td_str)TD_TEXT("this is no host of plugin ABI 1"));
    return TD_ERR_VERSION;
  }
  return fill(out, types, 1);
}
