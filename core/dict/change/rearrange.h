// Entries taken out of a dict, joined or left out. What changes the dict itself is done in whole or not at all.
#pragma once

#include <utility>
#include <vector>

#include "core/dict/node.h"

namespace td {

// The tensor under `path`, which is `value` from now on if there was no entry.
at::Tensor setdefault(Node& node, PathView path, const at::Tensor& value);
std::pair<Key, Entry> last_item(Node& node);  // to be erased; throws Error(key) if there is none, Error(locked)

NodePtr replaced(const Node& node, const Node& src);  // a copy, updated
NodePtr without_data(const Node& node);               // a copy without the non-tensor entries

// The entries under `keys`, which are removed here, and so are nodes that nothing is left of.
struct SeparateOptions {
  bool strict = true;       // missing keys are refused, unless they are filled
  bool keep_empty = false;  // nodes that nothing is left of stay
  at::Tensor fill{};        // stands for a missing key in the result
};
NodePtr separate(Node& node, const std::vector<Path>& keys, const SeparateOptions& options);

// Several tensors as one, under `out`; unless they are kept they are removed. `stacked`: along a new dim.
void join_entries(Node& node, const std::vector<Path>& keys, PathView out, int64_t dim, bool stacked, bool keep);
at::Tensor join_leaves(const Node& node, int64_t dim, bool stacked, bool sorted);

}  // namespace td
