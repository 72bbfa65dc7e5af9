#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#include <zlib.h>

#include "core/error.h"
#include "core/storage/zip.h"

#if TD_HAS_BZIP2
#include <bzlib.h>
#endif
#if TD_HAS_LZMA
#include <lzma.h>
#endif
#if TD_HAS_LIBDEFLATE
#include <libdeflate.h>
#endif

namespace td::storage::zip {

namespace {

// The libraries count in 32 bits.
constexpr size_t largest_step = size_t{1} << 30;

Error bad_stream(const Entry& e, const std::string& where) {
  return Error(Code::corrupt, "the " + method_name(e.method) + " data of the entry is damaged")
      .where(where)
      .hint("the archive was cut or changed; copy it again");
}

// Feeds a decoder from `in` to `out` until its stream ends. `step` consumes and produces, moves both views, and says
// whether that was the end; it must move something or say so.
template <class Step>
void run_decoder(const Entry& e, const char* packed, char* out, const std::string& where, Step step) {
  std::string_view in(packed, static_cast<size_t>(e.packed));
  auto room = static_cast<size_t>(e.size);
  for (bool end = false; !end;) {
    size_t in_before = in.size(), room_before = room;
    end = step(in, out, room);
    if (!end && in.size() == in_before && room == room_before) throw bad_stream(e, where);
  }
  if (!in.empty() || room != 0) throw bad_stream(e, where);
}

void unpack_deflate(const Entry& e, const char* packed, char* out, const std::string& where) {
  z_stream z{};
  if (inflateInit2(&z, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
  struct End {
    z_stream* z;
    ~End() { inflateEnd(z); }
  } guard{&z};
  char spare;  // zlib wants somewhere to write also when nothing is left to write
  run_decoder(e, packed, out, where, [&](std::string_view& in, char*& to, size_t& room) {
    z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));
    uInt given = z.avail_in = static_cast<uInt>(std::min(in.size(), largest_step));
    uInt space = z.avail_out = static_cast<uInt>(std::min(room, largest_step));
    z.next_out = reinterpret_cast<Bytef*>(space ? to : &spare);
    int status = inflate(&z, Z_NO_FLUSH);
    if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) throw bad_stream(e, where);
    in.remove_prefix(given - z.avail_in);
    to += space - z.avail_out;
    room -= space - z.avail_out;
    return status == Z_STREAM_END;
  });
}

#if TD_HAS_BZIP2
void unpack_bzip2(const Entry& e, const char* packed, char* out, const std::string& where) {
  bz_stream z{};
  if (BZ2_bzDecompressInit(&z, 0, 0) != BZ_OK) throw std::bad_alloc();
  struct End {
    bz_stream* z;
    ~End() { BZ2_bzDecompressEnd(z); }
  } guard{&z};
  char spare;
  run_decoder(e, packed, out, where, [&](std::string_view& in, char*& to, size_t& room) {
    z.next_in = const_cast<char*>(in.data());
    unsigned given = z.avail_in = static_cast<unsigned>(std::min(in.size(), largest_step));
    unsigned space = z.avail_out = static_cast<unsigned>(std::min(room, largest_step));
    z.next_out = space ? to : &spare;
    int status = BZ2_bzDecompress(&z);
    if (status != BZ_OK && status != BZ_STREAM_END) throw bad_stream(e, where);
    in.remove_prefix(given - z.avail_in);
    to += space - z.avail_out;
    room -= space - z.avail_out;
    return status == BZ_STREAM_END;
  });
}
#endif

#if TD_HAS_LZMA
// Version of the SDK, size of the properties, properties, and a raw stream, with an end mark if a flag says so.
void unpack_lzma(const Entry& e, const char* packed, char* out, const std::string& where) {
  constexpr uint16_t has_end = 2;
  constexpr size_t properties = 5, before = 4;
  if (e.packed < static_cast<int64_t>(before + properties)) throw bad_stream(e, where);
  uint16_t size;
  std::memcpy(&size, packed + 2, sizeof size);
  lzma_filter filters[2] = {{LZMA_FILTER_LZMA1, nullptr}, {LZMA_VLI_UNKNOWN, nullptr}};
  if (size != properties ||
      lzma_properties_decode(&filters[0], nullptr, reinterpret_cast<const uint8_t*>(packed + before), properties) !=
          LZMA_OK)
    throw bad_stream(e, where);
  struct End {
    lzma_stream z = LZMA_STREAM_INIT;
    void* options;
    ~End() { lzma_end(&z), std::free(options); }
  } decoder{LZMA_STREAM_INIT, filters[0].options};
  // What a dictionary needs is bounded by what it can hold.
  auto& options = *static_cast<lzma_options_lzma*>(filters[0].options);
  options.dict_size = static_cast<uint32_t>(
      std::min<uint64_t>(options.dict_size, std::max<uint64_t>(LZMA_DICT_SIZE_MIN, static_cast<uint64_t>(e.size))));
  lzma_stream& z = decoder.z;
  if (lzma_raw_decoder(&z, filters) != LZMA_OK) throw bad_stream(e, where);
  Entry stream = e;
  stream.packed -= before + properties;
  run_decoder(stream, packed + before + properties, out, where, [&](std::string_view& in, char*& to, size_t& room) {
    z.next_in = reinterpret_cast<const uint8_t*>(in.data());
    z.avail_in = in.size();
    z.next_out = reinterpret_cast<uint8_t*>(to);
    z.avail_out = room;
    lzma_ret status = lzma_code(&z, LZMA_RUN);
    if (status != LZMA_OK && status != LZMA_STREAM_END && status != LZMA_BUF_ERROR) throw bad_stream(e, where);
    in.remove_prefix(in.size() - z.avail_in);
    to += room - z.avail_out;
    room = z.avail_out;
    return status == LZMA_STREAM_END || (room == 0 && in.empty() && !(e.flags & has_end));
  });
}
#endif

}  // namespace

#if TD_HAS_LIBDEFLATE
uint32_t crc32(uint32_t before, const void* bytes, size_t size) {
  return libdeflate_crc32(before, bytes, size);
}
#else
uint32_t crc32(uint32_t before, const void* bytes, size_t size) {
  const auto* p = static_cast<const Bytef*>(bytes);
  uLong crc = before;
  for (; size > 0; size -= std::min(size, largest_step)) {
    crc = ::crc32(crc, p, static_cast<uInt>(std::min(size, largest_step)));
    p += std::min(size, largest_step);
  }
  return static_cast<uint32_t>(crc);
}
#endif

uint32_t joint_crc32(uint32_t first, uint32_t second, int64_t second_size) {
  return static_cast<uint32_t>(crc32_combine(first, second, second_size));
}

void check_growth(const Entry& e, const std::string& where) {
  // The shortest code of the longest match; for bzip2 a block, and the runs in front of it.
  int64_t most = e.method == deflated ? 1032 : e.method == lzma ? 1 << 13 : e.method == bzip2 ? 1 << 21 : 0;
  if (most > 0 && e.size / most > e.packed)
    throw Error(Code::corrupt, "the entry says that it grows more than it can").where(where);
}

void unpack(const Entry& e, const char* packed, char* out, const std::string& where) {
  switch (e.method) {
    case stored:
      if (e.size > 0) std::memcpy(out, packed, static_cast<size_t>(e.size));
      break;
    case deflated:
      unpack_deflate(e, packed, out, where);
      break;
#if TD_HAS_BZIP2
    case bzip2:
      unpack_bzip2(e, packed, out, where);
      break;
#endif
#if TD_HAS_LZMA
    case lzma:
      unpack_lzma(e, packed, out, where);
      break;
#endif
    default:
      throw Error(Code::unsupported, "this build cannot unpack the method " + method_name(e.method))
          .where(where)
          .hint("unpack the archive with another tool, and open the directory");
  }
  if (crc32(0, out, static_cast<size_t>(e.size)) != e.crc)
    throw Error(Code::corrupt, "the checksum of the entry is wrong")
        .where(where)
        .hint("the archive was changed; copy it again");
}

}  // namespace td::storage::zip
