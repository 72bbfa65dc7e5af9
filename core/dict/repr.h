// The text that Python's repr gives for the same content.
#pragma once

#include <string>

#include "core/dict/node.h"

namespace td {

std::string repr(const Node& node);

}  // namespace td
