// What a function of the caller's over the leaves of dicts gets and gives.
#pragma once

#include <functional>
#include <vector>

#include "core/dict/settle.h"

namespace td {

// Gets the key of a leaf and that leaf of every dict; an undefined result drops the entry.
using LeafFunction = std::function<at::Tensor(const Path&, const Leaves&)>;

// The same for non-tensor entries: gives data, a tensor, or nothing to drop the entry.
using DataFunction = std::function<Entry(const Path&, const std::vector<DataPtr>&)>;

struct MapOptions {
  DataFunction on_data{};        // none: they stay
  bool in_place = false;         // results are copied into the leaves, and none drops an entry
  bool missing_as_none = false;  // leaves that the others lack are undefined, instead of an error
  Emptied emptied = Emptied::drop;
  optional<Dims> batch;  // of every node of the result, which then has no names
};

}  // namespace td
