#include "core/storage/staged_writer.h"

#include <algorithm>

#include "core/tensor/memory.h"

namespace td::storage {

namespace {

constexpr size_t buffered = size_t{1} << 20, shown_at_once = size_t{256} << 10;

}  // namespace

StagedWriter::StagedWriter(const StagedFile& file, int64_t total, const SaveOptions& options)
    : file_(file), out_(options, total), total_(total) {
  buffer_.reserve(std::min(buffered, static_cast<size_t>(std::max<int64_t>(total, 0))));
}

void StagedWriter::write(const void* bytes, size_t size) {
  const char* p = static_cast<const char*>(bytes);
  for (; size > 0;) {
    size_t n = std::min(size, buffered - buffer_.size());
    buffer_.append(p, n);
    position_ += static_cast<int64_t>(n);
    p += n, size -= n;
    if (buffer_.size() == buffered) flush();
  }
}

void StagedWriter::write(const at::Tensor& dense, const Seen& seen) {
  if (dense.numel() == 0) return;
  const char* p = static_cast<const char*>(data(dense));
  size_t size = static_cast<size_t>(dense.numel()) * dense.element_size();
  if (size <= largest_copied) {
    if (seen) seen(0, p, size);
    return write(p, size);
  }
  flush();
  for (size_t piece = 0; piece * piece_size < size; ++piece) {
    size_t done = piece * piece_size, n = std::min(size - done, piece_size);
    out_.add([this, dense, seen, piece, n, from = p + done, to = position_](FileWriter& w) {
      size_t step = seen ? shown_at_once : n;
      for (size_t i = 0; i < n; i += step) {
        if (seen) seen(piece, from + i, std::min(step, n - i));
        w.write_at(file_.file(), to + static_cast<int64_t>(i), from + i, std::min(step, n - i), file_.path());
      }
    });
    position_ += static_cast<int64_t>(n);
  }
}

void StagedWriter::zeros(size_t size) {
  static constexpr char nothing[256] = {};
  for (; size > 0; size -= std::min(size, sizeof nothing)) write(nothing, std::min(size, sizeof nothing));
}

void StagedWriter::wait() {
  flush();
  out_.finish();
}

void StagedWriter::replace(int64_t offset, const std::string& bytes) {
  write_bytes_at(file_.file(), offset, bytes.data(), bytes.size(), file_.path());
}

void StagedWriter::finish() {
  flush();
  out_.count(total_);  // what was compressed is less, but all of it
  out_.finish();
}

void StagedWriter::flush() {
  if (buffer_.empty()) return;
  int64_t start = position_ - static_cast<int64_t>(buffer_.size());
  out_.write_at(file_.file(), start, buffer_.data(), buffer_.size(), file_.path());
  buffer_.clear();
  out_.tell();
}

}  // namespace td::storage
