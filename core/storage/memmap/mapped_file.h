// A file that holds everything: opened once, mapped once, and no descriptor kept behind the mapping.
#pragma once

#include <memory>
#include <string>

#include "core/storage/leaf.h"
#include "core/storage/options.h"
#include "core/system/file.h"
#include "core/system/mapping.h"
#include "core/tensor/memory.h"

namespace td::storage {

// JSON beyond this is none that a save has.
inline constexpr int64_t longest_metadata = int64_t{256} << 20;

class MappedFile {
 public:
  // `path` may be a link, but to a regular file. Throws Error(not_found), Error(corrupt), Error(io).
  MappedFile(const std::string& path, Mode mode);

  const std::string& path() const { return path_; }
  int64_t size() const { return size_; }
  Mode mode() const { return mode_; }
  Access access() const { return mode_ == Mode::read ? Access::read_only : Access::read_write; }

  std::string read(int64_t offset, int64_t size) const;
  // Maps the first `size` bytes and closes the file.
  void map(int64_t size);
  const MappingPtr& mapping() const { return mapping_; }

  // A view of mapped bytes, which are checked to be there; a copy where they are not aligned, which mode read_write
  // refuses.
  at::Tensor tensor(int64_t offset, const LeafType& leaf) const;

  // The whole file as one tensor, which knows its file.
  at::Tensor whole(const LeafType& leaf) const;

  // Bytes that are not those of the file, with the access of the file.
  at::Tensor owned(std::shared_ptr<char> bytes, const LeafType& leaf) const;

 private:
  std::string path_;
  Mode mode_;
  int64_t size_ = 0;
  Fd file_;
  MappingPtr mapping_;
};

// Memory for `size` bytes, aligned for any dtype.
std::shared_ptr<char> allocate_bytes(int64_t size);

}  // namespace td::storage
