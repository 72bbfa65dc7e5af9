// Keys that move, and dicts made for keys to come.
#pragma once

#include "core/dict/node.h"

namespace td {

// `safe` refuses a key that is taken.
void rename(Node& node, PathView from, PathView to, bool safe);
void create_nested(Node& node, PathView path);

}  // namespace td
