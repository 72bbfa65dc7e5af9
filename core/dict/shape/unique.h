// Rows by what they hold: which are in another dict, and each one once.
#pragma once

#include "core/dict/node.h"

namespace td {

// A bool for each position along batch dim `dim`: is that slice of `key` among those of `reference`?
at::Tensor isin(const Node& node, const Node& reference, PathView key, int64_t dim);

struct Unique {
  NodePtr dict;        // the first occurrence of each slice of `key`, in the order of the slices
  at::Tensor inverse;  // for each position along `dim`, where its slice is in `dict`
};
Unique remove_duplicates(const Node& node, PathView key, int64_t dim);

}  // namespace td
