// New leaves in the structure of another dict.
#pragma once

#include "core/dict/node.h"

namespace td {

// The keys, features and kinds of `node` with another batch size; names of dims are aligned on the right. Non-tensor
// entries of one value keep it, others have none. Contents are undefined, or `value` everywhere.
NodePtr new_empty(const Node& node, at::IntArrayRef batch, optional<at::ScalarType> type);
NodePtr new_full(const Node& node, at::IntArrayRef batch, const c10::Scalar& value, optional<at::ScalarType> type);

}  // namespace td
