#include "core/shm/platform.h"

#include <cerrno>
#include <cstdio>

#include "core/error.h"

#if defined(__linux__)
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace td::shm {

#if defined(__linux__)

namespace {

constexpr const char* directory = "/dev/shm";
constexpr size_t longest_segment_name = 200;

bool name_char(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-';
}

// The start time of a process in clock ticks after boot; 0 if it does not run. Field 22, behind a name in parentheses.
uint64_t start_time(uint64_t pid) {
  std::string path = "/proc/" + std::to_string(pid) + "/stat";
  storage::Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return 0;
  char text[1024];
  ssize_t n = read(file.get(), text, sizeof text - 1);
  std::string stat(text, n > 0 ? static_cast<size_t>(n) : 0);
  size_t at = stat.rfind(')');
  if (at == stat.npos || at + 2 >= stat.size() || stat[at + 2] == 'Z') return 0;
  for (int field = 2; field < 22 && at != stat.npos; ++field) at = stat.find(' ', at + 1);
  return at == stat.npos ? 0 : std::strtoull(stat.c_str() + at, nullptr, 10);
}

}  // namespace

std::string path_of(std::string_view name) {
  bool good = !name.empty() && name.size() <= longest_segment_name && name[0] != '.';
  for (char c : name) good = good && name_char(c);
  if (!good)
    throw Error(Code::argument, "bad segment name '" + std::string(name.substr(0, 300)) + "'")
        .hint("1 to 200 of A-Z a-z 0-9 _ . -, not beginning with a dot");
  return std::string(directory) + '/' + std::string(name);
}

Identity identity(const storage::Fd& file) {
  struct stat s;
  if (fstat(file.get(), &s) != 0) throw os_error(errno, "stat", directory);
  return {s.st_dev, s.st_ino};
}

Process this_process() {
  auto pid = static_cast<uint64_t>(getpid());
  return {pid, start_time(pid)};
}

bool alive(const Process& p) {
  uint64_t start = start_time(p.pid);
  return start != 0 && (p.start == 0 || start == p.start);
}

storage::Fd make_unnamed(int64_t size, const std::string& path) {
  storage::Fd file(::open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (!file && (errno == EISDIR || errno == EOPNOTSUPP))
    throw Error(Code::unsupported, "files without a name cannot be made in /dev/shm").where(path);
  if (!file) throw os_error(errno, "create", path);
  if (fchmod(file.get(), 0600) != 0) throw os_error(errno, "chmod", path);
  storage::allocate(file, size, path);
  return file;
}

bool taken(const std::string& path) {
  struct stat s;
  return lstat(path.c_str(), &s) == 0;
}

bool publish(const storage::Fd& file, const std::string& path) {
  std::string self = "/proc/self/fd/" + std::to_string(file.get());
  int failed = linkat(AT_FDCWD, self.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW);
  // Without /proc a privileged process can still do it directly.
  if (failed && errno == ENOENT) failed = linkat(file.get(), "", AT_FDCWD, path.c_str(), AT_EMPTY_PATH);
  if (failed && errno == EEXIST) return false;
  if (failed) throw os_error(errno, "publish", path);
  return true;
}

storage::Fd open_named(const std::string& path) {
  storage::Fd file = storage::open_regular(AT_FDCWD, path, path);
  if (!file) return file;
  struct stat s;
  if (fstat(file.get(), &s) != 0) throw os_error(errno, "stat", path);
  if (s.st_uid != geteuid())
    throw Error(Code::io, "the file belongs to user " + std::to_string(s.st_uid))
        .where(path)
        .hint("a segment is for one user");
  if (s.st_mode & (S_IWGRP | S_IWOTH))
    throw Error(Code::io, "other users may write to the file").where(path).hint("a segment is for one user: chmod 600");
  return file;
}

bool unlink_if(const std::string& path, const Identity& file) {
  struct stat s;
  if (lstat(path.c_str(), &s) != 0) return false;
  if (!(Identity{s.st_dev, s.st_ino} == file)) return false;
  if (unlink(path.c_str()) == 0) return true;
  if (errno == ENOENT) return false;
  throw os_error(errno, "unlink", path);
}

#else

namespace {
[[noreturn]] void unsupported() {
  throw Error(Code::unsupported, "shared segments need Linux").hint("share a memmap directory instead");
}
}  // namespace

std::string path_of(std::string_view) {
  unsupported();
}
Identity identity(const storage::Fd&) {
  unsupported();
}
Process this_process() {
  unsupported();
}
bool alive(const Process&) {
  unsupported();
}
storage::Fd make_unnamed(int64_t, const std::string&) {
  unsupported();
}
bool taken(const std::string&) {
  unsupported();
}
bool publish(const storage::Fd&, const std::string&) {
  unsupported();
}
storage::Fd open_named(const std::string&) {
  unsupported();
}
bool unlink_if(const std::string&, const Identity&) {
  unsupported();
}

#endif

}  // namespace td::shm
