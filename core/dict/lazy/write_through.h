// Writing into trees whose tensors are made or read when they are asked for, by a copy.
#pragma once

#include "core/dict/node.h"

namespace td {

// If something in `node` is lazy or in a file, runs `write` over a dense copy and copies all values back, new
// entries too; nothing is written if that fails. Otherwise does nothing and returns false.
bool write_through(Node& node, c10::function_ref<void(Node&)> write);

}  // namespace td
