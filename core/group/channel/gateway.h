// The creator of a channel over TCP: the channel is one in shared memory without a name, and for each member elsewhere
// a guest is a member of it.
#pragma once

#include <condition_variable>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "core/group/channel/address.h"
#include "core/group/channel/card.h"
#include "core/shm/shared_channel.h"

namespace td::group {

// The store of one address, which all channels of this process at that address use.
std::shared_ptr<Values> serve_values(const Address& address);

class Guest;

class Gateway {
 public:
  // `channel` is an observer of it. Throws Error(exists) if another channel has the name.
  Gateway(SharedChannelPtr channel, const Address& address, const SharedChannel::Plan& plan);
  // Closes the channel, and waits some seconds for members that still take messages.
  ~Gateway();

 private:
  void run();

  SharedChannelPtr channel_;
  Address address_;
  std::shared_ptr<Values> store_;
  int64_t life_ = 0, seen_ = 0;
  std::list<std::unique_ptr<Guest>> guests_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool stopping_ = false;
  std::thread thread_;
};

// Throws what SharedChannel::create throws, and what opening the store throws.
ChannelPtr create_over_tcp(const Address& address, const Node& schema, const shm::ChannelFacts& wanted, uint32_t roles);

}  // namespace td::group
