#include <algorithm>
#include <functional>
#include <memory>
#include <new>

#include <zlib.h>

#include "core/error.h"
#include "core/storage/archive.h"
#include "core/storage/leaf.h"
#include "core/storage/memmap_plan.h"
#include "core/storage/names.h"
#include "core/storage/staged_file.h"
#include "core/storage/zip.h"
#include "core/tensor/memory.h"

namespace td::storage {

namespace {

using Piece = std::function<void(const void* bytes, size_t size)>;

constexpr size_t piece_size = size_t{16} << 20;

// The bytes of a planned file from front to end, in pieces that no library finds too long.
void for_each_piece(const PlannedFile& f, const Piece& piece) {
  auto cut = [&](const char* p, size_t size) {
    for (; size > 0; size -= std::min(size, piece_size)) {
      piece(p, std::min(size, piece_size));
      p += std::min(size, piece_size);
    }
  };
  for (const at::Tensor& t : f.tensors) {
    at::Tensor d = dense(t);
    if (d.numel() > 0) cut(static_cast<const char*>(data(d)), static_cast<size_t>(d.numel()) * d.element_size());
  }
  cut(f.text.data(), f.text.size());
  if (!f.tensors.empty() || !f.text.empty()) return;
  static constexpr char nothing[4096] = {};
  for (int64_t left = f.bytes; left > 0; left -= static_cast<int64_t>(sizeof nothing))
    piece(nothing, static_cast<size_t>(std::min<int64_t>(left, sizeof nothing)));
}

class Deflater {
 public:
  Deflater() {
    if (deflateInit2(&z_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK)
      throw std::bad_alloc();
  }
  ~Deflater() { deflateEnd(&z_); }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  void pack(const void* bytes, size_t size, bool last, const Piece& out) {
    char buffer[size_t{64} << 10];
    z_.next_in = static_cast<Bytef*>(const_cast<void*>(bytes));
    z_.avail_in = static_cast<uInt>(size);
    do {
      z_.next_out = reinterpret_cast<Bytef*>(buffer);
      z_.avail_out = sizeof buffer;
      deflate(&z_, last ? Z_FINISH : Z_NO_FLUSH);
      out(buffer, sizeof buffer - z_.avail_out);
    } while (z_.avail_out == 0);
  }

 private:
  z_stream z_{};
};

bool is_tensor_file(const std::string& name) {
  return name.size() >= leaf_suffix.size() &&
         name.compare(name.size() - leaf_suffix.size(), leaf_suffix.size(), leaf_suffix) == 0;
}

class ArchiveWriter {
 public:
  ArchiveWriter(StagedWriter& out, bool compress) : out_(out), compress_(compress), time_(zip::dos_time_now()) {}

  // As Python walks the directory that it packs: meta.json, the other files by name, then what is below.
  void write(const PlannedDirectory& d, const std::string& prefix) {
    PlannedFile meta;
    meta.name = std::string(meta_name);
    meta.text = d.meta;
    meta.bytes = static_cast<int64_t>(d.meta.size());
    write(meta, prefix);
    for (const PlannedFile* f : sorted(d.files, [](const PlannedFile& p) -> const std::string& { return p.name; }))
      write(*f, prefix);
    for (const auto* below : sorted(d.directories, [](const auto& p) -> const std::string& { return p.first; }))
      write(below->second, prefix + below->first + '/');
  }

  void finish() {
    int64_t directory = out_.position(), size = static_cast<int64_t>(records_.size());
    out_.write(records_.data(), records_.size());
    std::string end = zip::end_records(count_, directory, size);
    out_.write(end.data(), end.size());
  }

 private:
  template <class Item, class Name>
  static std::vector<const Item*> sorted(const std::vector<Item>& items, Name name) {
    std::vector<const Item*> order;
    for (const Item& item : items) order.push_back(&item);
    std::sort(order.begin(), order.end(), [&](const Item* a, const Item* b) { return name(*a) < name(*b); });
    return order;
  }

  void write(const PlannedFile& f, const std::string& prefix) {
    zip::Entry e;
    e.name = prefix + f.name;
    if (e.name.size() > 0xFFFF)
      throw Error(Code::unsupported, "an archive has no place for names of more than 65535 bytes").where(e.name);
    bool tensor = is_tensor_file(f.name), packed = compress_ && tensor;
    e.method = packed ? zip::deflated : zip::stored;
    e.header = out_.position();
    e.size = e.packed = f.bytes;
    if (packed) {
      write_packed(f, e);
    } else {
      for_each_piece(f, [&](const void* bytes, size_t size) { e.crc = zip::crc32(e.crc, bytes, size); });
      std::string header = zip::local_header(e, tensor, time_);
      out_.write(header.data(), header.size());
      for_each_piece(f, [&](const void* bytes, size_t size) { out_.write(bytes, size); });
    }
    records_ += zip::central_record(e, tensor && !packed, time_);
    ++count_;
  }

  // The header is written again when what it says is known.
  void write_packed(const PlannedFile& f, zip::Entry& e) {
    std::string header = zip::local_header(e, false, time_);
    out_.write(header.data(), header.size());
    int64_t start = out_.position();
    auto deflater = std::make_unique<Deflater>();
    Piece out = [&](const void* bytes, size_t size) { out_.write(bytes, size); };
    for_each_piece(f, [&](const void* bytes, size_t size) {
      e.crc = zip::crc32(e.crc, bytes, size);
      deflater->pack(bytes, size, false, out);
    });
    deflater->pack(nullptr, 0, true, out);
    e.packed = out_.position() - start;
    out_.replace(e.header, zip::local_header(e, false, time_));
  }

  StagedWriter& out_;
  bool compress_;
  uint32_t time_;
  std::string records_;
  size_t count_ = 0;
};

}  // namespace

void save_archive(const Node& node, const std::string& path, const SaveOptions& options) {
  PlannedDirectory plan = plan_memmap(node);
  StagedFile staged(path, options.overwrite);
  bool compress = options.compression != Compression::none;
  StagedWriter out(staged, planned_bytes(plan), !compress, options.progress);
  ArchiveWriter writer(out, compress);
  writer.write(plan, "");
  writer.finish();
  out.finish();
  staged.publish(options.sync);
}

}  // namespace td::storage
