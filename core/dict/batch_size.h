// The rule of batch sizes: the leading dims of whatever stands in a dict equal the dict's.
#pragma once

#include "core/dict/node.h"

namespace td {

bool begins_with(at::IntArrayRef dims, at::IntArrayRef batch);

[[noreturn]] void batch_mismatch(PathView path, at::IntArrayRef batch, at::IntArrayRef got);

}  // namespace td
