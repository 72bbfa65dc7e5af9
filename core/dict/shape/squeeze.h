// Batch dims of size 1 that go, come or grow, as views. An operation with nothing to do returns the node itself.
#pragma once

#include "core/dict/node.h"

namespace td {

NodePtr squeeze(const Node& node, at::IntArrayRef dims);  // no dims: all of size 1
NodePtr unsqueeze(const Node& node, int64_t dim);
NodePtr expand(const Node& node, at::IntArrayRef sizes);  // new dims on the left; -1 keeps a size

}  // namespace td
