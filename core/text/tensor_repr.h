// The text that Python's repr gives for a tensor, with torch's default print options.
#pragma once

#include <string>

#include <ATen/core/Tensor.h>

namespace td {

// Throws Error(unsupported) for quantized tensors, inside a vmap, and for other layouts than strided and sparse ones.
std::string tensor_repr(const at::Tensor& t);

}  // namespace td
