#include "core/storage/memmap/folder.h"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <sys/mman.h>

#include "core/error.h"
#include "core/live.h"
#include "core/storage/json.h"
#include "core/storage/json_text.h"
#include "core/storage/memmap/meta.h"
#include "core/storage/names.h"
#include "core/system/file.h"
#include "core/system/mapping.h"
#include "core/tensor/unmap.h"

namespace td::storage {

namespace {

// A file of its own for one tensor. Those of a dict go away together.
class MappedLeaf {
 public:
  MappedLeaf(const Fd& file, int64_t size, Mode mode) : size_(size) {
    int protection = mode == Mode::read ? PROT_READ : PROT_READ | PROT_WRITE;
    int sharing = mode == Mode::copy_on_write ? MAP_PRIVATE : MAP_SHARED;
    void* start = mmap(nullptr, static_cast<size_t>(size), protection, sharing, file.get(), 0);
    if (start == MAP_FAILED) throw_unmapped(errno, size, "");
    data_ = static_cast<char*>(start);
    live::add(live::mapping, 1);
    live::add_mapped_bytes(size);
  }
  ~MappedLeaf() {
    unmap(data_, static_cast<size_t>(size_));
    live::add(live::mapping, -1);
    live::add_mapped_bytes(-size_);
  }
  MappedLeaf(const MappedLeaf&) = delete;
  MappedLeaf& operator=(const MappedLeaf&) = delete;

  char* data() const { return data_; }

 private:
  char* data_;
  int64_t size_;
};

// Small enough for malloc to take it from what it has.
constexpr int64_t small_leaf = 64 << 10;

LeafBytes read_leaf(const Fd& file, int64_t size) {
  std::string bytes = read_bytes(file, 0, size, "");
  std::shared_ptr<char[]> copy(new char[bytes.size()]);
  std::memcpy(copy.get(), bytes.data(), bytes.size());
  char* data = copy.get();
  return {data, std::move(copy)};
}

class DiskFolder final : public Folder {
 public:
  DiskFolder(Fd directory, std::string where, std::string absolute, Mode mode)
      : Folder(std::move(where), mode), directory_(std::move(directory)), absolute_(std::move(absolute)) {}

  std::unique_ptr<Folder> folder(const std::string& name) const override {
    Fd below_it = open_directory(directory_.get(), name, below(name));
    if (!below_it) return nullptr;
    return std::make_unique<DiskFolder>(std::move(below_it), below(name), absolute_ + '/' + name, mode_);
  }

  optional<std::string> file(const std::string& name, int64_t limit) const override {
    std::string where = below(name);
    int64_t size = 0;
    Fd opened = open_regular(directory_.get(), name, where, &size);
    if (!opened) return nullopt;
    if (size > limit)
      throw Error(Code::corrupt, "the file has more than " + std::to_string(limit) + " bytes").where(where);
    return read_bytes(opened, 0, size, where);
  }

  LeafBytes leaf(const std::string& name, int64_t bytes) const override {
    try {
      return map_leaf(name, bytes);
    } catch (const Error& e) {  // the full name is made for errors only
      throw Error(e).where(below(name));
    }
  }

  std::vector<std::string> names() const override { return names_in(directory_, where_); }

  std::shared_ptr<const Home> home() const override {
    return std::make_shared<const Home>(Home{absolute_, mode_ == Mode::read_write, mode_ == Mode::copy_on_write});
  }

 private:
  LeafBytes map_leaf(const std::string& name, int64_t bytes) const {
    const std::string unnamed;
    int64_t size = 0;
    Fd opened = open_regular(directory_.get(), name, unnamed, &size, mode_ == Mode::read_write);
    if (!opened) return {};
    if (size < bytes)
      throw Error(Code::corrupt,
                  "the file has " + std::to_string(size) + " bytes, but the tensor needs " + std::to_string(bytes))
          .hint("the file was truncated; copy the save again");
    // A save may have more leaves than a process may have mappings. The second half of them is for what cannot be read.
    if (mode_ != Mode::read_write && bytes <= small_leaf && live::count(live::mapping) >= mappings_allowed() / 2)
      return read_leaf(opened, bytes);
    auto mapping = std::make_shared<const MappedLeaf>(opened, bytes, mode_);
    char* data = mapping->data();
    return {data, std::move(mapping), true};
  }

  Fd directory_;
  std::string absolute_;
};

}  // namespace

boost::json::object read_meta(const Folder& folder) {
  std::string where = folder.where() + '/' + std::string(meta_name);
  optional<std::string> bytes = folder.file(std::string(meta_name), longest_meta);
  if (!bytes)
    throw Error(Code::corrupt, "meta.json is missing").where(where).hint("it is not a directory that td.save wrote");
  boost::json::value meta = parse_json(json_text(std::move(*bytes), where), where);
  if (!meta.is_object()) throw Error(Code::corrupt, "meta.json does not hold an object").where(where);
  return std::move(meta.get_object());
}

std::unique_ptr<Folder> open_folder(const std::string& path, Mode mode) {
  int fd = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) throw os_error(errno, "open", path);
  Fd directory(fd);
  std::string absolute = std::filesystem::absolute(path).lexically_normal().string();
  while (absolute.size() > 1 && absolute.back() == '/') absolute.pop_back();
  return std::make_unique<DiskFolder>(std::move(directory), path, std::move(absolute), mode);
}

}  // namespace td::storage
