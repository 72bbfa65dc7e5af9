// Differentiation from all leaves of a dict at once.
#pragma once

#include "core/dict/node.h"

namespace td {

struct BackwardOptions {
  bool retain_graph = false;  // so that it can be run again
  bool create_graph = false;  // so that the gradients can be differentiated; keeps the graph as well
  bool allow_unused = false;
};

// From the leaves that require grad; `gradient` may be null if they have one element each. The gradients are added to
// those of the leaves of `inputs`, or with null of every tensor that the roots were computed from.
void backward(const Node& node, const Node* gradient, const Node* inputs, const BackwardOptions& options);

// The gradients for the leaves of `inputs` in its structure, locked if it is; nothing is added to any tensor. Leaves
// that were not used are left out, or Error(argument) without `allow_unused`.
NodePtr autograd_grad(const Node& node, const Node& inputs, const Node* gradient, const BackwardOptions& options);

}  // namespace td
