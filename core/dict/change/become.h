// A dict takes over what another is: every operation that has a form in place is the operation, then this.
#pragma once

#include "core/dict/node.h"

namespace td {

// The batch size, the names, the device if `other` has one, and the entries of `other`, in its order. `self` keeps its
// identity, and so does each node below that has a node of `other` under its key; everything else is bound by
// reference. A lazy stack keeps its members where `other` can be taken apart into as many, parameters make parameters
// of what they get, and a file gets copies. All or nothing: throws Error(locked) unless that is ruled out,
// Error(argument) if a dict would contain itself, Error(shape) for what cannot be one stack or one dict,
// Error(unsupported) for a file of another batch size.
void become(Node& self, const Node& other, bool through_locks = false);

}  // namespace td
