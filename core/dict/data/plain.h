// Plain dicts from nodes of any kind.
#pragma once

#include "core/dict/node.h"

namespace td {

// New TensorDict nodes around cloned tensors, unlocked: lazy stacks are stacked, of the keys that all members have, and
// parameters keep their history. Throws Error(shape) for members of different shapes.
NodePtr plain_copy(const Node& node);

}  // namespace td
