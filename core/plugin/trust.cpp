#include "core/plugin/trust.h"

#include <cerrno>

#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"

namespace td::plugin {

namespace {

struct stat look_up(const std::filesystem::path& path) {
  struct stat s;
  if (::stat(path.c_str(), &s) != 0) throw os_error(errno, "stat", path.string());
  return s;
}

}  // namespace

FileId check_trusted(const std::filesystem::path& file) {
  auto refuse = [&](const char* why, const char* hint) {
    throw Error(Code::plugin, why).where(file.string()).hint(hint);
  };
  struct stat self = look_up(file), folder = look_up(file.parent_path());
  if (!S_ISREG(self.st_mode)) refuse("not a regular file", "");
  if (self.st_mode & S_IWOTH) refuse("others may write to the file", "chmod o-w the file");
  if (folder.st_mode & S_IWOTH) {
    if (!(folder.st_mode & S_ISVTX)) refuse("others may write to its directory", "chmod o-w the directory");
    // In a directory like /tmp anybody may have made the file.
    if (self.st_uid != 0 && self.st_uid != ::geteuid())
      refuse("another user owns it, in a directory that everybody writes to", "copy it elsewhere");
  }
  return {self.st_dev, self.st_ino};
}

}  // namespace td::plugin
