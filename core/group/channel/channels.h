// Channels by their names: "NAME" in shared memory, "tcp://HOST:PORT/NAME" over TCP.
#pragma once

#include <string_view>

#include "core/shm/channel.h"
#include "core/shm/name_wait.h"

namespace td {

struct ChannelWish {
  shm::ChannelFacts facts;  // 0 deliveries: as many as is usual
  uint32_t roles = 0;       // of shm::Role
  bool replace_dead = false;
};

ChannelPtr create_channel(std::string_view name, const Node& schema, const ChannelWish& wish);
ChannelPtr open_channel(std::string_view name, uint32_t roles, const shm::Patience& patience);
void unlink_channel(std::string_view name);

}  // namespace td
