// One tensor under an index.
#pragma once

#include <vector>

#include "core/dict/node.h"
#include "core/dict/shape/indices.h"

namespace td {

void assign_at(Node& target, PathView key, std::vector<Index> indices, const at::Tensor& value);
at::Tensor get_at(const Node& node, PathView key, std::vector<Index> indices);
// The same of one tensor.
void assign_at(const at::Tensor& target, std::vector<Index> indices, const at::Tensor& value);
at::Tensor get_at(const at::Tensor& tensor, std::vector<Index> indices);

}  // namespace td
