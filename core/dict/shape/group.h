// Rows along the first batch dim, by the value of an entry.
#pragma once

#include "core/dict/node.h"

namespace td {

struct Groups {
  at::Tensor values;  // one row a group, sorted, if the entry is a tensor
  DataPtr data;       // or one value a group, if it is non-tensor data
  Nodes nodes;        // the rows of each value, in their order: views of one copy
};

// Throws Error(key) unless there is a tensor or data, Error(argument) for data without an order.
Groups group_by(const Node& node, PathView key);

}  // namespace td
