// An operator over the leaves of dicts.
#pragma once

#include <vector>

#include "core/math/dict_arg.h"

namespace td {

// One dict for each tensor that the operator returns, at most n_outs, built like the first dict among the arguments.
std::vector<NodePtr> apply_op(const Op& op, const std::vector<DictArg>& args, const std::vector<NamedDictArg>& kwargs,
                              size_t n_outs);

}  // namespace td
