// Indexing the batch dims of a tree: integers, slices and new dims are views, tensors are copies.
#pragma once

#include <vector>

#include "core/dict/node.h"

namespace td {

struct Index {
  enum class Kind { integer, slice, none, ellipsis, tensor };
  Kind kind;
  int64_t start = 0, stop = 0, step = 1;
  at::Tensor tensor;
};

NodePtr index(const Node& node, std::vector<Index> indices);

}  // namespace td
