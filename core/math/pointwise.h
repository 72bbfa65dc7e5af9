// Pointwise operators with the original's rules: operands are aligned by key and by batch dims, then the operator runs
// over the leaves.
#pragma once

#include <vector>

#include "core/math/dict_arg.h"

namespace td {

struct PointwiseOptions {
  Missing missing = Missing::error;
  Arg fill;  // a number or a tensor without dims
};

// An operator whose name ends in "_" writes the leaves of its first argument, a dict; the result shares them.
NodePtr pointwise(const Op& op, std::vector<DictArg> args, std::vector<NamedDictArg> kwargs,
                  const PointwiseOptions& options);

}  // namespace td
