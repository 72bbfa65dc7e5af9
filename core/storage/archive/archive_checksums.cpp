#include <cerrno>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include "core/error.h"
#include "core/storage/archive/archive.h"
#include "core/storage/archive/zip.h"
#include "core/storage/memmap/mapped_file.h"

namespace td::storage {

namespace {

// Where a header, a record of the directory and a descriptor behind the payload have the checksum.
constexpr int64_t crc_in_header = 14, crc_in_record = 16;
constexpr uint16_t described_behind = 8;

void write_crc(const Fd& file, int64_t offset, uint32_t crc, const std::string& path) {
  if (pwrite(file.get(), &crc, sizeof crc, offset) != static_cast<ssize_t>(sizeof crc))
    throw os_error(errno, "write a checksum", path);
}

uint32_t crc_of(const MappedFile& file, const zip::Entry& e) {
  return e.size == 0 ? 0 : zip::crc32(0, file.mapping()->data() + e.payload, static_cast<size_t>(e.size));
}

}  // namespace

void verify_archive(const std::string& path) {
  MappedFile file(path, Mode::read);
  for (const zip::Entry& e : zip::read_directory(file)) {
    std::string where = path + "::" + e.name;
    if (e.method != zip::stored) {
      zip::check_growth(e, where);
      zip::verify(e, file.mapping()->data() + e.payload, where);
    } else if (crc_of(file, e) != e.crc) {
      throw Error(Code::corrupt, "the checksum of the entry is wrong")
          .where(where)
          .hint_naming("the archive is damaged, or was written in place: {archive_refresh_checksums}");
    }
  }
}

void refresh_checksums(const std::string& path) {
  MappedFile file(path, Mode::read_write);
  std::vector<zip::Entry> entries = zip::read_directory(file);
  Fd writable(::open(path.c_str(), O_RDWR | O_CLOEXEC));
  if (!writable) throw os_error(errno, "open", path);
  for (const zip::Entry& e : entries) {
    if (e.method != zip::stored) continue;  // was not written in place
    uint32_t crc = crc_of(file, e);
    if (crc == e.crc) continue;
    int64_t in_header = e.header + crc_in_header;
    if (e.flags & described_behind) {
      std::string mark = read_bytes(writable, e.payload + e.packed, 4, path);
      in_header = e.payload + e.packed + (mark == "PK\7\b" ? 4 : 0);
    }
    write_crc(writable, in_header, crc, path);
    write_crc(writable, e.record + crc_in_record, crc, path);
  }
}

}  // namespace td::storage
