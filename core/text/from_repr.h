// A dict like the one that a repr tells of, with zeros for values.
#pragma once

#include <string_view>

#include "core/dict/node.h"

namespace td {

// Throws Error(argument) with the position for text that is no repr. `device` stands in for every device of the text.
NodePtr from_repr(std::string_view text, const optional<c10::Device>& device);

}  // namespace td
