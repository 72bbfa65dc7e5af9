// The operator that was probably meant by a name that no operator has.
#pragma once

#include <string>

namespace td {

// With its namespace, as `name` is given; empty if none is near.
std::string near_op(const std::string& name);

}  // namespace td
