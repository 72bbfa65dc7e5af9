#include "core/tensor/device_name.h"

#include <map>
#include <string>

#include "core/fork.h"

namespace td {

std::string_view device_name(const c10::Device& device) {
  if (device.is_cpu() && !device.has_index()) return "cpu";
  static auto& guard = *new ProcessMutex;
  static auto& names = *new std::map<std::string, bool>;
  const ProcessLock lock(guard);
  return names.emplace(device.str(), true).first->first;
}

}  // namespace td
