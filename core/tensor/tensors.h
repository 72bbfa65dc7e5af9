// Lists of tensors.
#pragma once

#include <vector>

#include <ATen/core/Tensor.h>
#include <c10/util/ArrayRef.h>

namespace td {

using Tensors = std::vector<at::Tensor>;
using TensorsView = at::ArrayRef<at::Tensor>;

}  // namespace td
