#include "core/storage/staged_file.h"

#include <cerrno>
#include <cstdio>
#include <filesystem>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "core/system/permissions.h"

namespace td::storage {

namespace {

namespace fs = std::filesystem;

constexpr const char* writing = ".writing-";

bool something_at(const std::string& path, mode_t* kind = nullptr) {
  struct stat s;
  if (lstat(path.c_str(), &s) != 0) return false;
  if (kind) *kind = s.st_mode;
  return true;
}

bool is_at(const Fd& file, const std::string& path) {
  struct stat a, b;
  return fstat(file.get(), &a) == 0 && lstat(path.c_str(), &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

}  // namespace

StagedFile::StagedFile(const std::string& target, bool overwrite) : target_(target), overwrite_(overwrite) {
  base_ = fs::path(target_).filename().string();
  parent_ = fs::path(target_).parent_path().string();
  if (parent_.empty()) parent_ = ".";
  if (base_.empty() || base_ == "." || base_ == "..")
    throw Error(Code::argument, "the path does not end with a name").where(target);
  if (base_.size() > 255)
    throw Error(Code::argument, "the last part of the path is longer than 255 bytes").where(target);
  check_target();
  remove_leftovers();
  make_file();
}

StagedFile::~StagedFile() {
  if (!published_) unlink(path_.c_str());
  unlock(file_);
}

void StagedFile::check_target() const {
  mode_t kind = 0;
  if (!something_at(target_, &kind)) return;
  if (!overwrite_)
    throw Error(Code::exists, "something exists at this path").where(target_).hint("choose another path, or overwrite");
  if (!S_ISREG(kind))
    throw Error(Code::exists, "this path holds something that is not a file")
        .where(target_)
        .hint("overwrite replaces files only; remove it yourself, or choose another path");
}

void StagedFile::remove_leftovers() const {
  std::string prefix = '.' + base_.substr(0, 200) + writing;
  for (const std::string& name : names_at(parent_)) {
    if (name.rfind(prefix, 0) != 0) continue;
    const std::string path = parent_ + '/' + name;
    Fd file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
    if (file && flock(file.get(), LOCK_EX | LOCK_NB) == 0 && is_at(file, path)) unlink(path.c_str());
  }
}

void StagedFile::make_file() {
  for (int attempts = 0; attempts < 100; ++attempts) {
    path_ = parent_ + "/." + base_.substr(0, 200) + writing + random_suffix();
    mode_t mode = something_at(target_) ? 0600 : 0666;  // it takes over the rights of what it replaces when it is whole
    file_ = Fd(::open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
    if (!file_ && errno == ENOENT)
      throw os_error(errno, "create a file", target_).hint("there is no directory " + parent_ + ": make it first");
    if (!file_ && errno != EEXIST) throw os_error(errno, "create a file beside the target", target_);
    // Another save may have taken it for a leftover before it was locked; a file system without locks has no sweepers.
    if (file_ && (flock(file_.get(), LOCK_EX) == 0 || errno != EINTR) && is_at(file_, path_)) return;
  }
  throw Error(Code::io, "no temporary file could be made").where(parent_);
}

void StagedFile::publish(bool sync_too) {
  if (optional<Permissions> old = overwrite_ ? Permissions::of(target_) : nullopt) {
    check_target();
    old->give_to(file_, path_);
  }
  if (sync_too) sync(file_, path_);
  if (overwrite_) {
    check_target();
    if (std::rename(path_.c_str(), target_.c_str()) != 0) throw os_error(errno, "rename", target_);
  } else {  // unlike rename, link never replaces anything
    if (link(path_.c_str(), target_.c_str()) != 0) {
      if (errno == EEXIST) check_target();
      if (errno != EPERM && errno != EOPNOTSUPP && errno != ENOSYS) throw os_error(errno, "link", target_);
      check_target();  // a file system without links
      if (std::rename(path_.c_str(), target_.c_str()) != 0) throw os_error(errno, "rename", target_);
    } else {
      unlink(path_.c_str());
    }
  }
  published_ = true;
  if (!sync_too) return;
  Fd parent(::open(parent_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!parent) throw os_error(errno, "open", parent_);
  sync(parent, parent_);
}

}  // namespace td::storage
