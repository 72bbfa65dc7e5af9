#include "core/shm/channel_header.h"

#include "core/error.h"
#include "core/shm/first_page.h"

namespace td::shm {

namespace {

// Unlike a segment, a channel is written by all.
constexpr FileKind channel_kind = {"channel", {'T', 'D', 'C', 'H', 'A', 'N', '\r', '\n'}, 1, 1, true};
constexpr int64_t page = header_page, largest_channel = int64_t{1} << 46;

struct ChannelHeader {
  Head head;
  int64_t slot_bytes, schema_bytes;
  uint64_t owner_pid, owner_start;
  uint32_t mode, overflow, slots, members, deliveries, max_held, control_bytes, schema_crc, flags;
  uint8_t reserved[136];
  uint32_t crc;  // of all bytes before it
};
static_assert(offsetof(ChannelHeader, mode) == 80, "the layout is the format");

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
  check_range("slots", r.slots, 1, max_slots);
  check_range("members", r.members, 1, r.mode == ChannelMode::broadcast ? max_subscribers : max_members);
  check_range("deliveries", r.deliveries, 1, max_deliveries);
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
  return has_magic(page_bytes, channel_kind);
}

void write_channel_header(char* to, const ChannelFacts& f) {
  ChannelHeader h = {};
  h.slot_bytes = f.slot_bytes;
  h.schema_bytes = f.schema_bytes;
  h.owner_pid = f.owner.pid;
  h.owner_start = f.owner.start;
  h.mode = static_cast<uint32_t>(f.rules.mode);
  h.overflow = static_cast<uint32_t>(f.rules.overflow);
  h.slots = f.rules.slots;
  h.members = f.rules.members;
  h.deliveries = f.rules.deliveries;
  h.max_held = f.max_held;
  h.control_bytes = sizeof(Control);
  h.schema_crc = f.schema_crc;
  h.flags = f.keep;
  write_first_page(to, h, channel_kind, channel_layout(f).total);
}

ChannelFacts read_channel_header(std::string_view bytes, int64_t file_bytes, const std::string& where) {
  auto h = read_first_page<ChannelHeader>(bytes, file_bytes, channel_kind, where);
  ChannelFacts f;
  f.rules = {static_cast<ChannelMode>(h.mode), static_cast<Overflow>(h.overflow), h.slots, h.members, h.deliveries};
  f.max_held = h.max_held;
  f.slot_bytes = h.slot_bytes;
  f.schema_bytes = h.schema_bytes;
  f.schema_crc = h.schema_crc;
  f.keep = h.flags & 1;
  f.owner = {h.owner_pid, h.owner_start};
  try {
    check_rules(f.rules);
    if (h.control_bytes != sizeof(Control) || h.flags > 1 || f.schema_bytes < 1 || f.slot_bytes < 0 ||
        channel_layout(f).total != file_bytes)
      throw damaged("the numbers of the header contradict each other, or the size of the file", where);
  } catch (const Error& e) {
    throw damaged(e.what(), where);
  }
  if (!all_zero({reinterpret_cast<const char*>(h.reserved), sizeof h.reserved}) || !all_zero(bytes.substr(sizeof h)))
    throw damaged("reserved bytes are in use", where);
  return f;
}

}  // namespace td::shm
