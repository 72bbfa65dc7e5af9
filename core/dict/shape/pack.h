// All tensors of a dict as one.
#pragma once

#include "core/dict/shape/pack_layout.h"

namespace td {

struct Packed {
  at::Tensor flat;
  PackLayoutPtr layout;
};

// The features of all tensors side by side along a new dim at `dim`, in the order of the sorted keys or, with `layout`,
// in that of its columns. Throws Error(index), Error(dtype), Error(device), Error(unsupported) for data, Error(key)
// where members of a lazy stack have other keys, or the dict has others than the layout, Error(shape), Error(argument).
Packed pack(const Node& node, int64_t dim, const PackLayout* layout);

}  // namespace td
