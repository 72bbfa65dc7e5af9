// Stacking trees of the same structure along a new batch dim.
#pragma once

#include <vector>

#include "core/dict/node.h"

namespace td {

NodePtr stack(const std::vector<const Node*>& nodes, int64_t dim);

}  // namespace td
