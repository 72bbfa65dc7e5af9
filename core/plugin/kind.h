// What plugins can offer.
#pragma once

#include "plugins/tensordict_plugin.h"

namespace td::plugin {

// "hash", "distribution", "module".
const char* kind_name(td_plugin_kind kind);

}  // namespace td::plugin
