// The first page of every file in shared memory: 256 bytes that say what it is and how large, with a checksum at their
// end, and zeros up to the end of the page where its kind of file puts nothing else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

#include "core/error.h"

namespace td::shm {

inline constexpr int64_t header_page = 4096;

struct FileKind {
  const char* name;  // "segment"
  char magic[8];
  uint32_t layout, min_reader;  // of the files that this library writes
  bool one_layout;              // all who use the file must know all of its rules
};

// The file format: fixed widths, the byte order of the writer. Fields never move; new ones take reserved bytes.
struct Head {
  char magic[8];
  uint32_t layout, min_reader, endian, page_bytes;
  uint8_t uuid[16];
  int64_t total_bytes;
};
static_assert(sizeof(Head) == 48 && offsetof(Head, uuid) == 24 && offsetof(Head, total_bytes) == 40,
              "the layout is the format");

bool has_magic(std::string_view page, const FileKind& kind);  // of whatever layout

Head new_head(const FileKind& kind, int64_t total_bytes);
uint32_t checksum(std::string_view page);

// Checks a private copy of the page of a file of `file_bytes` bytes. Throws Error(corrupt) or Error(version).
void check_first_page(std::string_view page, int64_t file_bytes, const FileKind& kind, const std::string& where);

Error damaged(const std::string& why, const std::string& where);
bool all_zero(std::string_view bytes);

template <class Header>
constexpr bool is_header() {
  return std::is_trivially_copyable<Header>::value && std::is_standard_layout<Header>::value && sizeof(Header) == 256 &&
         offsetof(Header, head) == 0 && offsetof(Header, crc) == 252;
}

template <class Header>
void write_first_page(char* page, Header header, const FileKind& kind, int64_t total_bytes) {
  static_assert(is_header<Header>(), "the layout is the format");
  header.head = new_head(kind, total_bytes);
  header.crc = checksum({reinterpret_cast<const char*>(&header), sizeof header});
  std::memset(page, 0, header_page);
  std::memcpy(page, &header, sizeof header);
}

template <class Header>
Header read_first_page(std::string_view page, int64_t file_bytes, const FileKind& kind, const std::string& where) {
  static_assert(is_header<Header>(), "the layout is the format");
  check_first_page(page, file_bytes, kind, where);
  Header header;
  std::memcpy(&header, page.data(), sizeof header);
  return header;
}

}  // namespace td::shm
