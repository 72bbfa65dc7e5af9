// The connection of a member of a channel over TCP to its creator.
#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

#include "core/group/channel/inlet.h"
#include "core/group/channel/outlet.h"

namespace td::group {

class Connection {
 public:
  // Members of the boxes, which may be null. The creator may send `ahead` messages that have not been taken yet.
  Connection(std::unique_ptr<Transport> transport, SharedChannelPtr outbox, SharedChannelPtr inbox, uint32_t ahead);
  // Sends what was published, for some seconds if the creator takes no more, and says that this member leaves.
  ~Connection();

  void taken(Message& message);  // one more may come
  void close();                  // the channel, behind what was published
  ChannelStats stats() const;    // as the creator told them last
  bool ended() const;

 private:
  void listen();
  void beat();
  void say(Say what, uint32_t count = 0);
  void say_or_stop(Say what, uint32_t count = 0) noexcept;

  SharedChannelPtr outbox_, inbox_;
  const uint32_t ahead_;
  Origins origins_{};
  std::unique_ptr<Wire> wire_;
  std::unique_ptr<Inlet> inlet_;
  std::unique_ptr<Outlet> outlet_;
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  ChannelStats stats_{};
  bool told_ = false, ended_ = false;
  std::atomic<bool> closing_{false};  // the outlet says so behind its last message
  uint32_t taken_ = 0;
  std::thread reader_, ticker_;
};

}  // namespace td::group
