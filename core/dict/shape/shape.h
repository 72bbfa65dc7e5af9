// Other shapes of the batch dims over the same elements. The feature dims of leaves stay behind them, untouched, and so
// do further batch dims of nodes. Results share memory with the original, reshape and flatten only where strides allow.
// An operation with nothing to do returns the node itself.
#pragma once

#include "core/dict/node.h"

namespace td {

int64_t numel(const Node& node);  // of the batch size; 1 without batch dims

// One size may be -1. Throw Error(shape) if the elements differ in number; view also if a leaf had to be copied.
NodePtr view(const Node& node, at::IntArrayRef sizes);
NodePtr reshape(const Node& node, at::IntArrayRef sizes);

NodePtr flatten(const Node& node, int64_t start, int64_t end);
NodePtr unflatten(const Node& node, int64_t dim, at::IntArrayRef sizes);

}  // namespace td
