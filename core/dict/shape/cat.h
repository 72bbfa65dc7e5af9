// Joining trees of the same structure along a batch dim, and writing what is joined into a tree that exists.
#pragma once

#include <vector>

#include "core/dict/node.h"

namespace td {

NodePtr cat(const std::vector<const Node*>& nodes, int64_t dim);

// The values of cat and of stack, written into the entries of `out`, which has the same keys; all or nothing.
void cat_into(const std::vector<const Node*>& nodes, int64_t dim, Node& out);
void stack_into(const std::vector<const Node*>& nodes, int64_t dim, Node& out);

}  // namespace td
