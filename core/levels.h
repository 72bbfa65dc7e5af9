// The limit on nesting of dicts, modules, groups and directories: every walk over a tree recurses, and JSON ends at 255
// levels.
#pragma once

#include <cstddef>

namespace td {

constexpr size_t max_levels = 250;

}  // namespace td
