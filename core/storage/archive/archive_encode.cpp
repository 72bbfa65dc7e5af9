#include "core/storage/archive/archive_encode.h"

#include <new>

#include <zlib.h>
#if TD_HAS_LZMA
#include <lzma.h>
#endif

#include "core/error.h"

namespace td::storage {

namespace {

constexpr size_t step = size_t{64} << 10;

class Deflater final : public Encoder {
 public:
  Deflater() {
    if (deflateInit2(&z_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK)
      throw std::bad_alloc();
  }
  ~Deflater() override { deflateEnd(&z_); }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  void pack(const void* bytes, size_t size, bool last, const Part& out) override {
    char buffer[step];
    z_.next_in = static_cast<Bytef*>(const_cast<void*>(bytes));
    z_.avail_in = static_cast<uInt>(size);
    do {
      z_.next_out = reinterpret_cast<Bytef*>(buffer);
      z_.avail_out = sizeof buffer;
      deflate(&z_, last ? Z_FINISH : Z_NO_FLUSH);
      if (z_.avail_out < sizeof buffer) out(buffer, sizeof buffer - z_.avail_out);
    } while (z_.avail_out == 0);
  }

 private:
  z_stream z_{};
};

#if TD_HAS_LZMA
// In front of the raw stream stand a version, which Python's zipfile writes so, the size of the properties, and they.
// The stream has an end mark, which a flag of the entry says.
class LzmaEncoder final : public Encoder {
 public:
  LzmaEncoder() {
    lzma_options_lzma options;
    if (lzma_lzma_preset(&options, LZMA_PRESET_DEFAULT)) throw std::bad_alloc();
    const lzma_filter filters[2] = {{LZMA_FILTER_LZMA1, &options}, {LZMA_VLI_UNKNOWN, nullptr}};
    if (lzma_properties_encode(filters, properties_ + 4) != LZMA_OK || lzma_raw_encoder(&z_, filters) != LZMA_OK)
      throw std::bad_alloc();
  }
  ~LzmaEncoder() override { lzma_end(&z_); }
  LzmaEncoder(const LzmaEncoder&) = delete;
  LzmaEncoder& operator=(const LzmaEncoder&) = delete;

  void pack(const void* bytes, size_t size, bool last, const Part& out) override {
    if (!begun_) out(properties_, sizeof properties_);
    begun_ = true;
    uint8_t buffer[step];
    z_.next_in = static_cast<const uint8_t*>(bytes);
    z_.avail_in = size;
    lzma_ret status;
    do {
      z_.next_out = buffer;
      z_.avail_out = sizeof buffer;
      status = lzma_code(&z_, last ? LZMA_FINISH : LZMA_RUN);
      if (status != LZMA_OK && status != LZMA_STREAM_END && status != LZMA_BUF_ERROR) throw std::bad_alloc();
      if (z_.avail_out < sizeof buffer) out(buffer, sizeof buffer - z_.avail_out);
    } while (status != LZMA_STREAM_END && (last || z_.avail_in > 0 || z_.avail_out == 0));
  }

 private:
  lzma_stream z_ = LZMA_STREAM_INIT;
  uint8_t properties_[9] = {9, 4, 5, 0};
  bool begun_ = false;
};
#endif

}  // namespace

zip::Method method_of(Compression compression) {
  switch (compression) {
    case Compression::none:
      return zip::stored;
    case Compression::deflate:
      return zip::deflated;
    case Compression::lzma:
#if TD_HAS_LZMA
      return zip::lzma;
#else
      throw Error(Code::unsupported, "this build cannot compress with lzma")
          .hint("build it with liblzma, or use deflate");
#endif
  }
  throw Error(Code::argument, "unknown compression");
}

std::unique_ptr<Encoder> make_encoder(Compression compression) {
#if TD_HAS_LZMA
  if (compression == Compression::lzma) return std::make_unique<LzmaEncoder>();
#endif
  method_of(compression);
  return std::make_unique<Deflater>();
}

}  // namespace td::storage
