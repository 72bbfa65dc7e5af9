// The shapes of another dict, features too.
#pragma once

#include "core/dict/node.h"

namespace td {

// Each tensor in the shape of the one that `other` has under its key, every node with the batch size of `other`. Throws
// Error(key) for an entry that `other` lacks or has as another kind, Error(shape) for one that cannot be expanded.
NodePtr expand_as(const Node& node, const Node& other);

}  // namespace td
