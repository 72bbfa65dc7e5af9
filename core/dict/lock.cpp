#include "core/dict/lock.h"

#include <algorithm>
#include <unordered_set>

#include "core/error.h"
#include "core/fork.h"

namespace td {

namespace {

// A tree is locked whole, and trees may share nodes.
ProcessMutex& locking() {
  static auto* mutex = new ProcessMutex;
  return *mutex;
}

c10::weak_intrusive_ptr<Node> weak(Node& node) {
  return c10::weak_intrusive_ptr<Node>(c10::intrusive_ptr<Node>::unsafe_reclaim_from_nonowning(&node));
}

void collect(Node& node, std::unordered_set<const Node*>& out) {
  if (!out.insert(&node).second) return;
  node.parts(Detail::kind, [&](const Entry& e) {
    if (e.is_node()) collect(*e.node(), out);
  });
}

}  // namespace

std::vector<LockWord*> Lock::acquire(Node& root) {
  const ProcessLock guard(locking());
  std::vector<c10::weak_intrusive_ptr<Node>> ancestors;
  std::vector<LockWord*> acquired;
  try {
    acquire_below(root, ancestors, acquired);
  } catch (...) {
    open_again(acquired);
    throw;
  }
  return acquired;
}

// What had been locked before may keep holders that are not locked: they hold nothing.
void Lock::open_again(const std::vector<LockWord*>& acquired) noexcept {
  for (LockWord* lock : acquired) lock->held_ = false;
}

void Lock::mark(Node& node) {
  node.lock().held_ = true;
}

void Lock::acquire_below(Node& node, std::vector<c10::weak_intrusive_ptr<Node>>& ancestors,
                         std::vector<LockWord*>& acquired) {
  LockWord& lock = node.lock();
  if (!lock.held_) {
    acquired.push_back(&lock);
    lock.held_ = true;
  }
  auto& holders = lock.holders_;
  holders.erase(std::remove_if(holders.begin(), holders.end(), [](const auto& h) { return h.expired(); }),
                holders.end());
  for (const auto& a : ancestors)
    if (std::none_of(holders.begin(), holders.end(), [&](const auto& h) { return h == a; })) holders.push_back(a);
  const size_t above = ancestors.size();
  node.parts(Detail::kind, [&](const Entry& e) {
    if (!e.is_node()) return;
    if (ancestors.size() == above) ancestors.push_back(weak(node));
    acquire_below(*e.node(), ancestors, acquired);
  });
  if (ancestors.size() > above) ancestors.pop_back();
}

void Lock::mark_below(Node& node) {
  mark(node);
  node.parts(Detail::kind, [](const Entry& e) {
    if (e.is_node()) mark_below(*e.node());
  });
}

void Lock::reacquire(Node& root) noexcept {
  try {
    acquire(root);
  } catch (const std::exception&) {  // without memory all is locked again, but no part knows what it belongs to
    try {
      mark_below(root);
    } catch (const std::exception&) {  // NOLINT: a file that cannot be read
    }
  }
}

void Lock::check_release(const std::unordered_set<const Node*>& below) {
  for (const Node* n : below)
    for (const auto& h : n->lock().holders_) {
      NodePtr holder = h.lock();
      if (holder && holder->locked() && below.count(holder.get()) == 0)
        throw Error(Code::locked, "cannot unlock a dict that is part of a locked one")
            .hint("unlock or release the dict that contains it first");
    }
}

void Lock::check_release(Node& root) {
  const ProcessLock guard(locking());
  std::unordered_set<const Node*> below;
  collect(root, below);
  check_release(below);
}

void Lock::release(Node& root) {
  const ProcessLock guard(locking());
  std::unordered_set<const Node*> below;
  collect(root, below);
  check_release(below);
  for (const Node* n : below) {
    LockWord& lock = const_cast<Node*>(n)->lock();
    lock.held_ = false;
    lock.holders_.clear();
  }
  for (const Node* n : below)
    if (n->guarded()) reacquire(*n->guarded());
}

}  // namespace td
