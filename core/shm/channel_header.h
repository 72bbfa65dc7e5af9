// The first page of a channel's file, fixed before the file gets its name:
//   [header page][control][JSON of the schema][slots, each at a multiple of 128, or of a page if it fills one]
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/shm/control.h"
#include "core/system/platform.h"

namespace td::shm {

// The numbers of one channel, as its header tells them.
struct ChannelFacts {
  Rules rules;
  uint32_t max_held = 0;   // messages that one member may hold at once; 0: any number
  int64_t slot_bytes = 0;  // that the schema needs
  int64_t schema_bytes = 0;
  uint32_t schema_crc = 0;
  Process owner;
  bool keep = false;  // the name outlives the owner
};
inline constexpr int64_t channel_owner_byte = 63;  // behind those of the members

// The layout, which follows from the facts. Throws Error(nospace) if that is more than a file can hold.
struct ChannelLayout {
  int64_t control, schema, slots, stride, total;
};
ChannelLayout channel_layout(const ChannelFacts& facts);

// Throws Error(argument) for numbers that no channel may have.
void check_rules(const Rules& rules);

void write_channel_header(char* page, const ChannelFacts& facts);

// Checks a private copy of the page of a file of `file_bytes` bytes as if its checksum were forged. Throws
// Error(corrupt) or Error(version).
ChannelFacts read_channel_header(std::string_view page, int64_t file_bytes, const std::string& where);

bool has_channel_magic(std::string_view page);

}  // namespace td::shm
