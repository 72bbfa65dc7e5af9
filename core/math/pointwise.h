// Pointwise operators with the original's rules: operands are aligned by key and by batch dims, then the operator runs
// over the leaves.
#pragma once

#include <vector>

#include "core/math/apply.h"

namespace td {

// Says how leaves are handled that not every dict has.
enum class Missing { error, skip, fill };

struct PointwiseOptions {
  Missing missing = Missing::error;
  Arg fill;  // a number or a tensor without dims
};

// An operator whose name ends in "_" writes the leaves of its first argument, a dict; the result shares them.
NodePtr pointwise(const Op& op, std::vector<DictArg> args, std::vector<NamedDictArg> kwargs,
                  const PointwiseOptions& options);

// True for operators in place: "add_".
bool writes(const Op& op);

}  // namespace td
