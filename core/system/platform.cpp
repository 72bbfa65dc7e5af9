#include "core/system/platform.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "core/error.h"

#if defined(__linux__)
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace td::shm {

#if defined(__linux__)

namespace {

constexpr const char* directory = shared_directory;
constexpr size_t longest_segment_name = 200;
constexpr int max_attempts = 100;  // each fails only if another process gave the name to another file meanwhile

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

Identity identity(int file) {
  struct stat s;
  if (fstat(file, &s) != 0) throw os_error(errno, "stat", directory);
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

bool publish(int file, const std::string& path) {
  std::string self = "/proc/self/fd/" + std::to_string(file);
  int failed = linkat(AT_FDCWD, self.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW);
  // Without /proc a privileged process can still do it directly.
  if (failed && errno == ENOENT) failed = linkat(file, "", AT_FDCWD, path.c_str(), AT_EMPTY_PATH);
  if (failed && errno == EEXIST) return false;
  if (failed) throw os_error(errno, "publish", path);
  return true;
}

namespace {

void check_private(const storage::Fd& file, const std::string& path) {
  struct stat s;
  if (fstat(file.get(), &s) != 0) throw os_error(errno, "stat", path);
  if (s.st_uid != geteuid())
    throw Error(Code::io, "the file belongs to user " + std::to_string(s.st_uid))
        .where(path)
        .hint("a segment is for one user");
  if (s.st_mode & (S_IWGRP | S_IWOTH))
    throw Error(Code::io, "other users may write to the file").where(path).hint("a segment is for one user: chmod 600");
}

}  // namespace

storage::Fd open_named(const std::string& path) {
  storage::Fd file = storage::open_regular(AT_FDCWD, path, path);
  if (file) check_private(file, path);
  return file;
}

storage::Fd open_shared(const std::string& path) {
  for (int attempt = 0; attempt < max_attempts; ++attempt) {
    // First as a reader, which finds out what kind of file it is without touching it.
    storage::Fd file = open_named(path);
    if (!file) return file;
    storage::Fd both(::open(path.c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
    if (!both && errno == ENOENT) return both;
    if (!both) throw os_error(errno, "open", path);
    if (!(identity(both) == identity(file))) continue;  // another process gave the name to another file meanwhile
    check_private(both, path);
    return both;
  }
  throw Error(Code::not_found, "the name is given to one file after another").where(path).hint("try again");
}

bool named(int file) {
  struct stat s;
  return fstat(file, &s) != 0 || s.st_nlink > 0;
}

storage::Fd make_memory(int64_t size, const std::string& where) {
  storage::Fd file(memfd_create("tensordict", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!file) throw os_error(errno, "make a file of memory", where);
  storage::allocate(file, size, where);
  return file;
}

namespace {

constexpr int all_seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL;

}  // namespace

void seal(const storage::Fd& file, const std::string& where) {
  if (fcntl(file.get(), F_ADD_SEALS, all_seals) != 0) throw os_error(errno, "seal", where);
}

storage::Fd open_sealed(int fd, const std::string& where) {
  int seals = fcntl(fd, F_GET_SEALS);
  if (seals < 0 && errno == EBADF) throw Error(Code::argument, "the descriptor is not open").where(where);
  if (seals < 0 || (seals & all_seals) != all_seals)
    throw Error(Code::argument, "the sender of the descriptor could still change the memory")
        .where(where)
        .hint_naming("send a descriptor from {segment_export}");
  storage::Fd own(fcntl(fd, F_DUPFD_CLOEXEC, 0));
  if (!own) throw os_error(errno, "duplicate the descriptor", where);
  return own;
}

std::vector<std::string> names_with(std::string_view prefix) {
  std::vector<std::string> names;
  for (std::string& name : storage::names_in(storage::open_directory(AT_FDCWD, directory, directory), directory))
    if (name[0] != '.' && name.compare(0, prefix.size(), prefix) == 0) names.push_back(std::move(name));
  std::sort(names.begin(), names.end());
  return names;
}

void prefer_large_pages(void* memory, int64_t size) {
  madvise(memory, static_cast<size_t>(size), MADV_HUGEPAGE);  // a wish: small pages hold the same bytes
}

void populate(const void* memory, int64_t size, const std::string& where) {
#if defined(MADV_POPULATE_READ)
  if (madvise(const_cast<void*>(memory), static_cast<size_t>(size), MADV_POPULATE_READ) == 0) return;
  if (errno == EFAULT) throw Error(Code::corrupt, "the file was truncated during the call").where(where);
  if (errno != EINVAL) throw os_error(errno, "map all pages", where);
#endif
  // Kernels before 5.14.
  const long page = sysconf(_SC_PAGESIZE);
  for (int64_t at = 0; at < size; at += page) static_cast<void>(static_cast<const volatile char*>(memory)[at]);
}

void random_bytes(void* to, size_t size) {
  char* at = static_cast<char*>(to);
  while (size > 0) {
    ssize_t n = getrandom(at, size, 0);
    if (n < 0 && errno != EINTR) throw os_error(errno, "getrandom", "");
    if (n > 0) at += n, size -= static_cast<size_t>(n);
  }
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
Identity identity(int) {
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
bool publish(int, const std::string&) {
  unsupported();
}
storage::Fd open_named(const std::string&) {
  unsupported();
}
storage::Fd open_shared(const std::string&) {
  unsupported();
}
bool named(int) {
  return true;
}
storage::Fd make_memory(int64_t, const std::string&) {
  unsupported();
}
void seal(const storage::Fd&, const std::string&) {
  unsupported();
}
storage::Fd open_sealed(int, const std::string&) {
  unsupported();
}
std::vector<std::string> names_with(std::string_view) {
  unsupported();
}
void prefer_large_pages(void*, int64_t) {}
void populate(const void*, int64_t, const std::string&) {}
void random_bytes(void*, size_t) {
  unsupported();
}
bool unlink_if(const std::string&, const Identity&) {
  unsupported();
}

#endif

}  // namespace td::shm
