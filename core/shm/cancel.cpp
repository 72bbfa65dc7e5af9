#include "core/shm/cancel.h"

#include <unistd.h>

#include "core/fork.h"
#include "core/shm/wait.h"

namespace td::shm {

namespace {

// Guards the lists of all flags; a thread that holds it must not wait for anything.
ProcessMutex& lists = *new ProcessMutex;

}  // namespace

// tests/models: wait
void CancelFlag::request() noexcept {
  requested_.store(true);
  ProcessLock hold(lists);
  if (process_ != getpid()) return;  // in a forked child the threads that slept are gone
  for (Sleeper* s = sleepers_; s; s = s->after_) rouse(s->event_);
}

// tests/models: wait
CancelFlag::Sleeper::Sleeper(CancelFlag* flag, Event& event) : flag_(flag), event_(event) {
  if (!flag_) return;
  ProcessLock hold(lists);
  if (flag_->process_ != getpid()) flag_->sleepers_ = nullptr;
  flag_->process_ = getpid();
  after_ = flag_->sleepers_;
  if (after_) after_->before_ = this;
  flag_->sleepers_ = this;
}

// tests/models: wait
CancelFlag::Sleeper::~Sleeper() {
  if (!flag_) return;
  ProcessLock hold(lists);
  if (flag_->process_ != getpid()) return;
  if (after_) after_->before_ = before_;
  (before_ ? before_->after_ : flag_->sleepers_) = after_;
}

}  // namespace td::shm
