// Growing batch dims with a value: by given amounts, or to the longest of several dicts, which are then stacked.
#pragma once

#include <vector>

#include "core/dict/node.h"

namespace td {

// `pairs` are what is added before and after each batch dim, from the first on; negative amounts crop.
NodePtr pad(const Node& node, at::IntArrayRef pairs, double value);

// Entries that all dicts have, padded at the end of dim `pad_dim` of each (negative: from its last dim) and stacked along a
// new dim 0. With `mask_key`, a node of bool tensors that are true where an entry's values are.
NodePtr pad_sequence(const std::vector<const Node*>& nodes, int64_t pad_dim, double value, const Path* mask_key);

}  // namespace td
