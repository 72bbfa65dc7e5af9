#include "core/storage/memmap/mapped_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>

#include <fcntl.h>
#include <sys/stat.h>

#include "core/error.h"
#include "core/tensor/origin.h"

namespace td::storage {

MappedFile::MappedFile(const std::string& path, Mode mode) : path_(path), mode_(mode) {
  int flags = mode == Mode::read_write ? O_RDWR : O_RDONLY;
  file_ = Fd(::open(path.c_str(), flags | O_CLOEXEC | O_NONBLOCK));
  if (!file_ && (errno == EISDIR || errno == ENXIO)) throw Error(Code::corrupt, "it is not a regular file").where(path);
  if (!file_) throw os_error(errno, "open", path);
  struct stat s;
  if (fstat(file_.get(), &s) != 0) throw os_error(errno, "stat", path);
  if (!S_ISREG(s.st_mode)) throw Error(Code::corrupt, "it is not a regular file").where(path);
  size_ = s.st_size;
}

std::string MappedFile::read(int64_t offset, int64_t size) const {
  return read_bytes(file_, offset, size, path_);
}

void MappedFile::map(int64_t size) {
  constexpr Mapping::Mode modes[] = {Mapping::Mode::read, Mapping::Mode::copy_on_write, Mapping::Mode::write};
  if (size > 0) mapping_ = std::make_shared<const Mapping>(file_, size, modes[static_cast<int>(mode_)], path_);
  file_ = Fd();
}

at::Tensor MappedFile::tensor(int64_t offset, const LeafType& leaf) const {
  if (leaf.bytes == 0) return leaf_tensor(leaf, nullptr, nullptr, access());
  if (!mapping_ || offset < 0 || leaf.bytes > mapping_->size() - offset)
    throw Error(Code::corrupt, "a tensor is outside the file").where(path_);
  char* data = mapping_->data() + offset;
  if (reinterpret_cast<uintptr_t>(data) % c10::elementSize(leaf.dtype) == 0)
    return leaf_tensor(leaf, data, mapping_, access());
  if (mode_ == Mode::read_write)
    throw Error(Code::unsupported, "a tensor is not aligned in the file, so it cannot be written in place")
        .where(path_)
        .hint_naming("save the dict again, or open with {OPEN_COW}");
  std::shared_ptr<char> copy = allocate_bytes(leaf.bytes);
  std::memcpy(copy.get(), data, static_cast<size_t>(leaf.bytes));
  return owned(std::move(copy), leaf);
}

at::Tensor MappedFile::whole(const LeafType& leaf) const {
  return leaf.bytes == 0 ? tensor(0, leaf) : as_file(tensor(0, leaf));
}

at::Tensor MappedFile::owned(std::shared_ptr<char> bytes, const LeafType& leaf) const {
  char* data = bytes.get();
  return leaf_tensor(leaf, data, std::move(bytes), access());
}

std::shared_ptr<char> allocate_bytes(int64_t size) {
  constexpr size_t alignment = 64;
  size_t rounded = (static_cast<size_t>(size) + alignment) / alignment * alignment;
  void* bytes = std::aligned_alloc(alignment, rounded);
  if (!bytes) throw std::bad_alloc();
  return {static_cast<char*>(bytes), std::free};
}

}  // namespace td::storage
