/* Says that it was built with a LibTorch that there never was; none of its code may run. */
#include <stdlib.h>

#include "tensordict_plugin.h"

TD_PLUGIN_LIBTORCH("0.4.0");

td_status td_plugin_entry(const td_host *host, td_plugin *out, td_error **err) {
  (void)host, (void)out, (void)err;
  abort();
}
