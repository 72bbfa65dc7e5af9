// Who may change a node. A locked node refuses structural changes; a child cannot be unlocked while a locked ancestor
// lives, so each node keeps weak references to the ancestors that locked it.
#pragma once

#include <vector>

#include <c10/util/intrusive_ptr.h>

namespace td {

class Node;

class Lock {
 public:
  bool held() const { return held_; }

  static void acquire(Node& root);  // locks root and everything below; again is harmless
  static void mark(Node& node);     // that node alone: for one that stands for a locked one during an operation
  static void release(Node& root);  // throws Error(locked) if an ancestor outside root holds; changes nothing then

 private:
  static void acquire_below(Node& node, std::vector<c10::weak_intrusive_ptr<Node>>& ancestors);

  bool held_ = false;
  std::vector<c10::weak_intrusive_ptr<Node>> holders_;
};

}  // namespace td
