// An operator over the leaves of dicts.
#pragma once

#include <string_view>
#include <vector>

#include "core/dict/node.h"
#include "core/tensor/op.h"

namespace td {

// An argument that may stand for a leaf of a dict.
struct DictArg {
  Arg value;
  const Node* dict = nullptr;  // when set, `value` is ignored
};

struct NamedDictArg {
  std::string_view name;
  DictArg arg;
};

// One dict for each tensor that the operator returns, at most n_outs, built like the first dict among the arguments.
std::vector<NodePtr> apply_op(const Op& op, const std::vector<DictArg>& args, const std::vector<NamedDictArg>& kwargs,
                              size_t n_outs);

}  // namespace td
