// Indexing the batch dims of a tree: integers, slices and new dims are views, tensors are copies.
#pragma once

#include <vector>

#include "core/dict/node.h"
#include "core/dict/shape/indices.h"

namespace td {

NodePtr index(const Node& node, IndexList indices);

}  // namespace td
