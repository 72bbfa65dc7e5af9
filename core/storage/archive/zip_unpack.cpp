#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <vector>

#include <zlib.h>

#include "core/error.h"
#include "core/storage/archive/zip.h"

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
      .hint("the archive was truncated or changed; copy it again");
}

// Where a decoder writes to: all bytes of an entry, or one piece of them after the other, to look at them only.
struct Output {
  static constexpr size_t piece = size_t{1} << 20;

  char* at;
  size_t left;  // bytes that are still to come
  bool in_pieces;
  uint32_t crc = 0;  // of those that are there

  size_t room() const { return in_pieces ? std::min(left, piece) : left; }
  void took(size_t n) {
    crc = crc32(crc, at, n);
    left -= n;
    if (!in_pieces) at += n;
  }
};

// Feeds a decoder from `packed` to `out` until its stream ends. `step` consumes and produces, moves both views, and
// says whether that was the end; it must move something or say so. `last` tells it that no room comes after this.
template <class Step>
void run_decoder(const Entry& e, const char* packed, Output& out, const std::string& where, Step step) {
  std::string_view in(packed, static_cast<size_t>(e.packed));
  for (bool end = false; !end;) {
    size_t in_before = in.size(), room_before = out.room(), room = room_before;
    char* to = out.at;
    end = step(in, to, room, room == out.left);
    out.took(room_before - room);
    if (!end && in.size() == in_before && room == room_before) throw bad_stream(e, where);
  }
  if (!in.empty() || out.left != 0) throw bad_stream(e, where);
}

void unpack_deflate(const Entry& e, const char* packed, Output& out, const std::string& where) {
  z_stream z{};
  if (inflateInit2(&z, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
  struct End {
    z_stream* z;
    ~End() { inflateEnd(z); }
  } guard{&z};
  char spare;  // zlib wants somewhere to write also when nothing is left to write
  run_decoder(e, packed, out, where, [&](std::string_view& in, char*& to, size_t& room, bool) {
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
void unpack_bzip2(const Entry& e, const char* packed, Output& out, const std::string& where) {
  bz_stream z{};
  if (BZ2_bzDecompressInit(&z, 0, 0) != BZ_OK) throw std::bad_alloc();
  struct End {
    bz_stream* z;
    ~End() { BZ2_bzDecompressEnd(z); }
  } guard{&z};
  char spare;
  run_decoder(e, packed, out, where, [&](std::string_view& in, char*& to, size_t& room, bool) {
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
void unpack_lzma(const Entry& e, const char* packed, Output& out, const std::string& where) {
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
  run_decoder(stream, packed + before + properties, out, where,
              [&](std::string_view& in, char*& to, size_t& room, bool last) {
                z.next_in = reinterpret_cast<const uint8_t*>(in.data());
                z.avail_in = in.size();
                z.next_out = reinterpret_cast<uint8_t*>(to);
                z.avail_out = room;
                lzma_ret status = lzma_code(&z, LZMA_RUN);
                if (status != LZMA_OK && status != LZMA_STREAM_END && status != LZMA_BUF_ERROR)
                  throw bad_stream(e, where);
                in.remove_prefix(in.size() - z.avail_in);
                to += room - z.avail_out;
                room = z.avail_out;
                return status == LZMA_STREAM_END || (last && room == 0 && in.empty() && !(e.flags & has_end));
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
    throw Error(Code::corrupt, "the entry states a size that its bytes cannot unpack to").where(where);
}

namespace {

void check_crc(const Entry& e, uint32_t crc, const std::string& where) {
  if (crc != e.crc)
    throw Error(Code::corrupt, "the checksum of the entry is wrong")
        .where(where)
        .hint("the archive was changed; copy it again");
}

void run(const Entry& e, const char* packed, Output& out, const std::string& where) {
  switch (e.method) {
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
  check_crc(e, out.crc, where);
}

}  // namespace

void unpack(const Entry& e, const char* packed, char* out, const std::string& where) {
  if (e.method == stored) {
    if (e.size > 0) std::memcpy(out, packed, static_cast<size_t>(e.size));
    return check_crc(e, crc32(0, out, static_cast<size_t>(e.size)), where);
  }
  Output all{out, static_cast<size_t>(e.size), false};
  run(e, packed, all, where);
}

void verify(const Entry& e, const char* packed, const std::string& where) {
  std::vector<char> piece(Output::piece);
  Output passing{piece.data(), static_cast<size_t>(e.size), true};
  run(e, packed, passing, where);
}

}  // namespace td::storage::zip
