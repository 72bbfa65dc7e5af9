// Stands in for Gloo's header: what LibTorch's ProcessGroupGloo.hpp names of it.
#pragma once

#include <memory>

namespace gloo {
namespace transport {

class Device;

class UnboundBuffer {
 public:
  virtual ~UnboundBuffer();
};

}  // namespace transport
}  // namespace gloo
