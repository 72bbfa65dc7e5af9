// The device that a dict says its entries are on, without moving any.
#pragma once

#include "core/dict/node.h"

namespace td {

void clear_device(Node& node);  // here and in every node below
// To the device that all tensors are on, or to none; nodes below get the same.
void auto_device(Node& node);

}  // namespace td
