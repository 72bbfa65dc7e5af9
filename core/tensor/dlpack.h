// DLPack 1.x: the structs as the specification lays them out, and both directions for CPU tensors.
#pragma once

#include <cstdint>

#include <ATen/core/Tensor.h>

extern "C" {
struct DLManagedTensor;
struct DLManagedTensorVersioned;
}

namespace td {

DLManagedTensorVersioned* to_dlpack(const at::Tensor& t);
DLManagedTensor* to_dlpack_unversioned(const at::Tensor& t);

// Take ownership: the deleter runs with the last view, or before these throw.
at::Tensor from_dlpack(DLManagedTensorVersioned* managed);
at::Tensor from_dlpack(DLManagedTensor* managed);

}  // namespace td
