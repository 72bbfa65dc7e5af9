// Dicts made in one step from others, or from a list of entries.
#pragma once

#include <utility>
#include <vector>

#include "core/dict/map.h"
#include "core/dict/node.h"

namespace td {

// All entries of all dicts; of several tensors under one key the first wins. Nodes are new.
NodePtr merge(const std::vector<const Node*>& nodes);

// The same, but a tensor that all of them have is what the function makes of them, if that is one.
NodePtr merge(const std::vector<const Node*>& nodes, const LeafFunction& fn);

// A dict of these entries, in their order. A later one replaces an earlier one, and finds its nodes.
using Item = std::pair<Path, Entry>;
NodePtr build(at::IntArrayRef batch, const optional<c10::Device>& device, const std::vector<Item>& items);

}  // namespace td
