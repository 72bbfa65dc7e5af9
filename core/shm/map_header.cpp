#include "core/shm/map_header.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "core/error.h"
#include "core/shm/crc32c.h"
#include "core/shm/header.h"

namespace td::shm {

namespace {

constexpr char map_magic[8] = {'T', 'D', 'I', 'M', 'A', 'P', '\r', '\n'};
constexpr uint32_t map_version = 1, map_endian = 0x01020304, most_generations = 32;
constexpr int64_t map_page = 4096, largest_map = int64_t{1} << 46, largest_origin = int64_t{1} << 40;
constexpr uint64_t least_slots = 512;  // a page of them

struct MapHeader {
  char magic[8];
  uint32_t layout, min_reader, endian, page_bytes;
  uint8_t uuid[16];
  int64_t total_bytes;
  uint64_t capacity, first_slots;
  int64_t origin_bytes;
  uint64_t holes, owner_pid, owner_start;
  uint32_t generations, origin_crc, flags;
  uint8_t reserved[144];
  uint32_t crc;  // of all bytes before it
};
static_assert(std::is_trivially_copyable<MapHeader>::value && sizeof(MapHeader) == 256 &&
                  offsetof(MapHeader, total_bytes) == 40 && offsetof(MapHeader, generations) == 96 &&
                  offsetof(MapHeader, crc) == 252,
              "the layout is the format");

uint32_t crc_of(const MapHeader& h) {
  return crc32c({reinterpret_cast<const char*>(&h), offsetof(MapHeader, crc)});
}

int64_t pages(int64_t bytes) {
  return (bytes + map_page - 1) / map_page * map_page;
}

uint64_t slots_for_hashes(uint64_t n) {  // at most four of five are used
  return (std::max(least_slots, n + n / 4 + 8) + least_slots - 1) / least_slots * least_slots;
}

bool sensible(const MapFacts& f) {
  const MapShape& s = f.shape;
  if (s.capacity == 0 || s.capacity > static_cast<uint64_t>(IndexTable::limit) || s.generations == 0 ||
      s.generations > most_generations || s.first_slots < least_slots || s.first_slots % least_slots != 0 ||
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
  if (!sensible(f)) throw Error(Code::nospace, "the map is larger than any file");
  MapLayout l = {};
  l.words = map_page;
  l.origin = 2 * map_page;
  l.hashes = l.origin + pages(f.origin_bytes);
  l.slots = l.hashes + pages(static_cast<int64_t>(f.shape.capacity) * 8);
  l.total = l.slots + static_cast<int64_t>(f.shape.all_slots()) * 8;
  return l;
}

bool has_map_magic(std::string_view page) {
  return page.size() >= sizeof map_magic && std::memcmp(page.data(), map_magic, sizeof map_magic) == 0;
}

void write_map_header(char* to, const MapFacts& f) {
  MapHeader h = {};
  std::memcpy(h.magic, map_magic, sizeof h.magic);
  h.layout = map_version;
  h.min_reader = map_version;
  h.endian = map_endian;
  h.page_bytes = map_page;
  random_bytes(h.uuid, sizeof h.uuid);
  h.total_bytes = map_layout(f).total;
  h.capacity = f.shape.capacity;
  h.first_slots = f.shape.first_slots;
  h.generations = f.shape.generations;
  h.origin_bytes = f.origin_bytes;
  h.origin_crc = f.origin_crc;
  h.holes = f.holes;
  h.owner_pid = f.owner.pid;
  h.owner_start = f.owner.start;
  h.flags = f.keep;
  h.crc = crc_of(h);
  std::memset(to, 0, map_page);
  std::memcpy(to, &h, sizeof h);
}

MapFacts read_map_header(std::string_view bytes, int64_t file_bytes, const std::string& where) {
  auto corrupt = [&](const char* why) {
    return Error(Code::corrupt, why).where(where).hint("remove it and let its owner make it again");
  };
  if (!has_map_magic(bytes)) throw Error(Code::corrupt, "it is not the file of a map").where(where);
  if (bytes.size() < static_cast<size_t>(map_page)) throw corrupt("the map is cut inside its header");
  MapHeader h;
  std::memcpy(&h, bytes.data(), sizeof h);
  if (h.endian != map_endian)
    throw Error(h.crc == crc_of(h) ? Code::version : Code::corrupt, "the map has another byte order").where(where);
  if (h.crc != crc_of(h)) throw corrupt("the checksum of the header is wrong");
  if (h.min_reader > map_version || h.layout != map_version)
    throw Error(Code::version, "the map has layout " + std::to_string(h.layout) + "; this library has layout " +
                                   std::to_string(map_version))
        .where(where)
        .hint("use the same version of the library in all processes");
  MapFacts f;
  f.shape = {h.capacity, h.first_slots, h.generations};
  f.origin_bytes = h.origin_bytes;
  f.origin_crc = h.origin_crc;
  f.holes = h.holes;
  f.owner = {h.owner_pid, h.owner_start};
  f.keep = h.flags & 1;
  if (h.page_bytes != map_page || h.flags > 1 || !sensible(f) || h.total_bytes != file_bytes ||
      map_layout(f).total != file_bytes)
    throw corrupt("the numbers of the header contradict each other, or the size of the file");
  for (size_t i = offsetof(MapHeader, reserved); i < static_cast<size_t>(map_page); ++i)
    if (bytes[i] != 0 && (i < offsetof(MapHeader, crc) || i >= sizeof h)) throw corrupt("reserved bytes are in use");
  return f;
}

}  // namespace td::shm
