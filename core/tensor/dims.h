// Sizes of tensors and batches.
#pragma once

#include <cstdint>
#include <string>

#include <c10/util/ArrayRef.h>
#include <c10/util/SmallVector.h>

namespace td {

using Dims = c10::SmallVector<int64_t, 6>;

// "[32, 4]"
std::string to_string(c10::IntArrayRef dims);

}  // namespace td
