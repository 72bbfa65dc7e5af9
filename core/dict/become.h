// A dict takes over what another is: every operation that has a form in place is the operation, then this.
#pragma once

#include "core/dict/node.h"

namespace td {

// The batch size, the names and the entries of `other`, in its order. `self` keeps its identity and its device, and so does
// each node below that has a node of `other` under its key; everything else is bound by reference. All or nothing: throws
// Error(locked) unless that is ruled out, Error(argument) if a dict would contain itself, Error(unsupported) for nodes that compute their entries.
void become(Node& self, const Node& other, bool through_locks = false);

}  // namespace td
