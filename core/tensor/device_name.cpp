#include "core/tensor/device_name.h"

#include <array>
#include <cstdio>
#include <limits>
#include <string>

namespace td {

namespace {

constexpr size_t types = static_cast<size_t>(c10::DeviceType::COMPILE_TIME_MAX_DEVICE_TYPES);
constexpr size_t indices = std::numeric_limits<c10::DeviceIndex>::max() + 2;  // -1: no index

struct Text {
  std::array<char, 24> bytes{};
  size_t size = 0;
};

struct Table {
  std::array<std::array<Text, indices>, types> texts;

  Table() {
    for (size_t t = 0; t < types; ++t) {
      const auto of = static_cast<c10::DeviceType>(t);
      if (!c10::isValidDeviceType(of)) continue;
      const std::string type = c10::DeviceTypeName(of, /*lower_case=*/true);
      for (size_t i = 0; i < indices; ++i) {
        Text& text = texts[t][i];
        const int n = i == 0 ? std::snprintf(text.bytes.data(), text.bytes.size(), "%s", type.c_str())
                             : std::snprintf(text.bytes.data(), text.bytes.size(), "%s:%zu", type.c_str(), i - 1);
        text.size = std::min(static_cast<size_t>(n), text.bytes.size() - 1);
      }
    }
  }
};

}  // namespace

std::string_view device_name(c10::Device device) noexcept {
  static const Table table;
  const Text& text = table.texts[static_cast<size_t>(device.type())][static_cast<size_t>(device.index() + 1)];
  return {text.bytes.data(), text.size};
}

}  // namespace td
