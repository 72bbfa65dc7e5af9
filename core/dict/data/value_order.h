// The order that Python gives to non-tensor values.
#pragma once

#include <vector>

#include "core/dict/data/data.h"

namespace td {

// Negative, 0 or positive as `a` comes before `b`, is equal to it or comes after it: 1, 1.0 and true are equal, lists
// go element by element, and NaN comes after all numbers. Throws Error(argument) for values without an order between
// them.
int compare_values(const Value& a, const Value& b);

// Throws Error(argument) for a value that has no order at all: a JSON object, also inside a list, or a pickle.
void check_ordered(const Value& value);

bool holds_nan(const Value& value);  // itself, or a list with one in it

}  // namespace td
