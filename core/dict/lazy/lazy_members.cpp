// What passes through a lazy stack to its members.
#include <algorithm>

#include "core/dict/change/write.h"
#include "core/dict/lazy/lazy_ops.h"
#include "core/error.h"

namespace td {

bool LazyStack::each_member(c10::function_ref<void(const NodePtr&, size_t)> fn) const {
  for (size_t i = 0; i < members_.size(); ++i) fn(members_[i], i);
  return true;
}

NodePtr LazyStack::map_members(c10::function_ref<NodePtr(const NodePtr&, size_t)> fn) const {
  Nodes made;
  made.reserve(members_.size());
  for (size_t i = 0; i < members_.size(); ++i) made.push_back(fn(members_[i], i));
  return over(std::move(made));
}

// One that ends before the stack's dim says the same of all.
at::Tensor LazyStack::for_member(const at::Tensor& whole, size_t index) const {
  auto dim = static_cast<int64_t>(dim_), n = static_cast<int64_t>(members_.size());
  if (whole.dim() <= dim) return whole;
  if (whole.size(dim) != n && whole.size(dim) != 1)
    throw Error(Code::shape, "shape " + to_string(whole.sizes()) + " does not match a stack of " + std::to_string(n) +
                                 " members along dim " + std::to_string(dim));
  return whole.select(dim, whole.size(dim) == 1 ? 0 : static_cast<int64_t>(index));
}

void LazyStack::plan_write(Writes& writes, const KeyView& key, at::Tensor value, const Path& path) const {
  for (size_t i = 0; i < members_.size(); ++i) {
    bool whole = value.dim() == 0 || members_[i]->look(key, Detail::kind).is_unbatched();
    members_[i]->plan_write(writes, key,
                            whole ? value : value.select(static_cast<int64_t>(dim_), static_cast<int64_t>(i)), path);
  }
}

NodePtr LazyStack::part(IndexList& indices) const {
  const bool member = dim_ == 0 && indices.size() == 1 && indices[0].kind == Index::Kind::integer;
  if (NodePtr one = member ? member_at(indices[0].start) : NodePtr()) return one;
  check_current();
  return index_stack(*this, without_ellipsis(std::move(indices), batch_size()));
}

Entry LazyStack::look(const KeyView& key, Detail detail) const {
  if (detail != Detail::kind) return find(key);
  return has_common(key) ? outlined(key) : Entry();
}

// A stack that was made by a request for an entry is as deep as its members.
size_t LazyStack::level() const {
  size_t deepest = Node::level();
  for (const NodePtr& m : members_) deepest = std::max(deepest, m->level());
  return deepest;
}

}  // namespace td
