// The connection of two members: frames in their order, and the blocks that they announce.
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <set>

#include <ATen/core/Tensor.h>

#include "core/group/channel/frame.h"
#include "core/group/transport.h"

namespace td::group {

class Wire {
 public:
  Wire(std::unique_ptr<Transport> transport, int32_t peer);

  // All throw Error(closed) or Error(timeout) when the connection has ended.
  void say(const Frame& frame);
  std::unique_ptr<Passage> send(const Frame& frame, const at::Tensor& block);
  std::unique_ptr<Passage> receive(const at::Tensor& block);
  void flush();  // returns when all that was said has left
  Frame hear();  // by one thread; throws Error(closed) also when stopped

  bool wait(Passage& passage);  // false when stopped
  void stop() noexcept;         // ends all waits, and those to come

 private:
  std::unique_ptr<Passage> listen();

  std::unique_ptr<Transport> transport_;
  int32_t peer_;
  std::mutex mutex_;
  bool stopped_ = false;
  std::set<Passage*> waits_;
  std::mutex speaking_;
  std::deque<std::unique_ptr<Passage>> said_;  // of which it is not known yet that they have left
  at::Tensor ears_[2];
  unsigned ear_ = 0;
  std::unique_ptr<Passage> next_;
};

}  // namespace td::group
