#include "core/storage/staging.h"

#include <cerrno>
#include <cstdio>
#include <filesystem>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"

namespace td::storage {

namespace {

namespace fs = std::filesystem;

// Two kinds of temporary name: what is being built or thrown away, and an old save that waits for its successor where
// the file system cannot exchange two names. The second is not removed while the target is missing.
constexpr const char *building = ".saving-", *waiting = ".old-";

bool exists(const std::string& path) {
  struct stat s;
  return lstat(path.c_str(), &s) == 0;
}

Fd open_any_directory(const std::string& path) {
  return Fd(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

bool same_file(const Fd& file, const std::string& path) {
  struct stat a, b;
  return fstat(file.get(), &a) == 0 && lstat(path.c_str(), &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

int rename_with(const std::string& from, const std::string& to, unsigned flags) {
#if defined(RENAME_EXCHANGE)
  return renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), flags);
#else
  (void)from, (void)to, (void)flags;
  return errno = ENOSYS, -1;
#endif
}
#if !defined(RENAME_EXCHANGE)
constexpr unsigned RENAME_EXCHANGE = 0, RENAME_NOREPLACE = 0;
#endif

// Also false if it cannot be read.
bool is_empty_directory(const std::string& path) {
  Fd directory = open_any_directory(path);
  return directory && names_in(directory, path).empty();
}

bool flag_unknown() {
  return errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP;
}

}  // namespace

Staging::Staging(const std::string& target, bool overwrite) : target_(target), overwrite_(overwrite) {
  while (target_.size() > 1 && target_.back() == '/') target_.pop_back();
  base_ = fs::path(target_).filename().string();
  parent_ = fs::path(target_).parent_path().string();
  if (parent_.empty()) parent_ = ".";
  if (base_.empty() || base_ == "." || base_ == "..")
    throw Error(Code::argument, "the path does not end with a name").where(target);
  if (base_.size() > 255)
    throw Error(Code::argument, "the last part of the path is longer than 255 bytes").where(target);
  check_target();
  try {
    make_parents();
    remove_leftovers();
    make_directory();
  } catch (...) {
    for (; !made_parents_.empty(); made_parents_.pop_back()) rmdir(made_parents_.back().c_str());
    throw;
  }
}

Staging::~Staging() {
  if (!published_) {
    remove_tree(path_);
    for (; !made_parents_.empty(); made_parents_.pop_back()) rmdir(made_parents_.back().c_str());
  }
  unlock(directory_);
}

void Staging::check_target() {
  struct stat s, meta;
  empty_ = nullopt;
  if (lstat(target_.c_str(), &s) != 0) return;
  if (S_ISDIR(s.st_mode) && is_empty_directory(target_)) {
    empty_.emplace(s);
    return;
  }
  if (!overwrite_)
    throw Error(Code::exists, "something exists at this path").where(target_).hint("choose another path, or overwrite");
  bool earlier_save =
      S_ISDIR(s.st_mode) && lstat((target_ + "/meta.json").c_str(), &meta) == 0 && S_ISREG(meta.st_mode);
  if (!earlier_save)
    throw Error(Code::exists, "this path holds something that is not an earlier save")
        .where(target_)
        .hint("overwrite replaces whole saves only; remove it yourself, or choose another path");
  if (!rights_) rights_.emplace(Rights{Permissions(s), Permissions(meta)});
}

void Staging::make_parents() {
  std::vector<std::string> missing;
  for (fs::path p = parent_; !p.empty() && !exists(p.string()); p = p.parent_path()) missing.push_back(p.string());
  for (; !missing.empty(); missing.pop_back()) {
    if (mkdir(missing.back().c_str(), 0777) == 0)
      made_parents_.push_back(missing.back());
    else if (errno != EEXIST)
      throw os_error(errno, "make the directory", missing.back());
  }
}

void Staging::remove_leftovers() const {
  std::string prefix = '.' + base_.substr(0, 200);
  for (const std::string& name : names_at(parent_)) {
    const std::string path = parent_ + '/' + name;
    bool ours = name.rfind(prefix + building, 0) == 0 || (name.rfind(prefix + waiting, 0) == 0 && exists(target_));
    if (!ours) continue;
    Fd directory = open_any_directory(path);
    if (directory && flock(directory.get(), LOCK_EX | LOCK_NB) == 0 && same_file(directory, path)) remove_tree(path);
  }
}

void Staging::make_directory() {
  for (int attempts = 0; attempts < 100; ++attempts) {
    path_ = parent_ + "/." + base_.substr(0, 200) + building + random_suffix();
    if (mkdir(path_.c_str(), rights_ || empty_ ? 0700 : 0777) != 0) {
      if (errno == EEXIST) continue;
      throw os_error(errno, "make a directory beside the target", parent_);
    }
    directory_ = open_any_directory(path_);
    if (!directory_ && errno != ENOENT) {
      int error = errno;
      rmdir(path_.c_str());
      throw os_error(error, "open", path_);
    }
    // Another save may have taken it for a leftover before it was locked; a file system without locks has no sweepers.
    if (directory_ && (flock(directory_.get(), LOCK_EX) == 0 || errno != EINTR) && same_file(directory_, path_)) return;
  }
  throw Error(Code::io, "no temporary directory could be made").where(parent_);
}

bool Staging::exchange() {
  if (rename_with(path_, target_, RENAME_EXCHANGE) == 0) return true;
  if (!flag_unknown()) throw os_error(errno, "rename", target_);
  return false;
}

void Staging::publish(bool sync_too) {
  if (overwrite_ || empty_) check_target();
  if (rights_ || empty_) (empty_ ? *empty_ : rights_->directory).give_to(directory_, path_);
  if (sync_too) sync(directory_, path_);
  if (overwrite_ || empty_) check_target();
  if (empty_) {  // which a rename replaces, and nothing else does it: what somebody put there meanwhile stays
    if (std::rename(path_.c_str(), target_.c_str()) != 0) {
      int error = errno;
      check_target();
      throw os_error(error, "rename", target_);
    }
    published_ = true;
  } else if (overwrite_ && exists(target_)) {
    std::string old = path_;
    if (!exchange()) {
      old = parent_ + "/." + base_.substr(0, 200) + waiting + random_suffix();
      if (std::rename(target_.c_str(), old.c_str()) != 0) throw os_error(errno, "rename", target_);
      if (std::rename(path_.c_str(), target_.c_str()) != 0) {
        int error = errno;
        std::rename(old.c_str(), target_.c_str());
        throw os_error(error, "rename", target_);
      }
    }
    published_ = true;
    remove_tree(old);  // the new save stands; what cannot be removed now is a leftover
  } else {
    int failed = rename_with(path_, target_, RENAME_NOREPLACE);
    if (failed && flag_unknown()) failed = std::rename(path_.c_str(), target_.c_str());
    if (failed) throw os_error(errno, "rename", target_);
    published_ = true;
  }
  if (!sync_too) return;
  Fd parent = Fd(::open(parent_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!parent) throw os_error(errno, "open", parent_);
  sync(parent, parent_);
}

}  // namespace td::storage
