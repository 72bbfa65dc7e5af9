#include "core/shm/header.h"

#include <cstddef>

#include "core/error.h"
#include "core/shm/snapshot_words.h"

namespace td::shm {

namespace {

constexpr FileKind segment_kind = {"segment", {'T', 'D', 'S', 'E', 'G', '\r', '\n', '\x1a'}, 1, 1, false};

struct Header {
  Head head;
  int64_t data_offset, meta_offset, meta_bytes;
  uint64_t owner_pid, owner_start;
  uint32_t flags, meta_crc;
  uint64_t owner_byte;
  int64_t data_bytes;
  uint32_t snapshots;
  uint8_t reserved[136];
  uint32_t crc;  // of all bytes before it
};
static_assert(offsetof(Header, flags) == 88 && offsetof(Header, owner_byte) == 96, "the layout is the format");

// Behind the header, on a cache line of its own; then come the words of the snapshots, if there are any, and zeros.
constexpr size_t counter_offset = sizeof(Header), words_end = snapshot_words_offset + sizeof(SnapshotWords);
constexpr uint32_t keep_flag = 1;

bool in_bounds(const Header& h) {
  bool counts = h.snapshots == 0 || (h.snapshots >= 2 && h.snapshots <= max_snapshots);
  if (!counts || h.data_bytes < 0 || h.data_bytes > h.meta_offset - header_page) return false;
  Facts f;
  f.snapshots = h.snapshots;
  f.data_bytes = h.data_bytes;
  return f.stride() == (h.meta_offset - header_page) / (h.snapshots + 1) &&
         (h.meta_offset - header_page) % (h.snapshots + 1) == 0;
}

}  // namespace

Counter& counter(char* page) {
  static_assert(sizeof(Counter) == sizeof(uint64_t), "the counter is one word of the format");
  return *reinterpret_cast<Counter*>(page + counter_offset);
}

HalfWord& changing_half(char* page) {
  constexpr size_t low = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? 0 : sizeof(HalfWord);
  return *reinterpret_cast<HalfWord*>(page + counter_offset + low);
}

bool has_magic(std::string_view page) {
  return has_magic(page, segment_kind);
}

void write_header(char* page, const Facts& facts) {
  Header h = {};
  h.data_offset = header_page;
  h.meta_offset = facts.meta_offset;
  h.meta_bytes = facts.meta_bytes;
  h.owner_pid = facts.owner.pid;
  h.owner_start = facts.owner.start;
  h.meta_crc = facts.meta_crc;
  h.owner_byte = facts.owner_byte;
  h.data_bytes = facts.data_bytes;
  h.snapshots = facts.snapshots;
  h.flags = facts.keep ? keep_flag : 0;
  write_first_page(page, h, segment_kind, facts.total_bytes);
}

Facts read_header(std::string_view page, int64_t file_bytes, const std::string& where) {
  auto h = read_first_page<Header>(page, file_bytes, segment_kind, where);
  if (h.data_offset != header_page) throw damaged("the header has another size", where);
  bool meta_inside = h.meta_offset >= header_page && h.meta_bytes > 0 && h.meta_offset <= file_bytes - footer_size &&
                     h.meta_bytes == file_bytes - footer_size - h.meta_offset;
  if (!meta_inside || !in_bounds(h)) throw damaged("the metadata is not where the header says", where);
  // A newer layout that old readers may read can use these bytes.
  if (h.head.layout == segment_kind.layout &&
      ((h.flags & ~keep_flag) != 0 || !all_zero({reinterpret_cast<const char*>(h.reserved), sizeof h.reserved}) ||
       !all_zero(
           page.substr(counter_offset + sizeof(Counter), snapshot_words_offset - counter_offset - sizeof(Counter))) ||
       !all_zero(page.substr(h.snapshots ? words_end : snapshot_words_offset))))
    throw damaged("reserved bytes are in use", where);
  Facts f;
  f.total_bytes = file_bytes;
  f.meta_offset = h.meta_offset;
  f.meta_bytes = h.meta_bytes;
  f.meta_crc = h.meta_crc;
  f.owner = {h.owner_pid, h.owner_start};
  f.owner_byte = h.owner_byte;
  f.keep = h.flags & keep_flag;
  f.snapshots = h.snapshots;
  f.data_bytes = h.data_bytes;
  return f;
}

}  // namespace td::shm
