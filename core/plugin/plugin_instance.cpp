#include "core/plugin/plugin_instance.h"

#include "core/plugin/catalogue.h"
#include "core/plugin/tables.h"

namespace td {

PluginInstance::PluginInstance(td_plugin_kind kind, std::string_view type_id)
    : PluginInstance(plugin::find(kind, type_id)) {}

PluginInstance::PluginInstance(plugin::Type type) : type_(std::move(type)), id_(type_.id) {}

PluginInstance::~PluginInstance() {
  if (!destroy_) return;
  try {
    destroy_(self_);
  } catch (...) {  // a destructor must not throw
    plugin::host().log(TD_LOG_ERROR, {"an exception left a plugin's destroy function", TD_STRLEN});
  }
}

}  // namespace td
