// The names of devices, made once.
#pragma once

#include <string_view>

#include <c10/core/Device.h>

namespace td {

// "cpu", "cuda:0"; lives as long as the library.
std::string_view device_name(const c10::Device& device);

}  // namespace td
