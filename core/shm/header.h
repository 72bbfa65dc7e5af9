// The first page of a segment. Everything but the version counter is fixed before the segment gets its name.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/shm/control.h"
#include "core/shm/first_page.h"
#include "core/system/platform.h"

namespace td::shm {

inline constexpr int64_t tensor_alignment = 64, footer_size = 8;

// The numbers of one segment, as its header tells them.
struct Facts {
  int64_t total_bytes = 0, meta_offset = 0, meta_bytes = 0;
  uint32_t meta_crc = 0;
  Process owner;
  uint64_t owner_byte = 0;  // that the owner holds in the registry
  bool keep = false;        // the name outlives the owner
  unsigned snapshots = 0;   // buffers behind the first, each of the same size
  int64_t data_bytes = 0;   // of the tensors

  int64_t stride() const {
    return snapshots == 0 ? data_bytes : (data_bytes + header_page - 1) / header_page * header_page;
  }
};

// Writes the page; the counter starts at 0.
void write_header(char* page, const Facts& facts);

// Checks a private copy of the page of a file of `file_bytes` bytes as if its checksum were forged. Throws
// Error(corrupt) or Error(version).
Facts read_header(std::string_view page, int64_t file_bytes, const std::string& where);

// True if the page begins as a segment does, of whatever version.
bool has_magic(std::string_view page);

// The counter in a mapped page: in shared memory, so it must be free of locks.
using Counter = std::atomic<uint64_t>;
static_assert(Counter::is_always_lock_free, "a lock would be private to one process");
Counter& counter(char* page);
// The half of it that each change changes: what those who wait for a change sleep on.
HalfWord& changing_half(char* page);

}  // namespace td::shm
