#include "core/dict/shape/batch_op.h"

#include "core/dict/any_node.h"
#include "core/dict/lazy/around_stacks.h"

namespace td {

NodePtr apply(const Node& node, const BatchOp& op) {
  if (has_lazy(node))
    return around_stacks(
        node, [&](const Node& n) { return apply_to_dense(n, op); },
        [&](const LazyStack& stack) { return op.stack(stack); });
  return apply_to_dense(node, op);
}

NodePtr apply_to_dense(const Node& node, const BatchOp& op) {
  const Names names = node.names().empty() ? Names() : op.names(node.names());
  NodePtr made = rebuild_views(
      node, [&](const at::Tensor& t) { return op.leaf(t); }, op.batch(node.batch_size()), names, op.stacked(),
      op.rows());
  if (!op.rows()) carry_lock(node, *made);
  return made;
}

}  // namespace td
