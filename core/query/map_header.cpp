#include "core/query/map_header.h"

#include <algorithm>

#include "core/error.h"
#include "core/shm/first_page.h"

namespace td::shm {

namespace {

constexpr FileKind map_kind = {"map", {'T', 'D', 'I', 'M', 'A', 'P', '\r', '\n'}, 1, 1, true};
constexpr uint32_t max_generations = 32;
constexpr int64_t map_page = header_page, largest_map = int64_t{1} << 46, largest_origin = int64_t{1} << 40;
constexpr uint64_t least_slots = 512;  // a page of them

struct MapHeader {
  Head head;
  uint64_t capacity, first_slots;
  int64_t origin_bytes;
  uint64_t holes, owner_pid, owner_start;
  uint32_t generations, origin_crc, flags;
  uint8_t reserved[144];
  uint32_t crc;  // of all bytes before it
};
static_assert(offsetof(MapHeader, generations) == 96, "the layout is the format");

int64_t pages(int64_t bytes) {
  return (bytes + map_page - 1) / map_page * map_page;
}

uint64_t slots_for_hashes(uint64_t n) {  // at most four of five are used
  return (std::max(least_slots, n + n / 4 + 8) + least_slots - 1) / least_slots * least_slots;
}

bool sensible(const MapFacts& f) {
  const MapShape& s = f.shape;
  if (s.capacity == 0 || s.capacity > static_cast<uint64_t>(IndexTable::limit) || s.generations == 0 ||
      s.generations > max_generations || s.first_slots < least_slots || s.first_slots % least_slots != 0 ||
      s.first_slots > static_cast<uint64_t>(largest_map) / 8 >> s.generations)
    return false;
  return s.slots(s.generations - 1) / 5 * 4 >= s.capacity && f.holes <= s.capacity && f.origin_bytes >= 0 &&
         f.origin_bytes <= largest_origin;
}

}  // namespace

MapShape map_shape(uint64_t used, uint64_t capacity) {
  MapShape s{capacity, slots_for_hashes(used), 1};
  while (s.slots(s.generations - 1) / 5 * 4 < capacity) ++s.generations;
  return s;
}

MapLayout map_layout(const MapFacts& f) {
  if (!sensible(f)) throw Error(Code::nospace, "the map would be larger than any file can be");
  MapLayout l = {};
  l.words = map_page;
  l.origin = 2 * map_page;
  l.hashes = l.origin + pages(f.origin_bytes);
  l.slots = l.hashes + pages(static_cast<int64_t>(f.shape.capacity) * 8);
  l.total = l.slots + static_cast<int64_t>(f.shape.all_slots()) * 8;
  return l;
}

bool has_map_magic(std::string_view page) {
  return has_magic(page, map_kind);
}

void write_map_header(char* to, const MapFacts& f) {
  MapHeader h = {};
  h.capacity = f.shape.capacity;
  h.first_slots = f.shape.first_slots;
  h.generations = f.shape.generations;
  h.origin_bytes = f.origin_bytes;
  h.origin_crc = f.origin_crc;
  h.holes = f.holes;
  h.owner_pid = f.owner.pid;
  h.owner_start = f.owner.start;
  h.flags = f.keep;
  write_first_page(to, h, map_kind, map_layout(f).total);
}

MapFacts read_map_header(std::string_view bytes, int64_t file_bytes, const std::string& where) {
  auto h = read_first_page<MapHeader>(bytes, file_bytes, map_kind, where);
  MapFacts f;
  f.shape = {h.capacity, h.first_slots, h.generations};
  f.origin_bytes = h.origin_bytes;
  f.origin_crc = h.origin_crc;
  f.holes = h.holes;
  f.owner = {h.owner_pid, h.owner_start};
  f.keep = h.flags & 1;
  if (h.flags > 1 || !sensible(f) || map_layout(f).total != file_bytes)
    throw damaged("the numbers in the header contradict each other or the size of the file", where);
  if (!all_zero({reinterpret_cast<const char*>(h.reserved), sizeof h.reserved}) || !all_zero(bytes.substr(sizeof h)))
    throw damaged("reserved bytes are in use", where);
  return f;
}

}  // namespace td::shm
