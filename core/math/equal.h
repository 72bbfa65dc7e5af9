// Whether two dicts are equal, and if not, where.
#pragma once

#include "core/dict/node.h"
#include "core/tensor/equal.h"

namespace td {

// Nothing if they have the same batch size, the same keys in any order, and under each key equal tensors, equal dicts
// or equal data. Else the key and what differs. Kinds of node, names, devices and locks are not compared.
optional<std::string> difference(const Node& a, const Node& b, const Tolerance& tolerance);

}  // namespace td
