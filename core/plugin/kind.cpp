#include "core/plugin/kind.h"

namespace td::plugin {

const char* kind_name(td_plugin_kind kind) {
  switch (kind) {
    case TD_PLUGIN_KIND_HASH:
      return "hash";
    case TD_PLUGIN_KIND_DISTRIBUTION:
      return "distribution";
    case TD_PLUGIN_KIND_MODULE:
      return "module";
    default:
      return "unknown";
  }
}

}  // namespace td::plugin
