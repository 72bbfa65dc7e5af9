// An instance of a hash type. The first use of a type checks it against its own test vectors.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/nn/plugin_instance.h"

namespace td {

class Hasher {
 public:
  Hasher(std::string_view type, std::string_view config);

  // out[i] = hash of the `row_bytes` bytes at rows + i * stride.
  void hash(const uint8_t* rows, size_t n, size_t row_bytes, size_t stride, int64_t* out) const;

 private:
  PluginInstance instance_;
};

}  // namespace td
