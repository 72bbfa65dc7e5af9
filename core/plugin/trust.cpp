#include "core/plugin/trust.h"

#include <cerrno>

#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>
#include <boost/dll/runtime_symbol_info.hpp>

#include "core/error.h"

namespace td::plugin {

namespace {

namespace fs = std::filesystem;

struct stat look_up(const fs::path& path) {
  struct stat s;
  if (::stat(path.c_str(), &s) != 0) throw os_error(errno, "stat", path.string());
  return s;
}

uid_t owner_of_this_library() {
  std::error_code failed;
  struct stat s;
  fs::path self = boost::dll::this_line_location(failed);
  return !failed && ::stat(self.c_str(), &s) == 0 ? s.st_uid : ::geteuid();
}

bool trusted_owner(const struct stat& s) {
  static const uid_t library = owner_of_this_library();
  return s.st_uid == 0 || s.st_uid == ::geteuid() || s.st_uid == library;
}

// The group that belongs to this user, or to root, is nobody else.
bool others_may_write(const struct stat& s) {
  return (s.st_mode & S_IWOTH) != 0 || ((s.st_mode & S_IWGRP) != 0 && s.st_gid != ::getegid() && s.st_gid != 0);
}

[[noreturn]] void refuse(const std::string& why, const fs::path& file, const char* hint) {
  throw Error(Code::plugin, why).where(file.string()).hint(hint);
}

// In a directory like /tmp, whose sticky bit is set, names belong to those who made them.
void check_directory(const fs::path& directory, const fs::path& file) {
  struct stat s = look_up(directory);
  std::string which =
      directory == file.parent_path() ? "its directory" : "the directory '" + directory.string() + "' above it";
  if (others_may_write(s) && !(s.st_mode & S_ISVTX))
    refuse("others may write to " + which, file, "chmod go-w the directory");
  if (!trusted_owner(s)) refuse("another user owns " + which, file, "copy the file elsewhere");
}

}  // namespace

FileId check_trusted(const fs::path& file) {
  struct stat self = look_up(file);
  if (!S_ISREG(self.st_mode)) refuse("not a regular file", file, "");
  if (others_may_write(self)) refuse("others may write to the file", file, "chmod go-w the file");
  if (!trusted_owner(self)) refuse("another user owns the file", file, "copy it elsewhere");
  for (fs::path d = file.parent_path();; d = d.parent_path()) {
    check_directory(d, file);
    if (d == d.parent_path()) break;
  }
  return {self.st_dev, self.st_ino};
}

bool is_set_id_process() {
#if defined(AT_SECURE)
  if (::getauxval(AT_SECURE) != 0) return true;
#endif
  return ::getuid() != ::geteuid() || ::getgid() != ::getegid();
}

}  // namespace td::plugin
