// A transformed dict to work on for a while: when the scope ends, what was made of it goes back into the original; when
// it is cancelled, nothing does, and what the scope changed in the original is undone. Dropping it changes nothing, so
// that it may be dropped by any thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/dict/node.h"

namespace td {

class Scope : public c10::intrusive_ptr_target {
 public:
  using Inverse = std::function<NodePtr(const Node&)>;

  Scope(NodePtr original, NodePtr inner, Inverse inverse);

  const NodePtr& inner() const { return inner_; }

  // Throws what the way back throws, and the scope stays open then; Error(closed) if it has ended before.
  virtual void end();
  virtual void cancel();  // throws Error(closed) if it has ended before

 private:
  friend c10::intrusive_ptr<Scope> scope_unlock(const NodePtr& node);
  void relock() noexcept;
  void check_open() const;

  NodePtr original_, inner_;
  Inverse inverse_;
  std::vector<NodePtr> locked_;  // what was locked, each with everything below it
  bool open_ = true;
};
using ScopePtr = c10::intrusive_ptr<Scope>;

ScopePtr scope_unlock(const NodePtr& node);
ScopePtr scope_flatten_keys(const NodePtr& node, std::string separator);
ScopePtr scope_unflatten_keys(const NodePtr& node, std::string separator);

ScopePtr scope_view(const NodePtr& node, at::IntArrayRef sizes);
ScopePtr scope_flatten(const NodePtr& node, int64_t start, int64_t end);
ScopePtr scope_unflatten(const NodePtr& node, int64_t dim, at::IntArrayRef sizes);
ScopePtr scope_squeeze(const NodePtr& node, at::IntArrayRef dims);
ScopePtr scope_unsqueeze(const NodePtr& node, int64_t dim);
ScopePtr scope_permute(const NodePtr& node, at::IntArrayRef dims);
ScopePtr scope_transpose(const NodePtr& node, int64_t a, int64_t b);
ScopePtr scope_movedim(const NodePtr& node, at::IntArrayRef from, at::IntArrayRef to);
ScopePtr scope_flip(const NodePtr& node, at::IntArrayRef dims);
ScopePtr scope_roll(const NodePtr& node, at::IntArrayRef shifts, at::IntArrayRef dims);
ScopePtr scope_to(const NodePtr& node, optional<at::ScalarType> type, optional<c10::Device> device);

}  // namespace td
