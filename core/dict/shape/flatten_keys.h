// A tree as one level with joined keys, and back.
#pragma once

#include <string_view>

#include "core/dict/node.h"

namespace td {

NodePtr flatten_keys(const Node& node, std::string_view separator);    // empty nodes are lost
NodePtr unflatten_keys(const Node& node, std::string_view separator);  // keys of the root only, at every separator

Path split_key(const std::string& text, std::string_view separator);  // "a..b": ("a", "", "b")

}  // namespace td
