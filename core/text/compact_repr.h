// The repr of a dict on few lines.
#pragma once

#include <string>

#include "core/text/repr.h"

namespace td {

// The form on few lines: of the options only batch_size, device, dtype and sorted count.
std::string compact_repr(const Node& node, const ReprOptions& options);

}  // namespace td
