// A function of the caller's over the leaves of dicts.
#pragma once

#include <vector>

#include "core/dict/map_options.h"

namespace td {

// All or nothing: leaves are written after the last call. The callers' dicts may change during a call; the result is
// that of the leaves there were.
NodePtr map(const Node& node, const std::vector<const Node*>& others, const LeafFunction& fn,
            const MapOptions& options);

}  // namespace td
