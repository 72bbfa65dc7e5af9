// Snapshots of the keys of a tree.
#pragma once

#include <vector>

#include "core/dict/node.h"

namespace td {

// In insertion order; a node comes before what it holds.
std::vector<Path> keys(const Node& node, bool nested, bool leaves_only);

}  // namespace td
