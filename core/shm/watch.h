// Descriptors that poll can wait for. One thread of the process, which starts with the first of them, sleeps on the
// words of all channels that have one, and makes a descriptor readable when its channel has something.
#pragma once

#include <atomic>
#include <memory>

#include "core/shm/member.h"
#include "core/system/fd.h"

namespace td::shm {

class Watch {
 public:
  // For messages to take, or for slots to acquire. Null if there is no descriptor or no thread; `error` says why.
  static std::unique_ptr<Watch> make(Membership& member, Role what, int& error);
  ~Watch();
  Watch(const Watch&) = delete;

  int fd() const { return fd_.get(); }

  // To be called after each attempt to take or to acquire: the descriptor stays readable only while there is more. Who
  // came away empty is told again if something came meanwhile: an edge-triggered poll reports only new events.
  void attempted(bool empty) {
    if (lit_.load(std::memory_order_relaxed)) dim(empty);
  }

 private:
  friend class Watcher;
  Watch(Membership& member, Role what, storage::Fd fd) : member_(member), what_(what), fd_(std::move(fd)) {}
  void dim(bool empty);
  void light();
  void report();

  Membership& member_;
  Role what_;
  storage::Fd fd_;
  std::atomic<bool> lit_{false};
  int64_t process_ = 0;
  Watch *before_ = nullptr, *after_ = nullptr;
};

}  // namespace td::shm
