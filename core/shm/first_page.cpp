#include "core/shm/first_page.h"

#include "core/system/crc32c.h"
#include "core/system/platform.h"

namespace td::shm {

namespace {

constexpr uint32_t byte_order = 0x01020304;
constexpr size_t crc_offset = 252;

}  // namespace

bool has_magic(std::string_view page, const FileKind& kind) {
  return page.size() >= sizeof kind.magic && std::memcmp(page.data(), kind.magic, sizeof kind.magic) == 0;
}

Head new_head(const FileKind& kind, int64_t total_bytes) {
  Head h = {};
  std::memcpy(h.magic, kind.magic, sizeof h.magic);
  h.layout = kind.layout;
  h.min_reader = kind.min_reader;
  h.endian = byte_order;
  h.page_bytes = header_page;
  random_bytes(h.uuid, sizeof h.uuid);
  h.total_bytes = total_bytes;
  return h;
}

uint32_t checksum(std::string_view page) {
  return crc32c(page.substr(0, crc_offset));
}

Error damaged(const std::string& why, const std::string& where) {
  return Error(Code::corrupt, why).where(where).hint("remove it and let its owner create it again");
}

bool all_zero(std::string_view bytes) {
  return bytes.empty() || (bytes[0] == 0 && std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0);
}

void check_first_page(std::string_view page, int64_t file_bytes, const FileKind& kind, const std::string& where) {
  const std::string name = kind.name;
  if (!has_magic(page, kind)) throw Error(Code::corrupt, "it is not a " + name).where(where);
  if (page.size() < static_cast<size_t>(header_page)) throw damaged("the " + name + " ends inside its header", where);
  Head h;
  uint32_t crc;
  std::memcpy(&h, page.data(), sizeof h);
  std::memcpy(&crc, page.data() + crc_offset, sizeof crc);
  bool right = crc == checksum(page);
  if (h.endian != byte_order)
    throw Error(right ? Code::version : Code::corrupt, "the " + name + " has another byte order").where(where);
  if (!right) throw damaged("the checksum of the header is wrong", where);
  if (h.min_reader > kind.layout || (kind.one_layout && h.layout != kind.layout))
    throw Error(Code::version, "the " + name + " has layout " + std::to_string(h.layout) + " for readers of layout " +
                                   std::to_string(h.min_reader) + "; this library has layout " +
                                   std::to_string(kind.layout))
        .where(where)
        .hint("use the same version of the library in all processes");
  if (h.page_bytes != header_page) throw damaged("the header has another size", where);
  if (h.total_bytes != file_bytes)
    throw damaged("the " + name + " does not have the size that its header states", where);
}

}  // namespace td::shm
