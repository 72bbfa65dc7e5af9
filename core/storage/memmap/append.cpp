#include "core/storage/memmap/append.h"

#include <cerrno>
#include <filesystem>
#include <memory>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "core/storage/formats.h"
#include "core/storage/leaf.h"
#include "core/storage/memmap/append_plan.h"
#include "core/storage/memmap/live_directory.h"
#include "core/storage/names.h"
#include "core/storage/staging.h"
#include "core/storage/storage.h"
#include "core/system/file.h"
#include "core/system/permissions.h"
#include "core/tensor/memory.h"

namespace td::storage {

namespace {

namespace fs = std::filesystem;

// Tells whether a file was replaced.
class Identity {
 public:
  explicit Identity(std::string path) : path_(std::move(path)) { there_ = stat(path_.c_str(), &s_) == 0; }
  bool changed() const {
    struct stat now;
    return !there_ || stat(path_.c_str(), &now) != 0 || now.st_dev != s_.st_dev || now.st_ino != s_.st_ino;
  }

 private:
  std::string path_;
  struct stat s_;
  bool there_;
};

// Extends the files of leaves: readers ignore bytes that meta.json does not mention. Undone unless it was replaced.
class Growth {
 public:
  explicit Growth(const std::string& meta_file) : meta_(meta_file) {}
  ~Growth() {
    if (meta_.changed()) return;
    for (const Grown& g : grown_)
      if (g.made)
        unlink(g.path.c_str());
      else if (ftruncate(g.file.get(), g.old_size) != 0)
        continue;  // a file that is too long is read all the same
  }

  void grow(const std::string& path, const GrowingFile& f, bool sync_too) {
    bool made = false;
    Fd file = open_or_make(path, f.old_bytes == 0, &made);
    int64_t size = size_of(file, path), bytes = f.rows.numel() * static_cast<int64_t>(f.rows.element_size());
    grown_.push_back({path, std::move(file), size, made});
    const Fd& to = grown_.back().file;
    allocate(to, f.old_bytes + bytes, path);
    at::Tensor d = dense(f.rows);
    write_bytes_at(to, f.old_bytes, data(d), static_cast<size_t>(bytes), path);
    if (sync_too) sync(to, path);
  }

 private:
  struct Grown {
    std::string path;
    Fd file;
    int64_t old_size;
    bool made;
  };

  // A leaf without elements has no file; what lies under its name then is none of the save's.
  static Fd open_or_make(const std::string& path, bool may_be_missing, bool* made) {
    int64_t size = 0;
    Fd file = open_regular(AT_FDCWD, path, path, &size, true);
    if (file) return file;
    if (!may_be_missing) throw os_error(ENOENT, "open", path);
    file = Fd(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!file) throw os_error(errno, "create", path);
    *made = true;
    std::string meta = path.substr(0, path.rfind('/') + 1) + std::string(meta_name);
    if (optional<Permissions> rights = Permissions::of(meta)) rights->give_to(file, path);
    return file;
  }

  Identity meta_;
  std::vector<Grown> grown_;
};

// The same files under the same names in other directories, but for the new meta.json files.
class Copy {
 public:
  Copy(std::string root, const std::vector<GrowingDirectory>& plan, bool sync)
      : root_(std::move(root)), plan_(plan), sync_(sync) {}

  void fill(const Fd& made, const std::string& below) const {
    std::string where = root_ + below;
    Fd old(::open(where.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!old) throw os_error(errno, "open", where);
    const std::string* meta = meta_of(below);
    for (const std::string& name : names_in(old, where)) {
      std::string path = where + '/' + name;
      struct stat s;
      if (fstatat(old.get(), name.c_str(), &s, AT_SYMLINK_NOFOLLOW) != 0) throw os_error(errno, "stat", path);
      if (S_ISDIR(s.st_mode)) {
        directory(made, name, below + '/' + name, Permissions(s));
      } else if (meta && name == meta_name) {
        write_meta(made, *meta, Permissions(s), path);
      } else if (linkat(old.get(), name.c_str(), made.get(), name.c_str(), 0) != 0) {
        throw os_error(errno, "link", path).hint("the file system must have links to append to a dict of dicts");
      }
    }
    if (sync_) sync(made, where);
  }

 private:
  const std::string* meta_of(const std::string& below) const {
    for (const GrowingDirectory& d : plan_)
      if (d.below == below) return &d.meta;
    return nullptr;
  }

  void directory(const Fd& parent, const std::string& name, const std::string& below, const Permissions& rights) const {
    std::string where = root_ + below;
    if (mkdirat(parent.get(), name.c_str(), 0700) != 0) throw os_error(errno, "make the directory", where);
    Fd made = open_directory(parent.get(), name, where);
    if (!made) throw os_error(ENOENT, "open", where);
    fill(made, below);
    rights.give_to(made, where);
  }

  void write_meta(const Fd& directory, const std::string& text, const Permissions& rights,
                  const std::string& where) const {
    Fd file(openat(directory.get(), meta_name.data(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!file) throw os_error(errno, "create", where);
    rights.give_to(file, where);
    write_bytes(file, text.data(), text.size(), where);
    if (sync_) sync(file, where);
  }

  std::string root_;
  const std::vector<GrowingDirectory>& plan_;
  bool sync_;
};

// Atomic, however many directories there are: a process that opens the save gets all old row counts or all new ones.
void publish(const std::string& root, const std::vector<GrowingDirectory>& plan, LiveDirectory& first, bool sync_too) {
  if (plan.size() == 1) {
    first.put(std::string(meta_name), [&](const Fd& file, const std::string& where) {
      write_bytes(file, plan[0].meta.data(), plan[0].meta.size(), where);
      if (sync_too) sync(file, where);
    });
    return;
  }
  Staging staging(root, true);
  Copy(root, plan, sync_too).fill(staging.directory(), "");
  staging.publish(sync_too);
}

std::vector<GrowingDirectory> plan_of(const std::string& root, const Node& rows) {
  OpenOptions how;
  how.format = Format::memmap;
  return plan_append(root, *open(root, how), rows);
}

std::vector<std::string> directories(const std::vector<GrowingDirectory>& plan) {
  std::vector<std::string> names;
  for (const GrowingDirectory& d : plan) names.push_back(d.below);
  return names;
}

}  // namespace

void append_rows(std::string_view given, const Node& rows, bool sync_too) {
  std::string path = checked_path(given);
  if (Format f = format_of(path); f != Format::memmap)
    throw Error(Code::unsupported, std::string("a ") + format_name(f) + " cannot grow")
        .where(path)
        .hint("rows are appended to memmap directories: save it as one");
  std::error_code failed;
  std::string root = fs::canonical(path, failed).string();
  if (failed) throw os_error(failed.value(), "find", path);

  LiveDirectory lock(root);
  std::vector<std::unique_ptr<LiveDirectory>> below;  // a process that adds an entry to one of them waits, too
  std::vector<GrowingDirectory> plan = plan_of(root, rows);
  for (std::vector<std::string> locked = {""}; locked != directories(plan); plan = plan_of(root, rows)) {
    locked = directories(plan);
    below.clear();
    for (const std::string& d : locked)
      if (!d.empty()) below.push_back(std::make_unique<LiveDirectory>(root + d));
  }
  LiveDirectory& first = plan[0].below.empty() ? lock : *below[0];
  Growth growth(root + plan[0].below + '/' + std::string(meta_name));
  for (const GrowingDirectory& d : plan)
    for (const GrowingFile& f : d.files) growth.grow(root + d.below + '/' + f.name, f, sync_too);
  publish(root, plan, first, sync_too);
}

}  // namespace td::storage
