#include "core/system/private_group.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <grp.h>
#include <pwd.h>
#include <sys/xattr.h>
#include <unistd.h>

namespace td::plugin {

namespace {

bool has_access_list(const std::filesystem::path& path) {
  return ::getxattr(path.c_str(), "system.posix_acl_access", nullptr, 0) >= 0 || (errno != ENODATA && errno != ENOTSUP);
}

// True if a user but this one has the group as the primary one. Users of a directory service are not listed; by their
// service's rules their primary groups are their own, or have another name.
bool shared_with_others(gid_t group, uid_t user) {
  std::unique_ptr<FILE, int (*)(FILE*)> list(std::fopen("/etc/passwd", "re"), std::fclose);
  if (!list) return true;
  std::vector<char> space(16384);
  struct passwd entry, *found = nullptr;
  int failed = 0;
  while ((failed = ::fgetpwent_r(list.get(), &entry, space.data(), space.size(), &found)) == 0 && found)
    if (found->pw_gid == group && found->pw_uid != user) return true;
  return failed != ENOENT && failed != 0;
}

bool private_group(gid_t group) {
  const uid_t user = ::geteuid();
  std::vector<char> user_space(16384), group_space(65536);
  struct passwd person, *who = nullptr;
  struct group set, *which = nullptr;
  if (user == 0 || ::getpwuid_r(user, &person, user_space.data(), user_space.size(), &who) != 0 || !who) return false;
  if (who->pw_gid != group) return false;
  if (::getgrgid_r(group, &set, group_space.data(), group_space.size(), &which) != 0 || !which) return false;
  if (std::strcmp(who->pw_name, which->gr_name) != 0) return false;
  for (char** member = which->gr_mem; *member; ++member)
    if (std::strcmp(*member, who->pw_name) != 0) return false;
  return !shared_with_others(group, user);
}

}  // namespace

bool only_this_user(const struct stat& s, const std::filesystem::path& path) {
  return s.st_uid == ::geteuid() && !has_access_list(path) && private_group(s.st_gid);
}

}  // namespace td::plugin
