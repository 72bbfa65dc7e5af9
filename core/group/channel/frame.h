// What the two ends of a connection say to each other. Messages follow their frame on another tag.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/shm/channel.h"

namespace td::group {

enum class Say : uint32_t {
  beat = 1,  // I live; the creator's says how the channel stands
  messages,  // `count` of them follow as one block
  want,      // send up to `count` more
  close,     // close the channel, behind all that I have sent
  drained,   // the channel is closed, and nothing more follows
  leave      // I go, behind all that I have sent
};

struct Frame {
  uint64_t magic = mark;
  Say say = Say::beat;
  uint32_t count = 0;
  uint64_t number = 0, lag = 0;  // of a single message
  ChannelStats stats{};
  uint64_t reserved[16] = {};

  static constexpr uint64_t mark = 0x31'6e'61'68'63'2e'64'74;  // "td.chan1", or the machines differ in byte order
};
static_assert(sizeof(Frame) == 256 && std::is_trivially_copyable<Frame>::value, "all frames have one size");

// Of several messages in one block, behind their bytes.
struct Origin {
  uint64_t number = 0, lag = 0;
};

// So many messages travel in one block: few bytes cost as much as many.
inline uint32_t messages_in_block(int64_t message_bytes) {
  constexpr int64_t block = 64 * 1024;
  if (message_bytes * 2 > block) return 1;
  const int64_t fit = block / (message_bytes + static_cast<int64_t>(sizeof(Origin)));
  return static_cast<uint32_t>(fit < shm::max_slots ? fit : shm::max_slots);
}

}  // namespace td::group
