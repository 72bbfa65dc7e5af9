// What becomes of a lazy stack under the operations that keep it lazy: the members go through the same operation.
#pragma once

#include <vector>

#include "core/dict/index.h"
#include "core/dict/lazy_stack.h"

namespace td {

// `indices` has no ellipsis. An integer along the stack's own dim is a member itself.
NodePtr index_stack(const LazyStack& stack, const std::vector<Index>& indices);

// Dims are positions among the stack's batch dims; `order` is a permutation of the first of them.
NodePtr permute_stack(const LazyStack& stack, std::vector<size_t> order);
NodePtr squeeze_stack(const LazyStack& stack, const std::vector<size_t>& gone);
NodePtr unsqueeze_stack(const LazyStack& stack, size_t dim);
NodePtr unflatten_stack(const LazyStack& stack, size_t dim, at::IntArrayRef sizes);
NodePtr expand_stack(const LazyStack& stack, at::IntArrayRef batch, size_t fresh);  // `fresh` new dims on the left
NodePtr narrow_stack(const LazyStack& stack, size_t dim, int64_t start, int64_t length);
// Several at once. Where the others are stacks of as many members too, so is the result; else a dense one is stacked, and
// one that is joined is taken apart.
NodePtr stack_stacks(const LazyStack& like, const std::vector<const Node*>& nodes, size_t dim);
NodePtr cat_stacks(const LazyStack& like, const std::vector<const Node*>& nodes, size_t dim);

Nodes unbind_stack(const LazyStack& stack, size_t dim);

}  // namespace td
