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

// Few numbers: a loop is faster than a call.
inline bool same_sizes(c10::IntArrayRef a, c10::IntArrayRef b) {
  bool same = a.size() == b.size();
  for (size_t d = 0; same && d < a.size(); ++d) same = a[d] == b[d];
  return same;
}

// Of a value to the sizes that it is written to, from the right, as `copy_` does it.
bool broadcasts_to(c10::IntArrayRef from, c10::IntArrayRef to);

}  // namespace td
