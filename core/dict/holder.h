// Who has an entry.
#pragma once

#include "core/dict/node.h"

namespace td {

// The dict that has the last part of a path itself; null if there is none, or members have it.
NodePtr holder_of(const Node& root, PathView path);

}  // namespace td
