#include <algorithm>

#include "core/dict/lazy/around_stacks.h"
#include "core/dict/lazy/lazy.h"
#include "core/dict/lazy/lazy_ops.h"
#include "core/dict/shape/cat.h"
#include "core/dict/shape/split.h"
#include "core/dict/shape/stack.h"
#include "core/error.h"

namespace td {

NodePtr stack_stacks(const LazyStack& like, const Several& nodes, size_t dim) {
  bool alike = std::all_of(nodes.begin(), nodes.end(), [&](const Node* n) {
    const LazyStack* stack = LazyStack::of(*n);
    return stack && stack->stack_dim() == like.stack_dim() && stack->members().size() == like.members().size();
  });
  if (!alike || like.members().empty()) {
    Nodes copies;
    for (const Node* n : nodes) copies.push_back(dense(*n));
    return stack(several(copies), static_cast<int64_t>(dim));
  }
  bool before = dim <= like.stack_dim();
  Nodes members;
  for (size_t i = 0; i < like.members().size(); ++i) {
    Several column;
    for (const Node* n : nodes) column.push_back(LazyStack::of(*n)->members()[i].get());
    members.push_back(stack(column, static_cast<int64_t>(before ? dim : dim - 1)));
  }
  return like.over(std::move(members), like.stack_dim() + before);
}

NodePtr cat_any_stack(const std::vector<const Node*>& nodes, size_t dim) {
  for (const Node* n : nodes)
    if (const LazyStack* stack = LazyStack::of(*n)) return cat_stacks(*stack, nodes, dim);
  return {};
}

NodePtr cat_stacks(const LazyStack& like, const Several& nodes, size_t dim) {
  for (const Node* n : nodes)
    if (const LazyStack* stack = LazyStack::of(*n); stack && stack->stack_dim() != like.stack_dim())
      throw Error(Code::shape, "lazy stacks along dims " + std::to_string(like.stack_dim()) + " and " +
                                   std::to_string(stack->stack_dim()) + " cannot be joined")
          .hint_naming("make dense copies with {dict_contiguous} first");
  if (dim == like.stack_dim()) {
    Nodes members;
    for (const Node* n : nodes) {
      if (n->batch_dims() != like.batch_dims())
        throw Error(Code::shape,
                    "batch sizes differ: " + to_string(like.batch_size()) + " and " + to_string(n->batch_size()));
      Nodes parts = unbind(*n, static_cast<int64_t>(dim));
      members.insert(members.end(), parts.begin(), parts.end());
    }
    return like.over(std::move(members));
  }
  std::vector<Nodes> parts;
  for (const Node* n : nodes) parts.push_back(*like.apart(*n));
  Nodes members;
  for (size_t i = 0; i < like.members().size(); ++i) {
    Several column;
    for (const Nodes& p : parts) column.push_back(p[i].get());
    members.push_back(cat(column, static_cast<int64_t>(dim < like.stack_dim() ? dim : dim - 1)));
  }
  return like.over(std::move(members));
}

}  // namespace td
