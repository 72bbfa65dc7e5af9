// Operations over trees with lazy stacks in them: each is told how it treats a stack.
#pragma once

#include <vector>

#include "core/dict/any_node.h"
#include "core/dict/lazy/lazy_stack.h"

namespace td {

using Several = std::vector<const Node*>;
Several several(const Nodes& nodes);

// `op` over the tree with an empty dict in the place of each lazy stack, where the result of `on_stack` goes then. All
// of `nodes` have what they have where the first has a stack. `on_stack` gets the root if that is a stack.
NodePtr around_stacks(const Several& nodes, c10::function_ref<NodePtr(const Several&)> op,
                      c10::function_ref<NodePtr(const LazyStack&, const Several&)> on_stack);
Nodes around_stacks(const Several& nodes, c10::function_ref<Nodes(const Several&)> op,
                    c10::function_ref<Nodes(const LazyStack&, const Several&)> on_stack);

// The same for one tree.
template <class Op, class OnStack>
auto around_stacks(const Node& node, Op op, OnStack on_stack) -> decltype(op(node)) {
  using Result = decltype(op(node));
  if (!has_lazy(node)) return op(node);
  return around_stacks(Several{&node},
                       c10::function_ref<Result(const Several&)>([&](const Several& n) { return op(*n[0]); }),
                       c10::function_ref<Result(const LazyStack&, const Several&)>(
                           [&](const LazyStack& stack, const Several&) { return on_stack(stack); }));
}

}  // namespace td
