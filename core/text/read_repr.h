// Reads a repr.
#pragma once

#include <string_view>

#include "core/text/repr_tree.h"

namespace td {

// Reads either form. Throws Error(argument) with the position, or Error(unsupported) for what cannot be told from text.
ReprNode read_repr(std::string_view text);

}  // namespace td
