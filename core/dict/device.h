// The device that a dict says its entries are on, without moving any.
#pragma once

#include "core/dict/node.h"

namespace td {

void say_device(Node& node, const optional<c10::Device>& device);  // here and in every node below
void clear_device(Node& node);                                     // the same, of no device
// To the device that all tensors are on, or to none; nodes below get the same.
void auto_device(Node& node);

}  // namespace td
