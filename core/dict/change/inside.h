// Changing a dict that may have another one inside, as parameters have.
#pragma once

#include <c10/core/GradMode.h>

#include "core/dict/lock.h"
#include "core/dict/node.h"

namespace td {

// While it lives, the dict inside parameters that are not locked themselves may change its structure.
class Opened {
 public:
  explicit Opened(Node& node);
  Opened(const Opened&) = delete;
  ~Opened() {
    if (inner_) Lock::reacquire(*inner_);
  }

 private:
  NodePtr inner_;
};

// While it lives, writes into parameters are not recorded.
class OnData {
 public:
  explicit OnData(const Node& node) : mode_(c10::GradMode::is_enabled() && node.records()) {}

 private:
  c10::AutoGradMode mode_;
};

}  // namespace td
