// Element types: our own numbers, which never change, and their names in PyTorch.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <c10/core/ScalarType.h>

namespace td {

// The td_dtype of a LibTorch type; 0 (TD_DTYPE_NONE) for types without one.
int32_t dtype_code(at::ScalarType type);

// Throws Error(dtype) for an unknown code, or one that this LibTorch lacks.
at::ScalarType scalar_type(int32_t dtype_code);

// "float32"; the text after `torch.` in Python. Empty for types without a code.
std::string_view dtype_name(at::ScalarType type);

// The same of codes, also of types that this LibTorch lacks: empty, and 0, for unknown ones.
std::string_view dtype_name(int32_t dtype_code);
int64_t dtype_size(int32_t dtype_code);

// False if this LibTorch lacks it; throws Error(dtype) for an unknown code.
bool has_dtype(int32_t dtype_code);

// The code of "float32" or "torch.float32", also if this LibTorch lacks it; throws Error(dtype) for an unknown name.
int32_t dtype_code_named(std::string_view name);

// The type called "float32" or "torch.float32"; throws Error(dtype) for an unknown name.
at::ScalarType scalar_type_named(std::string_view name);

}  // namespace td
