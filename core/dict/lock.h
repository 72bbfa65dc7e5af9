// Locks. A locked node refuses structural changes; a child cannot be unlocked while a locked ancestor
// lives, so each node keeps weak references to the ancestors that locked it.
#pragma once

#include <unordered_set>
#include <vector>

#include "core/dict/node.h"

namespace td {

class Lock {
 public:
  Lock() = delete;

  // Locks root and everything below; again is harmless. Gives those that were not locked: to be opened again where what
  // it was for fails.
  static std::vector<LockWord*> acquire(Node& root);
  static void open_again(const std::vector<LockWord*>& acquired) noexcept;
  static void mark(Node& node);     // that node alone: for one that stands for a locked one during an operation
  static void release(Node& root);  // throws Error(locked) if an ancestor outside root holds; changes nothing then
  static void check_release(Node& root);       // throws what that would
  static void reacquire(Node& root) noexcept;  // what was released for a while

 private:
  static void check_release(const std::unordered_set<const Node*>& below);
  static void mark_below(Node& node);
  static void acquire_below(Node& node, std::vector<c10::weak_intrusive_ptr<Node>>& ancestors,
                            std::vector<LockWord*>& acquired);
};

}  // namespace td
