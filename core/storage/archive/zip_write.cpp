#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "core/storage/archive/zip.h"

namespace td::storage::zip {

namespace {

// What Python's zipfile writes in 32 bits, and how many entries it counts in 16.
constexpr int64_t largest_plain = (int64_t{1} << 31) - 1;
constexpr size_t max_plain = 0xFFFF;
constexpr uint16_t unix_system = 3, utf8 = 0x800, has_end_mark = 2, pad_block = 0x6474;
constexpr int64_t dos_begins = 315532800, dos_ends = 4354819199;  // 1980 to 2107, in seconds since 1970
constexpr int64_t alignment = 64, header_size = 30, pad_header = 4, zip64_size = 20;

template <class T>
void append(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

uint16_t flags(const Entry& e) {
  bool ascii = std::all_of(e.name.begin(), e.name.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  return static_cast<uint16_t>((ascii ? 0 : utf8) | (e.method == lzma ? has_end_mark : 0));
}

// Which version of the format knows all of it.
constexpr uint16_t version = 45;
uint16_t version_of(const Entry& e) {
  return e.method == lzma ? 63 : version;
}

std::string pad(const Entry& e) {
  int64_t start = e.header + header_size + static_cast<int64_t>(e.name.size()) + pad_header + zip64_size;
  auto zeros = static_cast<size_t>((alignment - start % alignment) % alignment);
  std::string block;
  append(block, pad_block);
  append(block, static_cast<uint16_t>(zeros));
  return block + std::string(zeros, '\0');
}

uint32_t narrow(int64_t n) {
  return n > largest_plain ? 0xFFFFFFFF : static_cast<uint32_t>(n);
}

}  // namespace

std::string local_header(const Entry& e, bool aligned, uint32_t dos_time) {
  std::string blocks = aligned ? pad(e) : "", out = "PK\3\4";
  append(out, version_of(e));
  append(out, flags(e));
  append(out, e.method);
  append(out, dos_time);
  append(out, e.crc);
  append(out, uint64_t{0xFFFFFFFFFFFFFFFF});  // both sizes stand in the zip64 block
  append(out, static_cast<uint16_t>(e.name.size()));
  append(out, static_cast<uint16_t>(blocks.size() + zip64_size));
  out += e.name + blocks;
  append(out, uint16_t{1});
  append(out, uint16_t{16});
  append(out, e.size);
  append(out, e.packed);
  return out;
}

std::string central_record(const Entry& e, bool aligned, uint32_t dos_time) {
  std::string wide, blocks, out = "PK\1\2";
  bool large = e.size > largest_plain || e.packed > largest_plain;
  if (large) append(wide, e.size), append(wide, e.packed);
  if (e.header > largest_plain) append(wide, e.header);
  if (!wide.empty()) {
    append(blocks, uint16_t{1});
    append(blocks, static_cast<uint16_t>(wide.size()));
    blocks += wide;
  }
  if (aligned) blocks += pad(e);
  append(out, static_cast<uint16_t>(unix_system << 8 | version_of(e)));
  append(out, version_of(e));
  append(out, flags(e));
  append(out, e.method);
  append(out, dos_time);
  append(out, e.crc);
  append(out, large ? 0xFFFFFFFF : narrow(e.packed));
  append(out, large ? 0xFFFFFFFF : narrow(e.size));
  append(out, static_cast<uint16_t>(e.name.size()));
  append(out, static_cast<uint16_t>(blocks.size()));
  append(out, uint32_t{0});  // no comment, first disk
  append(out, uint16_t{0});  // no internal attributes
  append(out, static_cast<uint32_t>(0644) << 16);
  append(out, narrow(e.header));
  return out + e.name + blocks;
}

std::string end_records(size_t entries, int64_t directory, int64_t directory_size) {
  std::string out;
  if (entries > max_plain || directory > largest_plain || directory_size > largest_plain) {
    out += "PK\6\6";
    append(out, uint64_t{44});
    append(out, version);
    append(out, version);
    append(out, uint64_t{0});
    append(out, uint64_t{entries});
    append(out, uint64_t{entries});
    append(out, directory_size);
    append(out, directory);
    out += "PK\6\7";
    append(out, uint32_t{0});
    append(out, directory + directory_size);
    append(out, uint32_t{1});
  }
  out += "PK\5\6";
  append(out, uint32_t{0});
  append(out, static_cast<uint16_t>(std::min(entries, max_plain)));
  append(out, static_cast<uint16_t>(std::min(entries, max_plain)));
  append(out, static_cast<uint32_t>(std::min<int64_t>(directory_size, 0xFFFFFFFF)));
  append(out, static_cast<uint32_t>(std::min<int64_t>(directory, 0xFFFFFFFF)));
  append(out, uint16_t{0});
  return out;
}

// A build that has to give the same bytes each time says when it is (reproducible-builds.org, SOURCE_DATE_EPOCH).
uint32_t dos_time_now() {
  std::tm t{};
  int64_t seconds = 0;
  const char* given = std::getenv("SOURCE_DATE_EPOCH");
  const char* end = given ? given + std::strlen(given) : nullptr;
  if (given && std::from_chars(given, end, seconds).ptr == end && seconds >= dos_begins && seconds <= dos_ends) {
    std::time_t then = seconds;
    gmtime_r(&then, &t);  // the same in every time zone
  } else {
    std::time_t now = std::time(nullptr);
    localtime_r(&now, &t);
  }
  auto date = static_cast<uint32_t>((t.tm_year - 80) << 9 | (t.tm_mon + 1) << 5 | t.tm_mday);
  auto time = static_cast<uint32_t>(t.tm_hour << 11 | t.tm_min << 5 | t.tm_sec / 2);
  return date << 16 | time;
}

}  // namespace td::storage::zip
