#include "core/shm/registry_file.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "core/error.h"
#include "core/system/platform.h"

#if defined(__linux__)
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace td::shm {

#if defined(__linux__)

namespace {

constexpr int max_attempts = 100;

std::string usual_name() {
  return ".td." + std::to_string(geteuid()) + ".registry";
}

std::string in_directory(const std::string& name) {
  return std::string(shared_directory) + '/' + name;
}

// An empty file of this user that no other user may write. Any other file of that name is not a registry.
bool is_ours(const struct stat& s) {
  return S_ISREG(s.st_mode) && s.st_uid == geteuid() && !(s.st_mode & (S_IWGRP | S_IWOTH)) && s.st_size == 0;
}

bool is_ours(const std::string& path) {
  struct stat s;
  return lstat(path.c_str(), &s) == 0 && is_ours(s);
}

storage::Fd open_ours(const std::string& path) {
  storage::Fd file(::open(path.c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  if (!file && errno != ENOENT) throw os_error(errno, "open", path);
  struct stat s;
  return file && fstat(file.get(), &s) == 0 && is_ours(s) ? std::move(file) : storage::Fd();
}

storage::Fd make(const std::string& path) {
  storage::Fd file(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file && errno != EEXIST) throw os_error(errno, "create", path);
  return file;
}

// Ours beside the usual name, sorted.
std::vector<std::string> others() {
  std::string prefix = usual_name() + '.';
  std::vector<std::string> found;
  for (const std::string& name :
       storage::names_in(storage::open_directory(AT_FDCWD, shared_directory, shared_directory), shared_directory))
    if (name.compare(0, prefix.size(), prefix) == 0 && is_ours(in_directory(name))) found.push_back(in_directory(name));
  std::sort(found.begin(), found.end());
  return found;
}

void wait_a_little() {
  uint8_t turn = 0;
  random_bytes(&turn, sizeof turn);
  std::this_thread::sleep_for(std::chrono::microseconds(200 + 20 * turn));
}

// Under a name that cannot be foreseen. Of two that are made at once each maker sees at least the other's or is seen by
// it; who sees another's takes its own away, so that never two stay in use. Empty if it has to be tried again.
storage::Fd make_other() {
  std::string path = in_directory(usual_name() + '.' + storage::random_suffix());
  storage::Fd file = make(path);
  if (!file || others().size() == 1) return file;
  unlink(path.c_str());
  wait_a_little();
  return {};
}

}  // namespace

storage::Fd open_registry() {
  std::string usual = in_directory(usual_name());
  for (int attempt = 0; attempt < max_attempts; ++attempt) {
    if (is_ours(usual)) {
      if (storage::Fd file = open_ours(usual)) return file;
      continue;
    }
    std::vector<std::string> found = others();
    if (found.size() > 1 && attempt < max_attempts / 2) {
      wait_a_little();  // their makers are about to agree
    } else if (!found.empty()) {
      if (storage::Fd file = open_ours(found.front())) return file;
    } else if (storage::Fd file = make(usual)) {
      return file;
    } else if (!is_ours(usual)) {
      if (storage::Fd other = make_other()) return other;
    }
  }
  throw Error(Code::io, "no registry could be agreed on")
      .where(usual)
      .hint("another user has taken this name; root can remove it");
}

bool is_registry(int file) {
  struct stat there, here;
  if (fstat(file, &here) != 0 || here.st_nlink == 0) return false;
  // While the usual name is a stranger's, the one that was agreed on stays.
  if (lstat(in_directory(usual_name()).c_str(), &there) != 0 || !is_ours(there)) return true;
  return there.st_dev == here.st_dev && there.st_ino == here.st_ino;
}

#else

storage::Fd open_registry() {
  throw Error(Code::unsupported, "shared segments need Linux").hint("share a memmap directory instead");
}
bool is_registry(int) {
  return false;
}

#endif

}  // namespace td::shm
