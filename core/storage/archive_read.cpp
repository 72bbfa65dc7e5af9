#include <algorithm>
#include <set>
#include <unordered_map>

#include "core/error.h"
#include "core/storage/archive.h"
#include "core/storage/folder.h"
#include "core/storage/mapped_file.h"
#include "core/storage/memmap.h"
#include "core/storage/zip.h"

namespace td::storage {

namespace {

class Archive {
 public:
  Archive(const std::string& path, Mode mode) : file_(path, mode) {
    for (zip::Entry& e : zip::read_directory(file_)) add(std::move(e));
  }

  const MappedFile& file() const { return file_; }
  std::string where(const std::string& name) const { return file_.path() + "::" + name; }

  bool has_directory(const std::string& name) const { return directories_.count(name) > 0; }
  const std::set<std::string>& names_in(const std::string& directory) const { return directories_.at(directory); }
  const zip::Entry* entry(const std::string& name) const {
    auto found = entries_.find(name);
    return found == entries_.end() ? nullptr : &found->second;
  }

  std::shared_ptr<char> unpacked(const zip::Entry& e) const {
    // No stream of deflate grows by more: what says so cannot be right, and needs no memory.
    constexpr int64_t most = 1032;
    if (e.method == zip::deflated && e.size / most > e.packed)
      throw Error(Code::corrupt, "the entry says that it grows more than it can").where(where(e.name));
    std::shared_ptr<char> bytes = allocate_bytes(e.size);
    zip::unpack(e, packed(e), bytes.get(), where(e.name));
    return bytes;
  }

  char* packed(const zip::Entry& e) const { return file_.mapping()->data() + e.payload; }

 private:
  void add(zip::Entry e) {
    bool directory = e.name.back() == '/';
    std::string name = directory ? e.name.substr(0, e.name.size() - 1) : e.name;
    add_parents(name);
    if (directory)
      directories_[name];
    else
      entries_.emplace(name, std::move(e));
  }

  void add_parents(const std::string& name) {
    size_t slash = name.rfind('/');
    std::string parent = slash == name.npos ? "" : name.substr(0, slash);
    bool known = directories_.count(parent) > 0;
    directories_[parent].insert(name.substr(slash == name.npos ? 0 : slash + 1));
    if (!known && !parent.empty()) add_parents(parent);
  }

  MappedFile file_;
  std::unordered_map<std::string, zip::Entry> entries_;
  std::unordered_map<std::string, std::set<std::string>> directories_;  // and the names in them
};

class ArchiveFolder final : public Folder {
 public:
  ArchiveFolder(std::shared_ptr<const Archive> archive, std::string at, Mode mode)
      : Folder(at.empty() ? archive->file().path() : archive->where(at), mode),
        archive_(std::move(archive)),
        at_(std::move(at)) {}

  std::unique_ptr<Folder> folder(const std::string& name) const override {
    if (!archive_->has_directory(full(name))) return nullptr;
    return std::make_unique<ArchiveFolder>(archive_, full(name), mode_);
  }

  optional<std::string> file(const std::string& name, int64_t limit) const override {
    const zip::Entry* e = archive_->entry(full(name));
    if (!e) return nullopt;
    if (e->size > limit) throw Error(Code::corrupt, "the file is too long").where(archive_->where(e->name));
    std::shared_ptr<char> bytes = archive_->unpacked(*e);
    return std::string(bytes.get(), static_cast<size_t>(e->size));
  }

  LeafBytes leaf(const std::string& name, int64_t bytes) const override {
    const zip::Entry* e = archive_->entry(full(name));
    if (!e) return {};
    std::string where = archive_->where(e->name);
    if (e->size != bytes)
      throw Error(Code::corrupt,
                  "the file has " + std::to_string(e->size) + " bytes, but its shape needs " + std::to_string(bytes))
          .where(where)
          .hint("the archive was not written as a whole");
    char* data = archive_->packed(*e);
    // The size of an element divides that of all.
    auto alignment = static_cast<uintptr_t>(std::min<int64_t>(16, bytes & -bytes));
    bool in_place = e->method == zip::stored && reinterpret_cast<uintptr_t>(data) % alignment == 0;
    if (in_place) return {data, archive_->file().mapping()};
    if (mode_ == Mode::read_write)
      throw Error(Code::unsupported, e->method == zip::stored
                                         ? "the tensor is not aligned in the archive, so it cannot be written in place"
                                         : "the tensor is compressed, so it cannot be written in place")
          .where(where)
          .hint("save the dict again, without compression");
    std::shared_ptr<char> copy = archive_->unpacked(*e);
    data = copy.get();
    return {data, std::move(copy)};
  }

  bool maps_files() const override { return false; }

  std::vector<std::string> names() const override {
    const std::set<std::string>& names = archive_->names_in(at_);
    return {names.begin(), names.end()};
  }

 private:
  std::string full(const std::string& name) const { return at_.empty() ? name : at_ + '/' + name; }

  std::shared_ptr<const Archive> archive_;
  std::string at_;
};

}  // namespace

NodePtr open_archive(const std::string& path, const OpenOptions& options) {
  auto archive = std::make_shared<const Archive>(path, options.mode);
  if (!archive->entry("meta.json"))
    throw Error(Code::corrupt, "the archive has no meta.json").where(path).hint("it is a zip file of something else");
  return read_memmap(ArchiveFolder(std::move(archive), "", options.mode), options.lenient);
}

}  // namespace td::storage
