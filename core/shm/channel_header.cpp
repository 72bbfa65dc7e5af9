#include "core/shm/channel_header.h"

#include <cstring>
#include <type_traits>

#include "core/error.h"
#include "core/shm/crc32c.h"
#include "core/shm/header.h"

namespace td::shm {

namespace {

constexpr char channel_magic[8] = {'T', 'D', 'C', 'H', 'A', 'N', '\r', '\n'};
constexpr uint32_t channel_version = 1, min_channel_reader = 1, channel_endian = 0x01020304;
constexpr int64_t page = 4096, largest_channel = int64_t{1} << 46;

struct ChannelHeader {
  char magic[8];
  uint32_t layout, min_reader, endian, page_bytes;
  uint8_t uuid[16];
  int64_t total_bytes, slot_bytes, schema_bytes;
  uint64_t owner_pid, owner_start;
  uint32_t mode, overflow, slots, members, deliveries, most_held, control_bytes, schema_crc, flags;
  uint8_t reserved[136];
  uint32_t crc;  // of all bytes before it
};
static_assert(std::is_trivially_copyable<ChannelHeader>::value && sizeof(ChannelHeader) == 256 &&
                  offsetof(ChannelHeader, total_bytes) == 40 && offsetof(ChannelHeader, mode) == 80 &&
                  offsetof(ChannelHeader, crc) == 252,
              "the layout is the format");

uint32_t crc_of(const ChannelHeader& h) {
  return crc32c({reinterpret_cast<const char*>(&h), offsetof(ChannelHeader, crc)});
}

constexpr int64_t up_to(int64_t n, int64_t multiple) {
  return (n + multiple - 1) / multiple * multiple;
}

void check_range(const char* what, uint32_t n, uint32_t least, uint32_t most) {
  if (n < least || n > most)
    throw Error(Code::argument, std::string("the number of ") + what + " is " + std::to_string(n))
        .hint(std::to_string(least) + " to " + std::to_string(most));
}

}  // namespace

void check_rules(const Rules& r) {
  if (static_cast<uint32_t>(r.mode) > 1)
    throw Error(Code::argument, "unknown channel mode " + std::to_string(static_cast<uint32_t>(r.mode)));
  if (static_cast<uint32_t>(r.overflow) > 2)
    throw Error(Code::argument, "unknown overflow policy " + std::to_string(static_cast<uint32_t>(r.overflow)));
  check_range("slots", r.slots, 1, most_slots);
  check_range("members", r.members, 1, r.mode == ChannelMode::broadcast ? most_subscribers : most_members);
  check_range("deliveries", r.deliveries, 1, most_deliveries);
}

ChannelLayout channel_layout(const ChannelFacts& f) {
  ChannelLayout l = {};
  bool fits =
      f.slot_bytes >= 0 && f.slot_bytes <= largest_channel && f.schema_bytes >= 0 && f.schema_bytes <= largest_channel;
  if (fits) {
    l.control = page;
    l.schema = l.control + up_to(sizeof(Control), page);
    l.slots = up_to(l.schema + f.schema_bytes, page);
    l.stride = f.slot_bytes == 0 ? 128 : up_to(f.slot_bytes, f.slot_bytes < page ? 128 : page);
    fits = l.stride <= (largest_channel - l.slots) / f.rules.slots;
  }
  if (!fits) throw Error(Code::nospace, "the slots of the channel are larger than any file");
  l.total = l.slots + l.stride * f.rules.slots;
  return l;
}

bool has_channel_magic(std::string_view page_bytes) {
  return page_bytes.size() >= sizeof channel_magic &&
         std::memcmp(page_bytes.data(), channel_magic, sizeof channel_magic) == 0;
}

void write_channel_header(char* to, const ChannelFacts& f) {
  ChannelHeader h = {};
  std::memcpy(h.magic, channel_magic, sizeof h.magic);
  h.layout = channel_version;
  h.min_reader = min_channel_reader;
  h.endian = channel_endian;
  h.page_bytes = page;
  random_bytes(h.uuid, sizeof h.uuid);
  h.total_bytes = channel_layout(f).total;
  h.slot_bytes = f.slot_bytes;
  h.schema_bytes = f.schema_bytes;
  h.owner_pid = f.owner.pid;
  h.owner_start = f.owner.start;
  h.mode = static_cast<uint32_t>(f.rules.mode);
  h.overflow = static_cast<uint32_t>(f.rules.overflow);
  h.slots = f.rules.slots;
  h.members = f.rules.members;
  h.deliveries = f.rules.deliveries;
  h.most_held = f.most_held;
  h.control_bytes = sizeof(Control);
  h.schema_crc = f.schema_crc;
  h.flags = f.keep;
  h.crc = crc_of(h);
  std::memset(to, 0, page);
  std::memcpy(to, &h, sizeof h);
}

ChannelFacts read_channel_header(std::string_view bytes, int64_t file_bytes, const std::string& where) {
  auto corrupt = [&](const char* why) {
    return Error(Code::corrupt, why).where(where).hint("remove it and let its owner create it again");
  };
  if (!has_channel_magic(bytes)) throw Error(Code::corrupt, "it is not a channel").where(where);
  if (bytes.size() < static_cast<size_t>(page)) throw corrupt("the channel is cut inside its header");
  ChannelHeader h;
  std::memcpy(&h, bytes.data(), sizeof h);
  if (h.endian != channel_endian)
    throw Error(h.crc == crc_of(h) ? Code::version : Code::corrupt, "the channel has another byte order").where(where);
  if (h.crc != crc_of(h)) throw corrupt("the checksum of the header is wrong");
  // Unlike a segment, a channel is written by all: everybody must know all of its rules.
  if (h.min_reader > channel_version || h.layout != channel_version)
    throw Error(Code::version, "the channel has layout " + std::to_string(h.layout) + "; this library has layout " +
                                   std::to_string(channel_version))
        .where(where)
        .hint("use the same version of the library in all processes");
  ChannelFacts f;
  f.rules = {static_cast<ChannelMode>(h.mode), static_cast<Overflow>(h.overflow), h.slots, h.members, h.deliveries};
  f.most_held = h.most_held;
  f.slot_bytes = h.slot_bytes;
  f.schema_bytes = h.schema_bytes;
  f.schema_crc = h.schema_crc;
  f.keep = h.flags & 1;
  f.owner = {h.owner_pid, h.owner_start};
  try {
    check_rules(f.rules);
    if (h.page_bytes != page || h.control_bytes != sizeof(Control) || h.flags > 1 || f.schema_bytes < 1 ||
        f.slot_bytes < 0 || h.total_bytes != file_bytes || channel_layout(f).total != file_bytes)
      throw corrupt("the numbers of the header contradict each other, or the size of the file");
  } catch (const Error& e) {
    throw corrupt(e.what());
  }
  for (size_t i = offsetof(ChannelHeader, reserved); i < static_cast<size_t>(page); ++i)
    if (bytes[i] != 0 && (i < offsetof(ChannelHeader, crc) || i >= sizeof h))
      throw corrupt("reserved bytes are in use");
  return f;
}

}  // namespace td::shm
