// All leaves of a tree in one allocation.
#pragma once

#include "core/dict/node.h"

namespace td {

// A locked copy whose tensors are views of one block of memory, each at a multiple of 64 bytes; they require no grad.
// Throws Error(device) for tensors elsewhere than on the CPU, Error(unsupported) for those without bytes.
NodePtr consolidate(const Node& node);

}  // namespace td
