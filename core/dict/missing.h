// What is said of a key that is not there.
#pragma once

#include "core/dict/node.h"

namespace td {

// Says where the path ended: at the deepest node on it, or at something that is none.
[[noreturn]] void missing(const Node& node, PathView path);

}  // namespace td
