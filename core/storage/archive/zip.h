// The zip container: where the entries of an archive lie, read as if its writer were an enemy, and the bytes around
// them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/storage/memmap/mapped_file.h"

namespace td::storage::zip {

enum Method : uint16_t { stored = 0, deflated = 8, bzip2 = 12, lzma = 14 };

struct Entry {
  std::string name;  // UTF-8, its parts separated by '/'; a directory ends with one
  uint16_t method = stored, flags = 0;
  uint32_t crc = 0;
  int64_t header = 0, payload = 0;  // offsets in the file
  int64_t packed = 0, size = 0;
  int64_t record = 0;  // offset in the file of its record in the central directory
};

// Maps the file and checks every entry in both places that describe it: names, extents that lie in the file and do not
// overlap, no name twice or outside the archive, no encryption. Throws Error(corrupt), Error(unsupported).
std::vector<Entry> read_directory(MappedFile& file);

// "deflate", as errors call it.
std::string method_name(uint16_t method);

uint32_t crc32(uint32_t before, const void* bytes, size_t size);
uint32_t joint_crc32(uint32_t first, uint32_t second, int64_t second_size);  // of the two one behind the other

// Throws Error(corrupt) if no stream of so many bytes grows to what the entry says: that needs no memory.
void check_growth(const Entry& entry, const std::string& where);

// Exactly `size` bytes to `out`. Throws Error(corrupt), or Error(unsupported) for methods that this build lacks.
void unpack(const Entry& entry, const char* packed, char* out, const std::string& where);
// The same for an entry that is packed, without memory for what comes out.
void verify(const Entry& entry, const char* packed, const std::string& where);

// ---- Writing --------------------------------------------------------------------------------------------------------

// Header and central record as Python's zipfile writes them, with a block that moves the payload of `aligned` entries
// to a multiple of 64.
std::string local_header(const Entry& entry, bool aligned, uint32_t dos_time);
std::string central_record(const Entry& entry, bool aligned, uint32_t dos_time);
std::string end_records(size_t entries, int64_t directory, int64_t directory_size);

uint32_t dos_time_now();  // the date in the upper half

}  // namespace td::storage::zip
