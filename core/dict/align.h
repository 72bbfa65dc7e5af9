// Several dicts of the same keys, side by side: what stack, cat and their kin start from.
#pragma once

#include <vector>

#include "core/dict/copy.h"
#include "core/dict/node.h"

namespace td {

template <class T>
struct Column {
  Path path;
  std::vector<T> entries;  // one from each dict
  bool unbatched = false;
};

struct Columns {
  std::vector<Column<at::Tensor>> tensors;  // in the order of the first dict's leaves
  std::vector<Column<DataPtr>> data;        // and of its non-tensor entries
};

// Throws Error(key) naming a key that is not in all dicts, or is of another kind in one. `check` sees the nodes of
// every level, for what else must agree; it gets the path of the level.
using CheckLevel = c10::function_ref<void(const std::vector<const Node*>&, const Path&)>;
// Lazy stacks count as dicts of their stacked entries.
Columns align(const std::vector<const Node*>& nodes, CheckLevel check);

// The leaves of `dict` that stand where those of `first` do, in the order of leaves(first): by key, and member by
// member where `first` has a lazy stack. One that is missing throws Error(key), or is undefined with `missing_as_none`;
// so do leaves that only `dict` has, unless `extra` are allowed.
struct Pairing {
  bool missing_as_none = false, extra = false;
};
std::vector<at::Tensor> leaves_like(const Node& first, const Node& dict, const Pairing& pairing);

}  // namespace td
