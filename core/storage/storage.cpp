#include "core/storage/storage.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>

#include "core/error.h"
#include "core/storage/archive/archive.h"
#include "core/storage/consolidated.h"
#include "core/storage/formats.h"
#include "core/storage/hdf5.h"
#include "core/storage/memmap/memmap.h"
#include "core/storage/safetensors.h"
#include "core/storage/torch_save/torch_save.h"
#include "core/system/file.h"

namespace td::storage {

namespace {

// One line a format: its codec, null where this build has none.
struct Codec {
  Format format;
  NodePtr (*open)(const std::string& path, const OpenOptions& options);
  void (*save)(const Node& node, const std::string& path, const SaveOptions& options);
};

#if !TD_HAS_ZLIB
constexpr std::nullptr_t open_archive = nullptr, save_archive = nullptr, open_torch_save = nullptr;
#endif

constexpr Codec codecs[] = {
    {Format::memmap, open_memmap, save_memmap},
    {Format::consolidated, open_consolidated, save_consolidated},
    {Format::archive, open_archive, save_archive},
    {Format::hdf5, open_hdf5, save_hdf5},
    {Format::safetensors, open_safetensors, save_safetensors},
    {Format::torch_save, open_torch_save, save_torch_save},
};

const Codec& codec_of(Format format) {
  for (const Codec& c : codecs)
    if (c.format == format) return c;
  throw Error(Code::argument, "no such format: " + std::to_string(static_cast<int>(format)));
}

uint64_t little_endian(const std::string& bytes) {
  uint64_t n;
  std::memcpy(&n, bytes.data(), sizeof n);
  return n;
}

constexpr std::string_view hdf5_magic = "\x89HDF\r\n\x1a\n";

// The number of bytes of a JSON object that a number of 8 bytes announces.
bool fits(uint64_t n, int64_t size) {
  return n >= 2 && size >= 8 && n <= static_cast<uint64_t>(size) - 8;
}

Format format_of_file(const Fd& file, const std::string& path) {
  int64_t size = size_of(file, path);
  std::string head = read_bytes(file, 0, std::min<int64_t>(size, torch_save_head), path);
  auto begins = [&](std::string_view magic) { return head.compare(0, magic.size(), magic) == 0; };
  if (begins(hdf5_magic)) return Format::hdf5;
  if (is_torch_save(head) || is_legacy_torch_save(head)) return Format::torch_save;
  if (begins("PK\3\4") || begins("PK\5\6")) return Format::archive;
  if (size >= 8) {
    uint64_t json = little_endian(read_bytes(file, size - 8, 8, path));
    if (fits(json, size) && read_bytes(file, size - 8 - static_cast<int64_t>(json), 1, path) == "{")
      return Format::consolidated;
  }
  if (head.size() >= 9 && head[8] == '{' && fits(little_endian(head), size)) return Format::safetensors;
  // Others' data may stand in front of HDF5's, which begins at 512 bytes or a doubling of it then.
  for (int64_t at = 512; at <= size - static_cast<int64_t>(hdf5_magic.size()); at *= 2)
    if (read_bytes(file, at, static_cast<int64_t>(hdf5_magic.size()), path) == hdf5_magic) return Format::hdf5;
  throw Error(Code::corrupt, "the format of the file is not known")
      .where(path)
      .hint("if the file was truncated, copy it again; otherwise name its format");
}

Format format_of_path(const std::string& path) {
  int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
    throw Error(Code::not_found, "there is no such file or directory").where(path);
  if (fd < 0) throw os_error(errno, "open", path);
  Fd file(fd);
  struct stat s;
  if (fstat(fd, &s) != 0) throw os_error(errno, "stat", path);
  if (S_ISDIR(s.st_mode)) return Format::memmap;
  if (!S_ISREG(s.st_mode)) throw Error(Code::corrupt, "it is neither a file nor a directory").where(path);
  return format_of_file(file, path);
}

[[noreturn]] void throw_no_codec(const Codec& c, const std::string& path) {
  throw Error(Code::unsupported, std::string("this build does not support the format ") + format_name(c.format))
      .where(path);
}

// What a dict refuses of a caller is damage where it comes from a file.
Error of_a_file(Error e, const std::string& path) {
  const bool damage = e.code() == Code::argument || e.code() == Code::shape || e.code() == Code::key;
  Error again(damage ? Code::corrupt : e.code(), e.message());
  return again.key(e.key()).where(e.where().empty() ? path : e.where()).hint(e.hint()).cause(e.cause());
}

[[noreturn]] void throw_untrusted(const std::string& path) {
  throw Error(Code::unsupported, "HDF5 files are opened only if they are trusted")
      .where(path)
      .hint(
          "libhdf5 does not validate files, and damaged ones crash it: if you trust the source of this one, name the "
          "format, "
          "HDF5, or say that it is trusted");
}

}  // namespace

#if !TD_HAS_ZLIB
void verify_archive(const std::string& path) {
  throw_no_codec(codec_of(Format::archive), path);
}
void refresh_checksums(const std::string& path) {
  throw_no_codec(codec_of(Format::archive), path);
}
#endif

NodePtr open(std::string_view given, const OpenOptions& options) {
  std::string path = checked_path(given);
  const Codec& c = codec_of(options.format == Format::automatic ? format_of_path(path) : options.format);
  if (!c.open) throw_no_codec(c, path);
  if (options.part.size() > 0 && c.format != Format::memmap && c.format != Format::archive)
    throw Error(Code::unsupported, std::string("a ") + format_name(c.format) + " cannot be opened in part")
        .where(path)
        .key(to_string(options.part))
        .hint("open all of it and take the dict at the key; memmap directories and archives are opened in part");
  // HDF5 is read only on request: an untrusted file must not reach the HDF5 library.
  if (c.format == Format::hdf5 && options.format == Format::automatic && !options.trusted) throw_untrusted(path);
  try {
    return c.open(path, options);
  } catch (Error& e) {
    throw of_a_file(std::move(e), path);
  }
}

void save(const Node& node, std::string_view given, const SaveOptions& options) {
  std::string path = checked_path(given);
  const Codec& c = codec_of(format_to_save(path, options.format));
  if (!c.save) throw_no_codec(c, path);
  c.save(node, path, options);
}

Format format_of(std::string_view path) {
  return format_of_path(checked_path(path));
}

}  // namespace td::storage
