// Other shapes of a lazy stack's batch, and its elements once more: the members go along, so writes reach them and no
// key that only some of them have is lost.
#include <algorithm>

#include "core/dict/any_node.h"
#include "core/dict/copy.h"
#include "core/dict/lazy/lazy.h"
#include "core/dict/lazy/lazy_ops.h"
#include "core/dict/lazy/without_members.h"
#include "core/dict/lock.h"
#include "core/dict/shape/geometry.h"
#include "core/dict/shape/repeat.h"
#include "core/dict/shape/shape.h"
#include "core/dict/shape/split.h"
#include "core/dict/shape/squeeze.h"
#include "core/error.h"

namespace td {

namespace {

// Elements of these dims; -1 if members differ in one.
int64_t size_product(at::IntArrayRef sizes) {
  int64_t n = 1;
  for (int64_t s : sizes) {
    if (s < 0) return -1;
    n *= s;
  }
  return n;
}

// A lazy stack of the elements of dims `first` to `last`, at `first`. Every element is a view.
NodePtr element_stack(const Node& node, size_t first, size_t last) {
  Nodes level{itself(node)};
  for (size_t d = first; d <= last; ++d) {
    Nodes next;
    for (const NodePtr& n : level) {
      Nodes parts = unbind(*n, static_cast<int64_t>(first));
      check_member_count(next.size() + parts.size());
      next.insert(next.end(), parts.begin(), parts.end());
    }
    level = std::move(next);
  }
  NodePtr made = LazyStack::make(std::move(level), static_cast<int64_t>(first));
  if (node.locked()) Lock::acquire(*made);
  return made;
}

// A member with these dims as one, without a copy: a stack of its elements where memory allows no view.
NodePtr flattened_member(const NodePtr& member, int64_t first, int64_t last) {
  if (member->has_members()) return flatten(*member, first, last);
  auto from = static_cast<size_t>(first), to = static_cast<size_t>(last);
  Dims batch(member->batch_size().begin(), member->batch_size().end());
  batch[from] = size_product(member->batch_size().slice(from, to - from + 1));
  batch.erase(batch.begin() + from + 1, batch.begin() + to + 1);
  Leaves all = batched_leaves(*member);
  bool views = batch[from] == 0 || (!has_lazy(*member) && std::all_of(all.begin(), all.end(), [&](const at::Tensor& t) {
                 Dims strides;
                 return t.layout() != at::kStrided ||
                        restride(geometry(t), with_batch(t.sizes(), member->batch_dims(), batch), strides);
               }));
  return views ? flatten(*member, first, last) : element_stack(*member, from, to);
}

// Of the stack, or of a stack in it.
bool is_member(const Node& node, const Node& stack) {
  bool found = false;
  stack.each_member([&](const NodePtr& m, size_t) { found = found || m.get() == &node || is_member(node, *m); });
  return found;
}

}  // namespace

NodePtr flatten_stack(const LazyStack& stack, size_t first, size_t last) {
  if (first == last) return itself(stack);
  stack.check_current();
  size_t own = stack.stack_dim();
  if (own < first || last < own)
    return each_member(stack, own - (last < own ? last - first : 0), [&](const NodePtr& m) {
      return flattened_member(m, inner_dim(stack, first), inner_dim(stack, last));
    });
  // Without elements there would be no members that know the keys.
  if (size_product(stack.batch_size().slice(first, last - first + 1)) == 0)
    return flatten(*dense(stack), static_cast<int64_t>(first), static_cast<int64_t>(last));
  return element_stack(stack, first, last);
}

NodePtr regroup_stack(const LazyStack& stack, at::IntArrayRef to) {
  at::IntArrayRef from = stack.batch_size();
  size_t least = std::min(from.size(), to.size()), head = 0, tail = 0;
  while (head < least && from[head] == to[head]) ++head;
  while (tail < least - head && from[from.size() - 1 - tail] == to[to.size() - 1 - tail]) ++tail;
  at::IntArrayRef had = from.slice(head, from.size() - head - tail), has = to.slice(head, to.size() - head - tail);
  if (size_product(had) != size_product(has) || size_product(had) < 0) return NodePtr();
  NodePtr made = itself(stack);
  if (had.empty()) {
    for (size_t i = 0; i < has.size(); ++i) made = unsqueeze(*made, static_cast<int64_t>(head));
  } else if (has.empty()) {
    Dims gone;
    for (size_t i = 0; i < had.size(); ++i) gone.push_back(static_cast<int64_t>(head + i));
    made = squeeze(stack, gone);
    if (is_member(*made, stack)) return shallow_copy(*made);  // a reshape gives a dict of its own
  } else if (had.size() == 1) {
    made = unflatten_stack(stack, head, has);
  } else if (has.size() == 1) {
    made = flatten_stack(stack, head, head + had.size() - 1);
  } else {
    return NodePtr();
  }
  return made;
}

NodePtr repeat_stack(const LazyStack& stack, at::IntArrayRef repeats) {
  size_t own = stack.stack_dim();
  Dims inner(repeats.begin(), repeats.end());
  inner.erase(inner.begin() + own);
  Nodes once, members;
  for (const NodePtr& m : stack.members()) once.push_back(repeat(*m, inner));
  for (int64_t r = 0; r < repeats[own] && !once.empty(); ++r) {
    check_member_count(members.size() + once.size());
    members.insert(members.end(), once.begin(), once.end());
  }
  NodePtr like = members.empty() ? stand_in(stack) : NodePtr();
  if (like) like = repeat(*like, inner);
  NodePtr made = over(stack, std::move(members), own, like);
  if (stack.lock().held()) Lock::acquire(*made);
  return made;
}

NodePtr repeat_interleave_stack(const LazyStack& stack, at::IntArrayRef repeats, size_t dim) {
  if (dim != stack.stack_dim())
    return each_member(stack, stack.stack_dim(),
                       [&](const NodePtr& m) { return repeat_interleave(*m, repeats, inner_dim(stack, dim)); });
  const Nodes& all = stack.members();
  if (repeats.size() != 1 && repeats.size() != all.size())
    throw Error(Code::shape, std::to_string(repeats.size()) + " repeats were given for a stack of " +
                                 std::to_string(all.size()) + " members")
        .hint("give one number for all members, or one for each");
  Nodes members;
  for (size_t i = 0; i < all.size(); ++i) {
    int64_t times = repeats[repeats.size() == 1 ? 0 : i];
    check_member_count(members.size() + static_cast<size_t>(times));
    members.insert(members.end(), static_cast<size_t>(times), all[i]);
  }
  NodePtr made = over(stack, std::move(members), dim, stand_in(stack));
  if (stack.lock().held()) Lock::acquire(*made);
  return made;
}

}  // namespace td
