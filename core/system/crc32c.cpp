#include "core/system/crc32c.h"

#include <cstring>

#include <boost/crc.hpp>

namespace td::shm {

namespace {

uint32_t by_table(std::string_view bytes) {
  boost::crc_optimal<32, 0x1EDC6F41, 0xFFFFFFFF, 0xFFFFFFFF, true, true> crc;
  crc.process_bytes(bytes.data(), bytes.size());
  return static_cast<uint32_t>(crc.checksum());
}

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) uint32_t by_instruction(std::string_view bytes) {
  uint64_t crc = 0xFFFFFFFF, word;
  for (; bytes.size() >= sizeof word; bytes.remove_prefix(sizeof word)) {
    std::memcpy(&word, bytes.data(), sizeof word);
    crc = __builtin_ia32_crc32di(crc, word);
  }
  auto rest = static_cast<uint32_t>(crc);
  for (char c : bytes) rest = __builtin_ia32_crc32qi(rest, static_cast<unsigned char>(c));
  return ~rest;
}
#endif

}  // namespace

uint32_t crc32c(std::string_view bytes) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("sse4.2")) return by_instruction(bytes);
#endif
  return by_table(bytes);
}

}  // namespace td::shm
