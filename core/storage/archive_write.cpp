#include <algorithm>
#include <deque>
#include <functional>
#include <memory>
#include <new>
#include <vector>

#include <zlib.h>

#include "core/error.h"
#include "core/storage/archive.h"
#include "core/storage/leaf.h"
#include "core/storage/memmap_plan.h"
#include "core/storage/names.h"
#include "core/storage/staged_writer.h"
#include "core/storage/zip.h"
#include "core/tensor/memory.h"

namespace td::storage {

namespace {

using Part = std::function<void(const void* bytes, size_t size)>;

constexpr size_t largest_part = size_t{16} << 20;

// The bytes of a planned file from front to end, in parts that no library finds too long.
void for_each_part(const PlannedFile& f, const Part& part) {
  auto cut = [&](const char* p, size_t size) {
    for (; size > 0; size -= std::min(size, largest_part)) {
      part(p, std::min(size, largest_part));
      p += std::min(size, largest_part);
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
    part(nothing, static_cast<size_t>(std::min<int64_t>(left, sizeof nothing)));
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

  void pack(const void* bytes, size_t size, bool last, const Part& out) {
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
  ArchiveWriter(const StagedFile& file, int64_t total, const SaveOptions& options)
      : compress_(options.compression != Compression::none), time_(zip::dos_time_now()), out_(file, total, options) {}

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
    out_.wait();
    for (Written& w : written_) {
      if (w.pieces.empty()) continue;
      for (const Piece& p : w.pieces) w.entry.crc = zip::joint_crc32(w.entry.crc, p.crc, p.size);
      out_.replace(w.entry.header, zip::local_header(w.entry, true, time_));
    }
    int64_t directory = out_.position(), size = 0;
    for (const Written& w : written_) {
      std::string record = zip::central_record(w.entry, w.aligned, time_);
      out_.write(record.data(), record.size());
      size += static_cast<int64_t>(record.size());
    }
    std::string end = zip::end_records(written_.size(), directory, size);
    out_.write(end.data(), end.size());
    out_.finish();
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
    } else if (tensor && !f.tensors.empty() && f.bytes > static_cast<int64_t>(StagedWriter::largest_copied)) {
      return write_large(f, std::move(e));
    } else {
      for_each_part(f, [&](const void* bytes, size_t size) { e.crc = zip::crc32(e.crc, bytes, size); });
      std::string header = zip::local_header(e, tensor, time_);
      out_.write(header.data(), header.size());
      for_each_part(f, [&](const void* bytes, size_t size) { out_.write(bytes, size); });
    }
    written_.push_back({std::move(e), tensor && !packed, {}});
  }

  // Its checksum is known when the last of its pieces is written; the header gets it then.
  void write_large(const PlannedFile& f, zip::Entry e) {
    std::string header = zip::local_header(e, true, time_);
    out_.write(header.data(), header.size());
    written_.push_back({std::move(e), true, {}});
    auto pieces_of = [](const at::Tensor& t) {
      size_t size = static_cast<size_t>(t.numel()) * t.element_size();
      return (size + StagedWriter::piece_size - 1) / StagedWriter::piece_size;
    };
    size_t count = 0;
    for (const at::Tensor& t : f.tensors) count += pieces_of(t);
    written_.back().pieces.resize(count);  // once: threads write to them
    Piece* first = written_.back().pieces.data();
    for (const at::Tensor& t : f.tensors) {
      out_.write(dense(t), [first](size_t i, const char* bytes, size_t n) {
        Piece& p = first[i];
        p.crc = zip::crc32(p.crc, bytes, n);
        p.size += static_cast<int64_t>(n);
      });
      first += pieces_of(t);
    }
  }

  // The header is written again when what it says is known.
  void write_packed(const PlannedFile& f, zip::Entry& e) {
    std::string header = zip::local_header(e, false, time_);
    out_.write(header.data(), header.size());
    int64_t start = out_.position();
    auto deflater = std::make_unique<Deflater>();
    Part out = [&](const void* bytes, size_t size) { out_.write(bytes, size); };
    for_each_part(f, [&](const void* bytes, size_t size) {
      e.crc = zip::crc32(e.crc, bytes, size);
      deflater->pack(bytes, size, false, out);
    });
    deflater->pack(nullptr, 0, true, out);
    e.packed = out_.position() - start;
    out_.wait();
    out_.replace(e.header, zip::local_header(e, false, time_));
  }

  struct Piece {
    uint32_t crc = 0;
    int64_t size = 0;
  };
  struct Written {
    zip::Entry entry;
    bool aligned;
    std::vector<Piece> pieces;  // that its checksum is made of, or none if it is known
  };

  bool compress_;
  uint32_t time_;
  std::deque<Written> written_;  // stays where it is while other threads count
  StagedWriter out_;             // gone before what its threads write to
};

}  // namespace

void save_archive(const Node& node, const std::string& path, const SaveOptions& options) {
  PlannedDirectory plan = plan_memmap(node);
  StagedFile staged(path, options.overwrite);
  ArchiveWriter writer(staged, planned_bytes(plan), options);
  writer.write(plan, "");
  writer.finish();
  staged.publish(options.sync);
}

}  // namespace td::storage
