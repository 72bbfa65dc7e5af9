// Operators by name, looked up once in the process.
#pragma once

#include <string_view>

#include "core/tensor/op.h"

namespace td {

// As Op::find without an overload. What is found is kept until an operator is registered or removed.
c10::intrusive_ptr<Op> known_op(std::string_view name);

}  // namespace td
