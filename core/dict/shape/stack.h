// Stacking trees of the same structure along a new batch dim.
#pragma once

#include <vector>

#include "core/dict/node.h"

namespace td {

// A dense one. Throws Error(key), Error(shape) naming what differs.
NodePtr stack(const std::vector<const Node*>& nodes, int64_t dim);

// Tensors of one shape.
at::Tensor stack_tensors(const std::vector<at::Tensor>& tensors, size_t dim);

}  // namespace td
