#include <algorithm>

#include "core/dict/lazy/lazy.h"
#include "core/dict/lazy/lazy_ops.h"
#include "core/dict/lazy/without_members.h"
#include "core/dict/lock.h"
#include "core/dict/shape/permute.h"
#include "core/dict/shape/shape.h"
#include "core/dict/shape/split.h"
#include "core/dict/shape/squeeze.h"
#include "core/dict/tensordict.h"
#include "core/error.h"

namespace td {

int64_t inner_dim(const LazyStack& stack, size_t dim) {
  return static_cast<int64_t>(dim < stack.stack_dim() ? dim : dim - 1);
}

NodePtr each_member(const LazyStack& stack, size_t dim, c10::function_ref<NodePtr(const NodePtr&)> fn) {
  Nodes out;
  for (const NodePtr& m : stack.members()) out.push_back(fn(m));
  NodePtr like = out.empty() ? stand_in(stack) : NodePtr();
  if (like) like = fn(like);
  NodePtr made = over(stack, std::move(out), dim, like);
  if (stack.lock().held()) Lock::acquire(*made);
  return made;
}

NodePtr permute_stack(const LazyStack& stack, std::vector<size_t> order) {
  for (size_t d = order.size(); d < stack.batch_dims(); ++d) order.push_back(d);
  size_t place = 0;
  Dims inner;
  for (size_t i = 0; i < order.size(); ++i) {
    if (order[i] == stack.stack_dim())
      place = i;
    else
      inner.push_back(inner_dim(stack, order[i]));
  }
  return each_member(stack, place, [&](const NodePtr& m) { return permute(*m, inner); });
}

NodePtr squeeze_stack(const LazyStack& stack, const std::vector<size_t>& gone) {
  Dims inner;
  size_t place = stack.stack_dim();
  bool own = false;
  for (size_t d : gone) {
    if (d == stack.stack_dim())
      own = true;
    else
      inner.push_back(inner_dim(stack, d));
    place -= d < stack.stack_dim();
  }
  auto squeezed = [&](const NodePtr& m) { return inner.empty() ? m : squeeze(*m, inner); };
  return own ? squeezed(stack.members()[0]) : each_member(stack, place, squeezed);
}

NodePtr unsqueeze_stack(const LazyStack& stack, size_t dim) {
  bool before = dim <= stack.stack_dim();
  auto inner = static_cast<int64_t>(before ? dim : dim - 1);
  return each_member(stack, stack.stack_dim() + before, [&](const NodePtr& m) { return unsqueeze(*m, inner); });
}

NodePtr unflatten_stack(const LazyStack& stack, size_t dim, at::IntArrayRef sizes) {
  if (dim != stack.stack_dim()) {
    size_t place = stack.stack_dim() + (dim < stack.stack_dim() ? sizes.size() - 1 : 0);
    return each_member(stack, place, [&](const NodePtr& m) { return unflatten(*m, inner_dim(stack, dim), sizes); });
  }
  // Stacks of stacks, from the innermost dim out, which keeps the name.
  auto joined = [&](Nodes nodes, size_t k) {
    NodePtr made = stack.over(std::move(nodes));
    Names names = made->names();
    if (k + 1 < sizes.size() && !names.empty()) {
      names[dim] = nullopt;
      made->adopt_names(std::move(names));
    }
    return made;
  };
  Nodes level = stack.members();
  for (size_t k = sizes.size(); k-- > 1;) {
    Nodes next;
    auto width = static_cast<size_t>(sizes[k]);
    size_t groups = width == 0 ? 0 : level.size() / width;
    for (size_t g = 0; g < groups; ++g) {
      auto from = level.begin() + static_cast<std::ptrdiff_t>(g * width);
      next.push_back(joined(Nodes(from, from + static_cast<std::ptrdiff_t>(width)), k));
    }
    level = std::move(next);
  }
  NodePtr made = joined(std::move(level), 0);
  if (stack.lock().held()) Lock::acquire(*made);
  return made;
}

NodePtr expand_stack(const LazyStack& stack, at::IntArrayRef batch, size_t fresh) {
  size_t place = stack.stack_dim() + fresh;
  Dims inner(batch.begin(), batch.end());
  inner.erase(inner.begin() + place);
  Nodes out;
  for (const NodePtr& m : stack.members()) out.push_back(expand(*m, inner));
  if (!out.empty()) out.resize(static_cast<size_t>(batch[place]), out[0]);
  return out.empty() ? over(stack, std::move(out), place, TensorDict::make(inner, stack.device()))
                     : maybe_dense_stack(out, static_cast<int64_t>(place));
}

NodePtr narrow_stack(const LazyStack& stack, size_t dim, int64_t start, int64_t length) {
  if (dim != stack.stack_dim())
    return each_member(stack, stack.stack_dim(),
                       [&](const NodePtr& m) { return narrow(*m, inner_dim(stack, dim), start, length); });
  auto from = stack.members().begin() + start;
  NodePtr made = stack.over(Nodes(from, from + length));
  if (stack.lock().held()) Lock::acquire(*made);
  return made;
}

Nodes unbind_stack(const LazyStack& stack, size_t dim) {
  if (dim == stack.stack_dim()) return stack.members();
  if (stack.batch_size()[dim] < 0)
    throw Error(Code::shape, "the members have different sizes along dim " + std::to_string(dim) + ": batch size " +
                                 to_string(stack.batch_size()));
  std::vector<Nodes> columns(static_cast<size_t>(stack.batch_size()[dim]));
  for (const NodePtr& m : stack.members()) {
    Nodes parts = unbind(*m, inner_dim(stack, dim));
    for (size_t k = 0; k < columns.size(); ++k) columns[k].push_back(std::move(parts[k]));
  }
  size_t place = stack.stack_dim() - (dim < stack.stack_dim());
  NodePtr like = stack.members().empty() ? stand_in(stack) : NodePtr();
  if (like && !columns.empty()) like = unbind(*like, inner_dim(stack, dim))[0];
  Nodes out;
  for (Nodes& c : columns) out.push_back(over(stack, std::move(c), place, like));
  return out;
}

}  // namespace td
