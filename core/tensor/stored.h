// Elements of dtypes that this LibTorch lacks: kept in memory as they are in files, and shown as bytes.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "core/tensor/memory.h"

namespace td {

// False if this LibTorch lacks it; throws Error(dtype) for an unknown code.
bool has_dtype(int32_t dtype_code);

// The code of "float32" or "torch.float32", also if this LibTorch lacks it; throws Error(dtype) for an unknown name.
int32_t dtype_code_named(std::string_view name);

// A row-major tensor over memory that holds elements of the dtype `stored`, which `owner` keeps alive: of uint8, with
// the bytes of the elements, in one more, last dim if an element has more than one. `sizes` include that dim. The
// storage knows the dtype.
at::Tensor from_stored(void* data, int32_t stored, at::IntArrayRef sizes, std::shared_ptr<const void> owner,
                       Access access = Access::read_write);

// The same over the memory of a row-major tensor of bytes.
at::Tensor as_stored(const at::Tensor& bytes, int32_t stored);

// The dtype whose bytes the tensor shows, also if it is a view of another tensor; 0 for ordinary tensors, and for views
// that do not show whole elements.
int32_t stored_dtype(const at::Tensor& t);
int32_t stored_mark(const c10::Storage& storage);  // of the whole memory

// clone(), which keeps the stored dtype.
at::Tensor clone_tensor(const at::Tensor& t);

}  // namespace td
