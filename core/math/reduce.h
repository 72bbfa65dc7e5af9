// Reductions of the leaves along batch dims, over features, or altogether.
#pragma once

#include <vector>

#include "core/dict/node.h"
#include "core/tensor/op.h"

namespace td {

struct ReduceOptions {
  std::vector<int64_t> dims;  // batch dims; none: every leaf to one number
  bool keepdim = false;
  bool feature = false;  // everything but the batch dims
};

// One dict for each tensor that the operator returns, at most n_outs. Operators that keep the dim (softmax, cumsum) do.
std::vector<NodePtr> reduce(const Node& node, const Op& op, const std::vector<NamedArg>& kwargs,
                            const ReduceOptions& options, size_t n_outs);

// All leaves together: joined flat, along the first of the dims, or along the features.
at::Tensor reduce_all(const Node& node, const Op& op, const std::vector<NamedArg>& kwargs,
                      const ReduceOptions& options);

bool all(const Node& node);  // every element of every leaf is true; also without leaves
bool any(const Node& node);

}  // namespace td
