// Growing batch dims with a value: by given amounts, or to the longest of several dicts, which are then stacked.
#pragma once

#include <utility>
#include <vector>

#include "core/dict/node.h"

namespace td {

// `pairs` are what is added before and after each batch dim, from the first on; negative amounts crop.
NodePtr pad(const Node& node, at::IntArrayRef pairs, const c10::Scalar& value);

struct PadSequenceOptions {
  int64_t pad_dim = 0;                               // of each entry; negative: from its last dim
  c10::Scalar value = 0;                             // for entries that are not among `values`
  std::vector<std::pair<Path, c10::Scalar>> values;  // throws Error(key) for one that names no tensor
  bool left = false;                                 // padded at the start of the dim instead of its end
  optional<Path> mask_key;                           // a node of bool tensors that are true where an entry's values are
};

// Entries that all dicts have, padded and stacked along a new dim 0.
NodePtr pad_sequence(const std::vector<const Node*>& nodes, const PadSequenceOptions& options);

}  // namespace td
