// Operations that keep a lazy stack lazy: each is applied to the members.
#pragma once

#include <vector>

#include "core/dict/lazy/lazy_stack.h"
#include "core/dict/shape/indices.h"

namespace td {

// Returns the dim of the members that `dim` of the stack is. The stack's own dim is in no member.
int64_t inner_dim(const LazyStack& stack, size_t dim);

// Stacks the results of `fn` over the members along `dim`; locks the result if the stack is locked.
NodePtr each_member(const LazyStack& stack, size_t dim, c10::function_ref<NodePtr(const NodePtr&)> fn);

// `indices` has no ellipsis. An integer along the stack's own dim is a member itself.
NodePtr index_stack(const LazyStack& stack, const IndexList& indices);
// The same where tensors reach over the stack's dim and others: each element comes from its member, which may differ.
NodePtr pick_elements(const LazyStack& stack, const IndexList& indices);

// An index as what it takes of the members. The parts are the elements, row by row, of dims of these sizes at `place`
// of the result.
struct StackPart {
  size_t member = 0;
  IndexList rest;
};
struct StackParts {
  std::vector<StackPart> parts;
  Dims sizes;
  size_t place = 0, result_dims = 0;
};
StackParts stack_parts(const LazyStack& stack, const IndexList& indices);
StackParts picked_parts(const LazyStack& stack, const IndexList& indices);  // one for each single element
// Whether tensors on both sides of the stack's dim, or on it and others, are joined.
bool joins_across(const LazyStack& stack, const IndexList& indices);

// Whether single elements of a stack are written, faster where one tensor holds them all; false for other dicts.
bool picks_elements(const Node& target, const IndexList& indices);
// stack[indices] = value, where a member takes it, new entries too, or one element goes everywhere; false, and nothing
// is done, if it is another dict or another case.
bool assign_to_stack(Node& target, const IndexList& indices, const Node& value);

// Dims are positions among the stack's batch dims; `order` is a permutation of the first of them.
NodePtr permute_stack(const LazyStack& stack, std::vector<size_t> order);
NodePtr squeeze_stack(const LazyStack& stack, const std::vector<size_t>& gone);
NodePtr unsqueeze_stack(const LazyStack& stack, size_t dim);
NodePtr flatten_stack(const LazyStack& stack, size_t first, size_t last);
NodePtr unflatten_stack(const LazyStack& stack, size_t dim, at::IntArrayRef sizes);
NodePtr expand_stack(const LazyStack& stack, at::IntArrayRef batch, size_t fresh);  // `fresh` new dims on the left
NodePtr narrow_stack(const LazyStack& stack, size_t dim, int64_t start, int64_t length);
// Null unless the new sizes join dims next to each other, take one dim apart, or add or drop dims of size 1.
NodePtr regroup_stack(const LazyStack& stack, at::IntArrayRef batch);
// The members themselves along the stack's own dim, copies of them along others.
NodePtr repeat_stack(const LazyStack& stack, at::IntArrayRef repeats);  // one for each batch dim
NodePtr repeat_interleave_stack(const LazyStack& stack, at::IntArrayRef repeats, size_t dim);
// Several at once. Where the others are stacks of as many members too, so is the result; else a dense one is stacked,
// and one that is joined is taken apart.
NodePtr stack_stacks(const LazyStack& like, const std::vector<const Node*>& nodes, size_t dim);
NodePtr cat_any_stack(const std::vector<const Node*>& nodes, size_t dim);  // null if none of them is a stack
NodePtr cat_stacks(const LazyStack& like, const std::vector<const Node*>& nodes, size_t dim);

Nodes unbind_stack(const LazyStack& stack, size_t dim);

}  // namespace td
