#include <algorithm>
#include <deque>
#include <memory>
#include <vector>

#include "core/dict/unbatched.h"
#include "core/error.h"
#include "core/storage/archive/archive.h"
#include "core/storage/archive/archive_pack.h"
#include "core/storage/archive/zip.h"
#include "core/storage/leaf.h"
#include "core/storage/memmap/memmap_plan.h"
#include "core/storage/names.h"
#include "core/storage/staged_writer.h"

namespace td::storage {

namespace {

// Streams up to here are written behind their header; a longer one before it is known, and the header again.
constexpr size_t short_stream = size_t{1} << 20;

bool is_tensor_file(const std::string& name) {
  return name.size() >= leaf_suffix.size() &&
         name.compare(name.size() - leaf_suffix.size(), leaf_suffix.size(), leaf_suffix) == 0;
}

class ArchiveWriter {
 public:
  ArchiveWriter(const StagedFile& file, int64_t total, const SaveOptions& options)
      : compression_(options.compression),
        threads_(options.threads),
        time_(zip::dos_time_now()),
        out_(file, total, options) {}

  void write(const PlannedDirectory& root) {
    std::vector<const PlannedFile*> packed;
    if (compressed())
      walk(root, "", [&](const PlannedFile& f, const std::string&) {
        if (is_tensor_file(f.name)) packed.push_back(&f);
      });
    packer_ = std::make_unique<Packer>(std::move(packed), compression_, threads_);
    walk(root, "", [this](const PlannedFile& f, const std::string& prefix) { write(f, prefix); });
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
  // As Python walks the directory that it packs: meta.json, the other files by name, then what is below.
  template <class Visit>
  static void walk(const PlannedDirectory& d, const std::string& prefix, const Visit& visit) {
    PlannedFile meta;
    meta.name = std::string(meta_name);
    meta.text = d.meta;
    meta.bytes = static_cast<int64_t>(d.meta.size());
    visit(meta, prefix);
    for (const PlannedFile* f : sorted(d.files, [](const PlannedFile& p) -> const std::string& { return p.name; }))
      visit(*f, prefix);
    for (const auto* below : sorted(d.directories, [](const auto& p) -> const std::string& { return p.first; }))
      walk(below->second, prefix + below->first + '/', visit);
  }

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
      throw Error(Code::unsupported, "an archive cannot hold names of more than 65535 bytes").where(e.name);
    bool tensor = is_tensor_file(f.name), packed = compressed() && tensor;
    e.method = packed ? method_of(compression_) : zip::stored;
    e.header = out_.position();
    e.size = e.packed = f.bytes;
    if (packed) {
      write_packed(e);
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

  void write_packed(zip::Entry& e) {
    std::string stream;
    int64_t start = -1;
    e.crc = packer_->next([&](const void* bytes, size_t size) {
      if (start >= 0) return out_.write(bytes, size);
      stream.append(static_cast<const char*>(bytes), size);
      if (stream.size() > short_stream) start = begin_packed(e, stream);
    });
    e.packed = start >= 0 ? out_.position() - start : static_cast<int64_t>(stream.size());
    if (start < 0) {
      begin_packed(e, stream);
      return;
    }
    out_.wait();
    out_.replace(e.header, zip::local_header(e, false, time_));
  }

  // Returns where the stream begins.
  int64_t begin_packed(const zip::Entry& e, const std::string& stream) {
    std::string header = zip::local_header(e, false, time_);
    out_.write(header.data(), header.size());
    int64_t start = out_.position();
    out_.write(stream.data(), stream.size());
    return start;
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

  bool compressed() const { return compression_ != Compression::none; }

  Compression compression_;
  size_t threads_;
  uint32_t time_;
  std::deque<Written> written_;  // stays where it is while other threads count
  StagedWriter out_;             // gone before what its threads write to
  std::unique_ptr<Packer> packer_;
};

}  // namespace

void save_archive(const Node& node, const std::string& path, const SaveOptions& options) {
  method_of(options.compression);  // throws before anything is made
  PlannedDirectory plan = plan_memmap(*with_ordinary_entries(node));
  StagedFile staged(path, options.overwrite);
  ArchiveWriter writer(staged, planned_bytes(plan), options);
  writer.write(plan);
  writer.finish();
  staged.publish(options.sync);
}

}  // namespace td::storage
