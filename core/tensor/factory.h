// New tensors, with the checks of from_memory before LibTorch sees a shape.
#pragma once

#include <string>

#include <ATen/core/Tensor.h>

namespace td {

class Generator;

at::Tensor empty(at::IntArrayRef sizes, at::ScalarType type, const std::string& device);
at::Tensor full(at::IntArrayRef sizes, const c10::Scalar& value, at::ScalarType type, const std::string& device);
at::Tensor randn(at::IntArrayRef sizes, at::ScalarType type, const std::string& device, Generator* generator);
at::Tensor copy_of(const void* data, at::ScalarType type, at::IntArrayRef sizes);  // of row-major data, aligned or not

// Calls a release function of the caller's and swallows what it may throw: no caller could receive it.
void call_release(void (*fn)(void*), void* owner) noexcept;

}  // namespace td
