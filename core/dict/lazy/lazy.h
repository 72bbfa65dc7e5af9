// Operations over trees with lazy stacks in them: each is told how it treats a stack, or works on a dense copy.
#pragma once

#include <vector>

#include "core/dict/lazy/lazy_stack.h"

namespace td {

bool has_lazy(const Node& node);  // itself, or below

// The node itself if nothing in it is lazy, else a copy in which stacks are dicts: of the keys that all members have.
// Throws Error(shape) for members of different shapes.
NodePtr dense(const Node& node);

// If something in `node` is lazy or in a file, runs `write` over a dense copy and copies all values back, new
// entries too; nothing is written if that fails. Otherwise does nothing and returns false.
bool write_through(Node& node, c10::function_ref<void(Node&)> write);

// Tells whether it is a stack whose members have equal keys and shapes at each level: a dense copy then lacks nothing.
bool stacks_evenly(const Node& node);

// A stack of dicts where they have the same keys and shapes, at each level; else a lazy stack of them.
NodePtr maybe_dense_stack(const Nodes& nodes, int64_t dim);

NodePtr lazy_stack(const Nodes& nodes, int64_t dim);       // throws Error(argument) without any
NodePtr lazy_empty(at::IntArrayRef element, int64_t dim);  // no members yet, of this batch size
NodePtr to_lazy_stack(const Node& node, int64_t dim);      // of views

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
