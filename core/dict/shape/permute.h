// Batch dims in another order, as views. An operation with nothing to do returns the node itself.
#pragma once

#include "core/dict/node.h"

namespace td {

NodePtr permute(const Node& node, at::IntArrayRef dims);  // of the first dims
NodePtr transpose(const Node& node, int64_t a, int64_t b);
NodePtr movedim(const Node& node, at::IntArrayRef from, at::IntArrayRef to);

}  // namespace td
