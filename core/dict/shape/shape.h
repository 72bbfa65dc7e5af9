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

NodePtr squeeze(const Node& node, at::IntArrayRef dims);  // no dims: all of size 1
NodePtr unsqueeze(const Node& node, int64_t dim);
NodePtr expand(const Node& node, at::IntArrayRef sizes);  // new dims on the left; -1 keeps a size

NodePtr permute(const Node& node, at::IntArrayRef dims);  // of the first dims
NodePtr transpose(const Node& node, int64_t a, int64_t b);
NodePtr movedim(const Node& node, at::IntArrayRef from, at::IntArrayRef to);

// Sets the longest batch size that the entries have in common, at most `limit` dims (-1: any number), here and for each
// node below.
void auto_batch_size(Node& node, int64_t limit);

}  // namespace td
