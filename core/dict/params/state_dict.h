// The state of a dict, to keep and to load again.
#pragma once

#include "core/dict/node.h"

namespace td {

// New nodes around detached tensors on the same memory.
NodePtr state_dict(const Node& node);

struct LoadOptions {
  bool strict = true;   // both have the same entries
  bool assign = false;  // tensors of the state replace those there are, instead of being copied into them
};

// Validates the whole of it first: on failure nothing has changed.
void load_state_dict(Node& node, const Node& state, const LoadOptions& options);

}  // namespace td
