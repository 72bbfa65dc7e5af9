// Elements of dtypes that this LibTorch lacks: kept in memory as they are in files, and shown as bytes.
#pragma once

#include <cstdint>

#include <ATen/core/Tensor.h>

namespace td {

// A tensor over the memory of a row-major tensor of bytes, which are elements of the dtype `stored`.
at::Tensor as_stored(const at::Tensor& bytes, int32_t stored);

// The dtype whose bytes the tensor shows, also if it is a view of another tensor; 0 for ordinary tensors, and for views
// that do not show whole elements.
int32_t stored_dtype(const at::Tensor& t);

// clone(), which keeps the stored dtype.
at::Tensor clone_tensor(const at::Tensor& t);

}  // namespace td
