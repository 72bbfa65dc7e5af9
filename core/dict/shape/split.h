// Pieces along one batch dim, which share memory with the whole.
#pragma once

#include <vector>

#include "core/dict/node.h"

namespace td {

NodePtr narrow(const Node& node, int64_t dim, int64_t start, int64_t length);
Nodes split(const Node& node, int64_t size, int64_t dim);                 // the last piece may be shorter
Nodes split_sizes(const Node& node, at::IntArrayRef sizes, int64_t dim);  // which sum up to the dim's size
Nodes chunk(const Node& node, int64_t chunks, int64_t dim);               // perhaps fewer
Nodes tensor_split(const Node& node, int64_t sections, int64_t dim);      // exactly as many, empty ones if need be
Nodes tensor_split_at(const Node& node, at::IntArrayRef indices, int64_t dim);  // one more than indices
Nodes unbind(const Node& node, int64_t dim);                                    // without that dim; unlocked

}  // namespace td
