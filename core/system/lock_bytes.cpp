#include "core/system/lock_bytes.h"

#include <cerrno>

#include <pthread.h>

#if defined(__linux__)
#include <fcntl.h>
#include <unistd.h>
#endif

#include "core/fork.h"

namespace td::shm {

// All descriptions of this process, for the child of a fork to close. Never freed: locks may outlive static objects.
struct ForkGuard {
  ProcessMutex mutex;
  LockBytes* first = nullptr;

  ForkGuard() {
    pthread_atfork(nullptr, nullptr, [] { only.in_child(); });
  }
  static ForkGuard& only;

  void add(LockBytes& locks) {
    ProcessLock hold(mutex);
    locks.after_ = first;
    if (first) first->before_ = &locks;
    first = &locks;
  }

  void remove(LockBytes& locks) {
    ProcessLock hold(mutex);
    if (locks.before_) locks.before_->after_ = locks.after_;
    if (locks.after_) locks.after_->before_ = locks.before_;
    if (first == &locks) first = locks.after_;
  }

  // Nothing that may not be done after a fork of a process with threads. Some of them stand on stacks of threads that
  // are not in the child, so none stays in the list.
  void in_child() {
    for (LockBytes* l = first; l;) {
#if defined(__linux__)
      if (l->fd_ >= 0) close(l->fd_);
#endif
      l->fd_ = -1;
      LockBytes* next = l->after_;
      l->before_ = l->after_ = nullptr;
      l = next;
    }
    first = nullptr;
  }
};

ForkGuard& ForkGuard::only = *new ForkGuard;

LockBytes::LockBytes(storage::Fd file) : fd_(file.release()) {
  ForkGuard::only.add(*this);
}

LockBytes::~LockBytes() {
  ForkGuard::only.remove(*this);
#if defined(__linux__)
  if (fd_ >= 0) close(fd_);
#endif
}

bool LockBytes::lock_all(int64_t last) {
  for (int64_t byte = 0; byte <= last; ++byte)
    if (!lock(byte)) return false;
  return true;
}

#if defined(__linux__)

namespace {

constexpr int64_t first_lock_byte = INT64_C(1) << 40;  // behind any content

struct flock lock_at(int64_t byte, short type) {
  struct flock lock = {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  lock.l_start = first_lock_byte + byte;
  lock.l_len = 1;
  return lock;
}

}  // namespace

bool LockBytes::lock(int64_t byte) {
  struct flock lock = lock_at(byte, F_WRLCK);
  int failed;
  do {
    failed = fcntl(fd_, F_OFD_SETLK, &lock);
  } while (failed && errno == EINTR);
  return !failed;
}

void LockBytes::unlock(int64_t byte) {
  struct flock lock = lock_at(byte, F_UNLCK);
  fcntl(fd_, F_OFD_SETLK, &lock);
}

bool LockBytes::held(int64_t byte) const {
  struct flock lock = lock_at(byte, F_WRLCK);
  return fcntl(fd_, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

#else

bool LockBytes::lock(int64_t) {
  return false;
}
void LockBytes::unlock(int64_t) {}
bool LockBytes::held(int64_t) const {
  return true;
}

#endif

}  // namespace td::shm
