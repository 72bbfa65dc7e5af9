// A member elsewhere, as the creator of a channel over TCP has it: a member of the channel that forwards.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <thread>

#include "core/group/channel/address.h"
#include "core/group/channel/inlet.h"
#include "core/group/channel/outlet.h"

namespace td::group {

class Guest {
 public:
  // Takes it in, in a thread of its own. `number`: it is the so manyth that came to this channel.
  Guest(SharedChannelPtr channel, const Address& address, std::shared_ptr<Values> store, int64_t life, int64_t number);
  ~Guest();  // ends the connection

  bool ended() const { return ended_; }
  bool wait_drained(int64_t timeout_ms);  // true if there is nothing to send any more
  void say_goodbye() noexcept;            // so that the member knows that the channel has ended

 private:
  void run() noexcept;
  SharedChannelPtr take_in(uint32_t& roles, std::string& here);
  void serve(const SharedChannelPtr& member, uint32_t roles, const std::string& here);
  void listen();
  Frame state() const;

  SharedChannelPtr channel_;
  Address address_;
  std::shared_ptr<Values> store_;
  int64_t life_, number_;
  std::mutex mutex_;  // over the next three while others look at them
  std::unique_ptr<Wire> wire_;
  std::unique_ptr<Inlet> inlet_;
  std::unique_ptr<Outlet> outlet_;
  std::atomic<bool> ended_{false}, stopping_{false};
  std::thread thread_;
};

}  // namespace td::group
