// Choosing between values, element by element of the batch: masks and conditions stand for all dims after their own.
#pragma once

#include "core/dict/node.h"

namespace td {

// `t` with dims of size 1 added on the right, expanded to `dims`; a view. Throws Error(shape).
at::Tensor expand_right(const at::Tensor& t, at::IntArrayRef dims);

// Entries of `node` where the condition holds, else of `other`. An entry that one of them lacks is `pad` there, and
// data has no value; without `pad` that is Error(key).
NodePtr where(const at::Tensor& condition, const Node& node, const Node& other, const optional<c10::Scalar>& pad);

NodePtr masked_fill(const Node& node, const at::Tensor& mask, const c10::Scalar& value);
void masked_fill_(Node& node, const at::Tensor& mask, const c10::Scalar& value);

}  // namespace td
