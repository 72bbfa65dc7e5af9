// Other dtypes and devices.
#pragma once

#include "core/dict/node.h"

namespace td {

// The node itself if it has that device already and no dtype is given; else a new one, whose tensors are the same where
// nothing changes.
NodePtr to(NodePtr node, optional<at::ScalarType> type, optional<c10::Device> device);

// Tensors in page-locked memory, from where copies to a GPU need not block; throws Error(unsupported) without one.
NodePtr pin_memory(const Node& node);

}  // namespace td
