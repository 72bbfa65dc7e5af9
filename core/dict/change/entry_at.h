// One tensor under an index.
#pragma once

#include <vector>

#include "core/dict/node.h"
#include "core/dict/shape/indices.h"

namespace td {

void assign_at(Node& target, PathView key, IndexList indices, const at::Tensor& value);
at::Tensor get_at(const Node& node, PathView key, IndexList indices);
// The same of one tensor.
void assign_at(const at::Tensor& target, IndexList indices, const at::Tensor& value);
at::Tensor get_at(const at::Tensor& tensor, IndexList indices);

}  // namespace td
