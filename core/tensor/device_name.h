// The names of devices, made once, so that they can be handed out without an owner.
#pragma once

#include <string_view>

#include <c10/core/Device.h>

namespace td {

// "cpu", "cuda:0"; ends with a NUL and lives as long as the process.
std::string_view device_name(c10::Device device) noexcept;

}  // namespace td
