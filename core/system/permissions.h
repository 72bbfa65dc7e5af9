// The permissions of a file that is replaced: the new file gives no access that the old one did not give.
#pragma once

#include <string>

#include <sys/stat.h>

#include "core/system/file.h"
#include "core/torch_compat.h"

namespace td::storage {

class Permissions {
 public:
  explicit Permissions(const struct stat& s) : mode_(s.st_mode & 0777), owner_(s.st_uid), group_(s.st_gid) {}

  // Of what lies at `path` itself, a link not followed; none if there is nothing.
  static optional<Permissions> of(const std::string& path);

  // Gives them to a file or a directory: owner and group where this process may, and no rights to a group that is
  // another.
  void give_to(const Fd& file, const std::string& where) const;

 private:
  mode_t mode_;
  uid_t owner_;
  gid_t group_;
};

}  // namespace td::storage
