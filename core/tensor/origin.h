// Tensors whose memory is that of a file which holds nothing else.
#pragma once

#include <ATen/core/Tensor.h>

namespace td {

// For a tensor that from_memory made.
at::Tensor as_file(at::Tensor t);

// True if the tensor, or what it is a view of, is one.
bool from_file(const at::Tensor& t);

}  // namespace td
