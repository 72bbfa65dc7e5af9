// Tells which processes live: bytes of a file, locked through a description of our own. The kernel unlocks them when
// the process ends, however it ends; closing another descriptor of the same file, as with plain record locks, does not.
// A forked child would hold them too, so it closes the description at once, and does not own what the parent owned.
#pragma once

#include <cstdint>

#include "core/system/fd.h"

namespace td::shm {

class LockBytes {
 public:
  // The descriptor must be the only one of its open file description.
  explicit LockBytes(storage::Fd file);
  ~LockBytes();
  LockBytes(const LockBytes&) = delete;
  LockBytes& operator=(const LockBytes&) = delete;

  bool lock(int64_t byte);      // false if another description holds it
  bool lock_all(int64_t last);  // from byte 0 on; false if another description holds one
  void unlock(int64_t byte);
  bool held(int64_t byte) const;  // by another description

  bool ours() const { return fd_ >= 0; }  // false in a child that was forked since
  int fd() const { return fd_; }

 private:
  friend struct ForkGuard;
  int fd_;
  LockBytes *before_ = nullptr, *after_ = nullptr;
};

}  // namespace td::shm
