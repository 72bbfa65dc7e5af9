#include "core/shm/header.h"

#include <cstddef>
#include <cstring>
#include <type_traits>

#include "core/error.h"
#include "core/shm/crc32c.h"
#include "core/shm/snapshot_words.h"

namespace td::shm {

namespace {

constexpr char segment_magic[8] = {'T', 'D', 'S', 'E', 'G', '\r', '\n', '\x1a'};
constexpr uint32_t layout_version = 1, min_reader_version = 1, endian_tag = 0x01020304;

// The file format: fixed widths, the byte order of endian_tag. Fields never move; new ones take reserved bytes.
struct Header {
  char magic[8];
  uint32_t layout, min_reader, endian, page_bytes;
  uint8_t uuid[16];
  int64_t total_bytes, data_offset, meta_offset, meta_bytes;
  uint64_t owner_pid, owner_start;
  uint32_t flags, meta_crc;
  uint64_t owner_byte;
  int64_t data_bytes;
  uint32_t snapshots;
  uint8_t reserved[136];
  uint32_t crc;  // of all bytes before it
};
static_assert(std::is_trivially_copyable<Header>::value && std::is_standard_layout<Header>::value &&
                  sizeof(Header) == 256,
              "the layout is the format");
static_assert(offsetof(Header, uuid) == 24 && offsetof(Header, total_bytes) == 40 && offsetof(Header, flags) == 88 &&
                  offsetof(Header, owner_byte) == 96 && offsetof(Header, crc) == 252,
              "the layout is the format");

// Behind the header, on a cache line of its own; then come the words of the snapshots, if there are any, and zeros.
constexpr size_t counter_offset = sizeof(Header), words_end = snapshot_words_offset + sizeof(SnapshotWords);
constexpr uint32_t keep_flag = 1;

bool in_bounds(const Header& h) {
  bool counts = h.snapshots == 0 || (h.snapshots >= 2 && h.snapshots <= most_snapshots);
  if (!counts || h.data_bytes < 0 || h.data_bytes > h.meta_offset - header_page) return false;
  Facts f;
  f.snapshots = h.snapshots;
  f.data_bytes = h.data_bytes;
  return f.stride() == (h.meta_offset - header_page) / (h.snapshots + 1) &&
         (h.meta_offset - header_page) % (h.snapshots + 1) == 0;
}

uint32_t crc_of(const Header& h) {
  return crc32c({reinterpret_cast<const char*>(&h), offsetof(Header, crc)});
}

bool all_zero(std::string_view bytes) {
  return bytes.empty() || (bytes[0] == 0 && std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0);
}

}  // namespace

Counter& counter(char* page) {
  static_assert(sizeof(Counter) == sizeof(uint64_t), "the counter is one word of the format");
  return *reinterpret_cast<Counter*>(page + counter_offset);
}

bool has_magic(std::string_view page) {
  return page.size() >= sizeof segment_magic && std::memcmp(page.data(), segment_magic, sizeof segment_magic) == 0;
}

void write_header(char* page, const Facts& facts) {
  Header h = {};
  std::memcpy(h.magic, segment_magic, sizeof h.magic);
  h.layout = layout_version;
  h.min_reader = min_reader_version;
  h.endian = endian_tag;
  h.page_bytes = header_page;
  random_bytes(h.uuid, sizeof h.uuid);
  h.total_bytes = facts.total_bytes;
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
  h.crc = crc_of(h);
  std::memset(page, 0, header_page);
  std::memcpy(page, &h, sizeof h);
}

Facts read_header(std::string_view page, int64_t file_bytes, const std::string& where) {
  auto corrupt = [&](const char* why) {
    return Error(Code::corrupt, why).where(where).hint("remove it and let its owner create it again");
  };
  if (!has_magic(page)) throw Error(Code::corrupt, "it is not a segment").where(where);
  if (page.size() < static_cast<size_t>(header_page)) throw corrupt("the segment is cut inside its header");
  Header h;
  std::memcpy(&h, page.data(), sizeof h);
  if (h.endian != endian_tag)
    throw Error(h.crc == crc_of(h) ? Code::version : Code::corrupt, "the segment has another byte order").where(where);
  if (h.crc != crc_of(h)) throw corrupt("the checksum of the header is wrong");
  if (h.min_reader > layout_version)
    throw Error(Code::version, "the segment has layout " + std::to_string(h.layout) + " for readers of layout " +
                                   std::to_string(h.min_reader) + "; this library reads layout " +
                                   std::to_string(layout_version))
        .where(where)
        .hint("use the same version of the library in all processes");
  if (h.page_bytes != header_page || h.data_offset != header_page) throw corrupt("the header has another size");
  if (h.total_bytes != file_bytes) throw corrupt("the segment has another size than its header says");
  bool meta_inside = h.meta_offset >= header_page && h.meta_bytes > 0 && h.meta_offset <= file_bytes - footer_size &&
                     h.meta_bytes == file_bytes - footer_size - h.meta_offset;
  if (!meta_inside || !in_bounds(h)) throw corrupt("the metadata is not where it must be");
  // A newer layout that old readers may read can use these bytes.
  if (h.layout == layout_version &&
      ((h.flags & ~keep_flag) != 0 || !all_zero({reinterpret_cast<const char*>(h.reserved), sizeof h.reserved}) ||
       !all_zero(
           page.substr(counter_offset + sizeof(Counter), snapshot_words_offset - counter_offset - sizeof(Counter))) ||
       !all_zero(page.substr(h.snapshots ? words_end : snapshot_words_offset))))
    throw corrupt("reserved bytes are in use");
  return {h.total_bytes,
          h.meta_offset,
          h.meta_bytes,
          h.meta_crc,
          {h.owner_pid, h.owner_start},
          h.owner_byte,
          (h.flags & keep_flag) != 0,
          h.snapshots,
          h.data_bytes};
}

}  // namespace td::shm
