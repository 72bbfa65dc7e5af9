// Sends the messages of a channel of this process over a connection.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "core/group/channel/wire.h"
#include "core/shm/shared_channel.h"

namespace td::group {

class Outlet {
 public:
  // Sends what can be taken from the channel until that is closed and empty, then calls `drained`. `on_demand`: only as
  // many messages as the other end wants.
  Outlet(Wire& wire, SharedChannelPtr from, bool on_demand, std::function<void()> drained);
  ~Outlet();  // stops; the wire must be stopped before

  void want(uint32_t messages);
  bool wait_drained(int64_t timeout_ms);  // true also if the connection has ended
  void give_up() noexcept;                // sends no more; returns at once

 private:
  struct Going {
    MessagePtr message;  // null: several messages, which were copied
    std::unique_ptr<Passage> passage;
  };

  void run();
  void send_all();
  MessagePtr next(bool may_wait);
  bool may_send(bool may_wait);
  Going send_one(MessagePtr message);
  Going send_several(MessagePtr first);

  Wire& wire_;
  SharedChannelPtr from_;
  const bool on_demand_;
  std::function<void()> on_drained_;
  int64_t bytes_;
  uint32_t in_block_;
  c10::intrusive_ptr<Cancel> stop_ = c10::make_intrusive<Cancel>();
  bool closed_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
  uint64_t wanted_ = 0;
  bool drained_ = false;
  std::thread thread_;
};

}  // namespace td::group
