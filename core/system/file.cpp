#include "core/system/file.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"

namespace td::storage {

namespace {

// One call to write moves at most this much: Linux stops just below 2 GiB anyway.
constexpr size_t largest_write = size_t{1} << 30;

Fd open_below(int dir, const std::string& name, int flags, const std::string& where) {
  int fd = openat(dir, name.c_str(), O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | flags);
  if (fd >= 0) return Fd(fd);
  switch (errno) {
    case ENOENT:
      return Fd();
    case ELOOP:
      throw Error(Code::corrupt, "it is a symbolic link").where(where).hint("links inside a save are not followed");
    case ENOTDIR:
      throw Error(Code::corrupt, "it is not a directory").where(where);
    case ENAMETOOLONG:
      throw Error(Code::corrupt, "the file name is too long").where(where);
    case ENXIO:
    case EISDIR:
      throw Error(Code::corrupt, "it is not a regular file").where(where);
    default:
      throw os_error(errno, "open", where);
  }
}

}  // namespace

Fd duplicate(const Fd& fd, const std::string& where) {
  Fd copy(fcntl(fd.get(), F_DUPFD_CLOEXEC, 0));
  if (!copy) throw os_error(errno, "duplicate", where);
  return copy;
}

std::string checked_path(std::string_view path) {
  if (path.empty()) throw Error(Code::argument, "the path is empty");
  if (path.find('\0') != path.npos) throw Error(Code::argument, "the path holds a NUL byte");
  return std::string(path);
}

Fd open_directory(int dir, const std::string& name, const std::string& where) {
  // Linux says ENOTDIR for a link here; look again to say which it is.
  try {
    return open_below(dir, name, O_RDONLY | O_DIRECTORY, where);
  } catch (const Error&) {
    struct stat s;
    if (fstatat(dir, name.c_str(), &s, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(s.st_mode))
      throw Error(Code::corrupt, "it is a symbolic link").where(where).hint("links inside a save are not followed");
    throw;
  }
}

Fd open_regular(int dir, const std::string& name, const std::string& where, int64_t* size, bool writable) {
  Fd file = open_below(dir, name, writable ? O_RDWR : O_RDONLY, where);
  if (!file) return file;
  struct stat s;
  if (fstat(file.get(), &s) != 0) throw os_error(errno, "stat", where);
  if (!S_ISREG(s.st_mode)) throw Error(Code::corrupt, "it is not a regular file").where(where);
  if (size) *size = s.st_size;
  return file;
}

std::vector<std::string> names_in(const Fd& directory, const std::string& where) {
  int fd = openat(directory.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* stream = fd < 0 ? nullptr : fdopendir(fd);
  if (!stream) {
    int error = errno;
    if (fd >= 0) close(fd);
    throw os_error(error, "list the directory", where);
  }
  std::unique_ptr<DIR, int (*)(DIR*)> closer(stream, closedir);
  std::vector<std::string> names;
  while (const dirent* entry = readdir(stream)) {
    std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(std::move(name));
  }
  return names;
}

std::vector<std::string> names_at(const std::string& path) {
  Fd directory(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  return directory ? names_in(directory, path) : std::vector<std::string>();
}

namespace {

void remove_below(int parent, const char* name, const std::string& where) {
  if (unlinkat(parent, name, 0) == 0 || (errno != EISDIR && errno != EPERM)) return;
  Fd directory(openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!directory) return;
  for (const std::string& inside : names_in(directory, where)) remove_below(directory.get(), inside.c_str(), where);
  unlinkat(parent, name, AT_REMOVEDIR);
}

}  // namespace

void remove_tree(const std::string& path) noexcept {
  try {
    remove_below(AT_FDCWD, path.c_str(), path);
  } catch (const std::exception&) {  // it stays, as a leftover that the next save removes
  }
}

int64_t size_of(const Fd& file, const std::string& where) {
  struct stat s;
  if (fstat(file.get(), &s) != 0) throw os_error(errno, "stat", where);
  return s.st_size;
}

std::string read_bytes(const Fd& file, int64_t offset, int64_t size, const std::string& where) {
  std::string bytes(static_cast<size_t>(size), '\0');
  for (int64_t done = 0; done < size;) {
    ssize_t n = pread(file.get(), bytes.data() + done, static_cast<size_t>(size - done), offset + done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw os_error(errno, "read", where);
    if (n == 0) throw Error(Code::corrupt, "the file ends at byte " + std::to_string(offset + done)).where(where);
    done += n;
  }
  return bytes;
}

std::string random_suffix() {
  // Not std::random_device, which asks the processor for its features first: 20 us in a virtual machine.
  unsigned random[2];
  if (getentropy(random, sizeof random) != 0) throw os_error(errno, "getentropy", "a temporary name");
  char text[20];
  std::snprintf(text, sizeof text, "%08x%08x", random[0], random[1]);
  return text;
}

void check_size_limit(int64_t size, const std::string& where) {
  rlimit most;
  if (getrlimit(RLIMIT_FSIZE, &most) == 0 && static_cast<uint64_t>(size) > most.rlim_cur)
    throw Error(Code::nospace, "a file of " + std::to_string(size) + " bytes is larger than this process may make")
        .where(where)
        .hint("ulimit -f");
}

void allocate(const Fd& file, int64_t size, const std::string& where) {
  if (size == 0) return;
  check_size_limit(size, where);
  int error;
  do {
    error = posix_fallocate(file.get(), 0, size);  // returns the error, leaves errno alone
  } while (error == EINTR);
  if (error != 0) throw os_error(error, "allocate " + std::to_string(size) + " bytes", where);
}

void write_bytes(const Fd& file, const void* data, size_t size, const std::string& where) {
  for (const char* p = static_cast<const char*>(data); size > 0;) {
    ssize_t n = write(file.get(), p, std::min(size, largest_write));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw os_error(errno, "write", where);
    p += n;
    size -= static_cast<size_t>(n);
  }
}

void write_bytes_at(const Fd& file, int64_t offset, const void* data, size_t size, const std::string& where) {
  check_size_limit(offset + static_cast<int64_t>(size), where);
  for (const char* p = static_cast<const char*>(data); size > 0;) {
    ssize_t n = pwrite(file.get(), p, std::min(size, largest_write), offset);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw os_error(errno, "write", where);
    p += n, offset += n;
    size -= static_cast<size_t>(n);
  }
}

void unlock(const Fd& file) noexcept {
  if (file) flock(file.get(), LOCK_UN);
}

void sync(const Fd& file, const std::string& where) {
  if (fsync(file.get()) != 0) throw os_error(errno, "fsync", where);
}

}  // namespace td::storage
