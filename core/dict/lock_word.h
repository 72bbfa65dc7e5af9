// What a node keeps of its lock. `lock.h` locks trees.
#pragma once

#include <atomic>
#include <vector>

#include <c10/util/intrusive_ptr.h>

namespace td {

class Node;

class LockWord {
 public:
  bool held() const { return held_.load(std::memory_order_relaxed); }

 private:
  friend class Lock;
  std::atomic<bool> held_{false};
  std::vector<c10::weak_intrusive_ptr<Node>> holders_;
};

}  // namespace td
