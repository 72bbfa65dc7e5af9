#include "core/system/space.h"

#include <algorithm>
#include <cerrno>

#include <fcntl.h>
#include <unistd.h>

#include "core/error.h"

namespace td::storage {

namespace {

bool punch(int file, int64_t offset, int64_t size) {
#if defined(FALLOC_FL_PUNCH_HOLE)
  return fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, offset, size) == 0;
#else
  (void)file, (void)offset, (void)size;
  return false;
#endif
}

}  // namespace

void truncate(const Fd& file, int64_t size, const std::string& where) {
  if (ftruncate(file.get(), size) != 0) throw os_error(errno, "give the file its size", where);
}

void reserve(int file, int64_t offset, int64_t size, const std::string& where) {
  if (size == 0) return;
  int error;
  do {
    error = posix_fallocate(file, offset, size);  // returns the error, leaves errno alone
  } while (error == EINTR);
  if (error != 0) throw os_error(error, "reserve " + std::to_string(size) + " bytes", where);
}

void reserve_zeros(int file, int64_t offset, int64_t size, const std::string& where) {
  bool zero = punch(file, offset, size);
  reserve(file, offset, size, where);
  static constexpr char zeros[65536] = {};
  for (int64_t done = 0; !zero && done < size;) {  // a file system without holes
    ssize_t n = pwrite(file, zeros, static_cast<size_t>(std::min<int64_t>(size - done, sizeof zeros)), offset + done);
    if (n < 0 && errno != EINTR) throw os_error(errno, "write", where);
    if (n > 0) done += n;
  }
}

}  // namespace td::storage
