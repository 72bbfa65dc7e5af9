// Dicts whose tensors a process shares with its forks.
#pragma once

#include "core/dict/node.h"

namespace td {

// Moves the memory of all tensors, which stay what they are, and locks the dict. Throws Error(unsupported),
// Error(nospace).
void share_memory(Node& node);

// Whether all tensors lie in shared memory, and there are some.
bool in_shared_memory(const Node& node);

}  // namespace td
