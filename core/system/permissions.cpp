#include "core/system/permissions.h"

#include <cerrno>

#include <unistd.h>

#include "core/error.h"

namespace td::storage {

optional<Permissions> Permissions::of(const std::string& path) {
  struct stat s;
  return lstat(path.c_str(), &s) == 0 ? optional<Permissions>(Permissions(s)) : nullopt;
}

void Permissions::give_to(const Fd& file, const std::string& where) const {
  struct stat now;
  if (fstat(file.get(), &now) != 0) throw os_error(errno, "stat", where);
  mode_t mode = mode_;
  if (now.st_gid != group_ && fchown(file.get(), static_cast<uid_t>(-1), group_) != 0) mode &= ~mode_t{070};
  // Only the administrator may give files away; what was others' stays the saver's own then.
  int kept = now.st_uid == owner_ ? 0 : fchown(file.get(), owner_, static_cast<gid_t>(-1));
  (void)kept;
  if (fchmod(file.get(), mode) == 0) return;
  // A file system without rights refuses; that is harmless where it gives no more than there were.
  int error = errno;
  if (fstat(file.get(), &now) != 0 || (now.st_mode & 0777 & ~mode) != 0) throw os_error(error, "set the mode", where);
}

}  // namespace td::storage
