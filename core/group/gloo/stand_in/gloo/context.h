// Stands in for Gloo's header: what LibTorch's ProcessGroupGloo.hpp names of it.
#pragma once

#include <chrono>
#include <memory>

namespace gloo {

class Context {
 public:
  void setTimeout(std::chrono::milliseconds timeout);
};

}  // namespace gloo
