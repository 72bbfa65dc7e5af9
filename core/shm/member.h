// One process's part in a channel: its lock byte, its waiting, and the looking around for members that died.
#pragma once

#include <functional>

#include "core/shm/cancel.h"
#include "core/shm/slots.h"
#include "core/shm/wait.h"
#include "core/system/lock_bytes.h"

namespace td::shm {

enum Role : uint32_t { produces = 1, consumes = 2 };

class Membership {
 public:
  // `fd` is a description of its own of the channel's file.
  Membership(Control& control, const Rules& rules, storage::Fd file)
      : slots_(control, rules), locks_(std::move(file)) {}
  ~Membership() { leave(); }

  // False if all places are taken. Without a role there is nothing to take: such a member only looks.
  bool join(uint32_t roles, uint64_t pid);
  void leave();

  // `timeout_ms` < 0 waits without a limit, or until the flag is set, if there is one. A flag that is set before comes
  // before all else, so that a cancelled caller takes nothing.
  Result acquire(int64_t timeout_ms, Claim& claim, CancelFlag* cancel = nullptr);
  Result take(int64_t timeout_ms, Claim& claim, CancelFlag* cancel = nullptr);
  Result publish(Claim& claim);
  Result give_back(const Claim& claim);
  void close();

  // Cleans up after members that died; returns how many. Any member may, at any time.
  unsigned sweep();

  // For who waits without a thread of his own: whether acquire or take would wait, what changes when that may have
  // changed, and the bit of a sleeper. Between lying down and getting up he looks around now and then.
  bool ready(Role what) const { return what == consumes ? slots_.may_take(me_) : slots_.may_acquire(); }
  Event& event_of(Role what) { return what == consumes ? slots_.control().published : slots_.control().freed; }
  void lie_down(Role what) { bed_of(what).lie_down(event_of(what), me_); }
  void get_up(Role what) { bed_of(what).get_up(event_of(what), me_); }
  void look_around() { sweep_if_due(); }

  bool ours() const { return locks_.ours(); }
  unsigned id() const { return me_; }
  uint32_t roles() const { return roles_; }
  Slots& slots() { return slots_; }
  const Slots& slots() const { return slots_; }
  LockBytes& locks() { return locks_; }
  const LockBytes& locks() const { return locks_; }
  uint64_t lost() const;  // messages dropped before I read them: in a queue, before anybody did

 private:
  using Attempt = Result (Slots::*)(unsigned, Claim&);
  Result wait(Attempt attempt, Event& event, Bed& bed, int64_t timeout_ms, Claim& claim, CancelFlag* cancel);
  Result spin(Attempt attempt, int64_t until, Claim& claim);
  unsigned sweep_now();
  bool sweep_if_due();
  Bed& bed_of(Role what) { return what == consumes ? for_messages_ : for_slots_; }

  Slots slots_;
  LockBytes locks_;
  unsigned me_ = max_members;
  uint32_t roles_ = 0;
  Bed for_messages_, for_slots_;
  std::mutex sweeping_;
  std::atomic<int64_t> swept_ms_{0};
};

}  // namespace td::shm
