// The rule of batch sizes: the leading dims of whatever stands in a dict equal the dict's.
#pragma once

#include <ATen/core/Tensor.h>

#include "core/dict/key.h"
#include "core/tensor/dims.h"

namespace td {

inline bool begins_with(at::IntArrayRef dims, at::IntArrayRef batch) {
  return dims.size() >= batch.size() && same_sizes(dims.slice(0, batch.size()), batch);
}

constexpr size_t max_dims = 64;  // no operator and no reader takes more

void refuse_size(at::IntArrayRef batch);  // where check_size doubts it
[[noreturn]] void refuse_dims(size_t dims);

// Throws Error(shape) for too many dims, and for elements that 64 bits cannot count.
inline void check_size(at::IntArrayRef batch) {
  int64_t elements = 1;
  bool doubtful = batch.size() > max_dims;
  for (int64_t size : batch) doubtful |= size < 0 || __builtin_mul_overflow(elements, size == 0 ? 1 : size, &elements);
  if (doubtful) refuse_size(batch);
}

inline void check_dims(const at::Tensor& leaf) {
  if (leaf.defined() && leaf.dim() > static_cast<int64_t>(max_dims)) refuse_dims(static_cast<size_t>(leaf.dim()));
}

[[noreturn]] void batch_mismatch(PathView path, at::IntArrayRef batch, at::IntArrayRef got);

}  // namespace td
