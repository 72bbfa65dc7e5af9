// Tensors as the engine reduces them: one by one, or several of a dtype as one.
#pragma once

#include <functional>
#include <vector>

#include <ATen/core/Tensor.h>

#include "core/group/transport.h"

namespace td::group {

// A view of the tensor that the engine can reduce. Throws Error(dtype) if there is none.
at::Tensor reducible(const at::Tensor& t, Reduction op);

// Reduces them in place. With `bucket_bytes`, those of a dtype together, up to so many bytes, in the order in which
// stock Python does it.
void reduce_leaves(const std::vector<at::Tensor>& leaves, int64_t bucket_bytes,
                   const std::function<void(const at::Tensor&)>& reduce);

}  // namespace td::group
