// Groups that are one user's alone. Debian and its kin give every user a group of the same name and let it write to new
// files, so a build tree of such a user is full of files that "a group" may write.
#pragma once

#include <filesystem>

#include <sys/stat.h>

namespace td::plugin {

// True if whoever may write to `path` by its group is this process's user: its primary group has the user's name, no
// further members and no second user, and `path` has no access control list. False for root, and wherever it cannot be
// known.
bool only_this_user(const struct stat& s, const std::filesystem::path& path);

}  // namespace td::plugin
