// Makes autograd treat a tensor made by hand as a view: a write of recorded values through the view
// then reaches the history of the base, as it does through LibTorch's own views.
#pragma once

#include <ATen/core/Tensor.h>

namespace td {

// False if `base` is a view whose relation to its own base only LibTorch can extend.
bool can_link_view(const at::Tensor& base);

// Records that `view` shows memory of `base`. Both are plain tensors; can_link_view(base) holds.
void link_view(const at::Tensor& base, const at::Tensor& view);

}  // namespace td
