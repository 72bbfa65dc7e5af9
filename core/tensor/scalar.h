// Numbers of any kind, exact.
#pragma once

#include <cstdint>
#include <string>

#include <c10/core/Scalar.h>

namespace td {

// Throws Error(unsupported) for numbers above INT64_MAX if LibTorch has no unsigned ones.
c10::Scalar unsigned_scalar(uint64_t u);
// Of an element of a uint64 tensor.
uint64_t unsigned_number(const c10::Scalar& s);

// Of every bit, so that memory of zeros is it: not for -0.0.
bool is_zero(const c10::Scalar& s);
std::string to_string(const c10::Scalar& s);

}  // namespace td
