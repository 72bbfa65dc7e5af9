// Writes a staged file from its front to its end: small pieces together, large ones from where they are, on as many
// threads as the caller allows.
#pragma once

#include <functional>
#include <string>

#include <ATen/core/Tensor.h>

#include "core/storage/file_writer.h"
#include "core/storage/staged_file.h"

namespace td::storage {

class StagedWriter {
 public:
  // Larger tensors are written later, on any thread, in pieces of piece_size.
  static constexpr size_t largest_copied = size_t{64} << 10, piece_size = size_t{16} << 20;
  // Is shown the bytes of a piece as they are written, in order: small enough to be still in the processor's cache
  // then.
  using Seen = std::function<void(size_t piece, const char* bytes, size_t size)>;

  // `total` is what is to be written, for options.progress.
  StagedWriter(const StagedFile& file, int64_t total, const SaveOptions& options);

  int64_t position() const { return position_; }
  void write(const void* bytes, size_t size);
  void write(const at::Tensor& dense, const Seen& seen = nullptr);  // kept until it is written
  void zeros(size_t size);
  void wait();                                             // until all is written
  void replace(int64_t offset, const std::string& bytes);  // of what was written, after wait()
  void finish();

 private:
  void flush();

  const StagedFile& file_;
  FileWriter out_;
  std::string buffer_;
  int64_t position_ = 0, total_;
};

}  // namespace td::storage
