// Comparisons of non-tensor data: == and != compare it, the others check that it is equal.
#pragma once

#include "core/math/dict_arg.h"

namespace td {

enum class Comparison { equal, unequal, order };

// `result` came from the tensors of `a` and `b` and has the data of `a`. For == and != a bool tensor takes the place of
// each data entry. Throws Error(key) for data that one of them lacks, unless `missing` says otherwise, and
// Error(shape).
void compare_data(Node& result, const Node& a, const Node& b, Comparison comparison, Missing missing);

// As Python's ==: numbers of different kinds are compared by value, and NaN is not equal to itself.
bool equal_values(const Value& a, const Value& b);

}  // namespace td
