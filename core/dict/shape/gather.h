// Choosing rows of the batch dims by where they are: always copies.
#pragma once

#include "core/dict/node.h"

namespace td {

// A batch dim as a position; negative ones count from the end. Throws Error(index).
size_t batch_dim(const Node& node, int64_t dim);

// As torch.gather over the batch dims: `index` has at most as many dims, and stands for all that come after its own.
NodePtr gather(const Node& node, int64_t dim, const at::Tensor& index);

// The rows where `mask` is true; it covers the first batch dims, which become one without a name.
NodePtr masked_select(const Node& node, at::Tensor mask);

}  // namespace td
