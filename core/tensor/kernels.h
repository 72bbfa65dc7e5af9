// The commonest pointwise operators over many leaves at once: one arena, one vector loop a leaf.
#pragma once

#include <string>
#include <vector>

#include "core/tensor/op.h"

namespace td {

// leaves (+|-|*) (others | scalar), for plain row-major float32 and float64 leaves. Returns false, and does nothing,
// where the operator has to decide: other operators, dtypes, layouts, broadcasting, type promotion, recorded gradients.
bool pointwise_by_hand(const std::string& op, const std::vector<at::Tensor>& leaves,
                       const std::vector<at::Tensor>* others, const Arg* scalar, std::vector<at::Tensor>& results);

}  // namespace td
