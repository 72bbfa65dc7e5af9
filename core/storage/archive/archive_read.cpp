#include <algorithm>
#include <map>

#include "core/error.h"
#include "core/storage/archive/archive.h"
#include "core/storage/archive/zip.h"
#include "core/storage/memmap/folder.h"
#include "core/storage/memmap/mapped_file.h"
#include "core/storage/memmap/memmap.h"
#include "core/storage/memmap/memmap_part.h"

namespace td::storage {

namespace {

// As deep as a save may be. What lies deeper is nowhere to be found, and costs nothing.

struct ArchivedTree {
  std::map<std::string, std::unique_ptr<ArchivedTree>> directories;
  std::map<std::string, zip::Entry> files;
};

class Archive {
 public:
  Archive(const std::string& path, const OpenOptions& options) : file_(path, options.mode) {
    constexpr int64_t always = int64_t{64} << 20, deflates = 1032;
    bounded_ = !options.lenient;
    left_ = std::max(always, file_.size() > INT64_MAX / deflates ? INT64_MAX : deflates * file_.size());
    for (zip::Entry& e : zip::read_directory(file_)) add(std::move(e));
  }

  const MappedFile& file() const { return file_; }
  const ArchivedTree& root() const { return root_; }
  std::string where(const std::string& name) const { return file_.path() + "::" + name; }

  std::shared_ptr<char> unpacked(const zip::Entry& e) const {
    zip::check_growth(e, where(e.name));
    if (bounded_ && e.size > left_)
      throw Error(Code::unsupported, "the archive would unpack to more than 1032 times its size, and more than 64 MiB")
          .where(where(e.name))
          .hint("if it is to be trusted, open it lenient, or unpack it with another tool and open the directory");
    left_ -= std::min(left_, e.size);
    std::shared_ptr<char> bytes = allocate_bytes(e.size);
    zip::unpack(e, packed(e), bytes.get(), where(e.name));
    return bytes;
  }

  char* packed(const zip::Entry& e) const { return file_.mapping()->data() + e.payload; }

 private:
  void add(zip::Entry e) {
    std::string_view rest = e.name;
    if (static_cast<size_t>(std::count(rest.begin(), rest.end(), '/')) > deepest_directory) return;
    ArchivedTree* at = &root_;
    for (size_t slash; (slash = rest.find('/')) != rest.npos; rest.remove_prefix(slash + 1)) {
      std::unique_ptr<ArchivedTree>& below = at->directories[std::string(rest.substr(0, slash))];
      if (!below) below = std::make_unique<ArchivedTree>();
      at = below.get();
    }
    std::string name(rest);
    if (!name.empty()) at->files.emplace(std::move(name), std::move(e));
  }

  MappedFile file_;
  ArchivedTree root_;
  bool bounded_;
  mutable int64_t left_;  // bytes that may be unpacked: no more than deflate can have packed into the file
};

class ArchiveFolder final : public Folder {
 public:
  ArchiveFolder(std::shared_ptr<const Archive> archive, const ArchivedTree& at, const std::string& name, Mode mode)
      : Folder(name.empty() ? archive->file().path() : archive->where(name), mode),
        archive_(std::move(archive)),
        at_(at),
        name_(name) {}

  std::unique_ptr<Folder> folder(const std::string& name) const override {
    auto found = at_.directories.find(name);
    if (found == at_.directories.end()) return nullptr;
    return std::make_unique<ArchiveFolder>(archive_, *found->second, name_.empty() ? name : name_ + '/' + name, mode_);
  }

  optional<std::string> file(const std::string& name, int64_t limit) const override {
    const zip::Entry* e = entry(name);
    if (!e) return nullopt;
    if (e->size > limit) throw Error(Code::corrupt, "the file is too long").where(archive_->where(e->name));
    std::shared_ptr<char> bytes = archive_->unpacked(*e);
    return std::string(bytes.get(), static_cast<size_t>(e->size));
  }

  LeafBytes leaf(const std::string& name, int64_t bytes) const override {
    const zip::Entry* e = entry(name);
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
    std::vector<std::string> names;
    for (const auto& [name, below] : at_.directories) names.push_back(name);
    for (const auto& [name, entry] : at_.files) names.push_back(name);
    return names;
  }

 private:
  const zip::Entry* entry(const std::string& name) const {
    auto found = at_.files.find(name);
    return found == at_.files.end() ? nullptr : &found->second;
  }

  std::shared_ptr<const Archive> archive_;
  const ArchivedTree& at_;
  std::string name_;
};

// What torch.save and torch.jit.save write: one directory with a pickle in it, and the code of a program beside it.
const char* what_else(const ArchivedTree& root) {
  for (const auto& [name, below] : root.directories) {
    if (!below->files.count("data.pkl")) continue;
    if (below->directories.count("code"))
      return "it is a TorchScript file, a program: the module td.torchscript runs it";
    return "it is a file of torch.save: open it with the format {FORMAT_TORCH_SAVE}";
  }
  return "it is a zip file of something else";
}

}  // namespace

NodePtr open_archive(const std::string& path, const OpenOptions& options) {
  auto archive = std::make_shared<const Archive>(path, options);
  if (!archive->root().files.count("meta.json"))
    throw Error(Code::corrupt, "the archive has no meta.json").where(path).hint_naming(what_else(archive->root()));
  const ArchivedTree& root = archive->root();
  auto all = std::make_unique<const ArchiveFolder>(std::move(archive), root, "", options.mode);
  return read_memmap(*folder_of(std::move(all), options.part), options.lenient);
}

}  // namespace td::storage
