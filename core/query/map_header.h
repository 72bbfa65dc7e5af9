// The first page of the file of an index map, fixed before the file gets its name:
//   [header page][words, a page][origin: what made the hashes][hashes, 8 bytes each][tables of slots, 8 bytes each]
// each at a multiple of a page. What is not in use yet are holes in the file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/query/map_words.h"
#include "core/system/platform.h"

namespace td::shm {

// The numbers of one map, as its header tells them.
struct MapFacts {
  MapShape shape;
  int64_t origin_bytes = 0;
  uint32_t origin_crc = 0;
  uint64_t holes = 0;  // indices without a row, among the first ones
  Process owner;
  bool keep = false;  // the name outlives its writers
};
inline constexpr int64_t map_writer_byte = 0;  // of the file, locked by the one who writes

struct MapLayout {
  int64_t words, origin, hashes, slots, total;
};
// Follows from the facts. Throws Error(nospace) if that is more than a file can hold.
MapLayout map_layout(const MapFacts& facts);

// A shape with room for `used` hashes at once and for `capacity` later on.
MapShape map_shape(uint64_t used, uint64_t capacity);

void write_map_header(char* page, const MapFacts& facts);

// Checks a private copy of the page of a file of `file_bytes` bytes as if its checksum were forged. Throws
// Error(corrupt) or Error(version).
MapFacts read_map_header(std::string_view page, int64_t file_bytes, const std::string& where);

bool has_map_magic(std::string_view page);

}  // namespace td::shm
