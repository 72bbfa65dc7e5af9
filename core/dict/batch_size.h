// The rule of batch sizes: the leading dims of whatever stands in a dict equal the dict's.
#pragma once

#include "core/dict/node.h"

namespace td {

bool begins_with(at::IntArrayRef dims, at::IntArrayRef batch);

// Throws Error(shape) for more dims than any operator or reader takes, and for elements that 64 bits cannot count.
void check_size(at::IntArrayRef batch);
void check_dims(const at::Tensor& leaf);

[[noreturn]] void batch_mismatch(PathView path, at::IntArrayRef batch, at::IntArrayRef got);

}  // namespace td
