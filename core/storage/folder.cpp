#include "core/storage/folder.h"

#include <cerrno>
#include <filesystem>

#include <fcntl.h>

#include "core/error.h"
#include "core/storage/file.h"
#include "core/storage/mapping.h"

namespace td::storage {

namespace {

Mapping::Mode mapping_mode(Mode mode) {
  if (mode == Mode::read) return Mapping::Mode::read;
  return mode == Mode::read_write ? Mapping::Mode::write : Mapping::Mode::copy_on_write;
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
    std::string where = below(name);
    int64_t size = 0;
    Fd opened = open_regular(directory_.get(), name, where, &size, mode_ == Mode::read_write);
    if (!opened) return {};
    if (size < bytes)
      throw Error(Code::corrupt,
                  "the file has " + std::to_string(size) + " bytes, but the tensor needs " + std::to_string(bytes))
          .where(where)
          .hint("the file was cut; copy the save again");
    auto mapping = std::make_shared<const Mapping>(opened, bytes, mapping_mode(mode_), where);
    char* data = mapping->data();
    return {data, std::move(mapping)};
  }

  std::vector<std::string> names() const override { return names_in(directory_, where_); }

  std::shared_ptr<const Home> home() const override {
    return std::make_shared<const Home>(Home{absolute_, mode_ == Mode::read_write, mode_ == Mode::copy_on_write});
  }

 private:
  Fd directory_;
  std::string absolute_;
};

}  // namespace

std::unique_ptr<Folder> open_folder(const std::string& path, Mode mode) {
  int fd = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) throw os_error(errno, "open", path);
  Fd directory(fd);
  std::string absolute = std::filesystem::absolute(path).lexically_normal().string();
  while (absolute.size() > 1 && absolute.back() == '/') absolute.pop_back();
  return std::make_unique<DiskFolder>(std::move(directory), path, std::move(absolute), mode);
}

}  // namespace td::storage
