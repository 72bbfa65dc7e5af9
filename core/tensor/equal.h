// Whether two tensors are equal, and if not, where.
#pragma once

#include <string>

#include <ATen/core/Tensor.h>

#include "core/torch_compat.h"

namespace td {

// Numbers are equal if |a - b| <= absolute + relative * |b|.
struct Tolerance {
  double relative = 0, absolute = 0;
  bool equal_nan = false;
};

// Nothing if they have the same shape, dtype and elements; else what differs, as a part of a sentence. Devices and
// memory are not compared.
optional<std::string> difference(const at::Tensor& a, const at::Tensor& b, const Tolerance& tolerance);

}  // namespace td
