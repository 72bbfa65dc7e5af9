// The wish that waits end: made once, by any thread, and seen by every wait that was given it, also by those that begin
// later.
#pragma once

#include "core/shm/control.h"

namespace td::shm {

class CancelFlag {
 public:
  CancelFlag() = default;
  CancelFlag(const CancelFlag&) = delete;

  void request() noexcept;
  bool requested() const noexcept { return requested_.load(); }

  // While it lives, `request` wakes those who sleep on the event. A null flag is never set.
  class Sleeper {
   public:
    Sleeper(CancelFlag* flag, Event& event);
    Sleeper(const Sleeper&) = delete;
    ~Sleeper();

    // To be asked after the count of the event was read, and before sleeping while it stays the same.
    bool cancelled() const noexcept { return flag_ && flag_->requested(); }

   private:
    friend class CancelFlag;
    CancelFlag* flag_;
    Event& event_;
    Sleeper *before_ = nullptr, *after_ = nullptr;
  };

 private:
  std::atomic<bool> requested_{false};
  Sleeper* sleepers_ = nullptr;
  int64_t process_ = 0;  // in which they sleep
};

}  // namespace td::shm
