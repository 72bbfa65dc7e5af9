#include "core/shm/name_wait.h"

#include <algorithm>

#include "core/shm/wait.h"
#include "core/system/clock.h"
#include "core/system/platform.h"

namespace td::shm {

namespace {

constexpr int64_t first_pause_ns = 200 * 1000;

}  // namespace

NameWait::NameWait(const std::string& path, const Patience& patience)
    : path_(path),
      patience_(patience),
      deadline_(deadline_after(patience.timeout_ms)),
      pause_ns_(first_pause_ns),
      sleeper_(patience.cancel, asked_) {
  if (sleeper_.cancelled()) throw_cancelled();
}

void NameWait::throw_cancelled() const {
  throw Error(Code::cancelled, "waiting for the name was cancelled").where(path_);
}

// A name that cannot be opened, as it is just being replaced, must not make this run in circles: it sleeps first.
void NameWait::until_there() {
  for (;;) {
    uint32_t asked = asked_.count.load();
    if (sleeper_.cancelled()) throw_cancelled();
    int64_t now = monotonic_ns();
    if (now >= deadline_)
      throw Error(Code::timeout, "nothing of this name appeared within " + std::to_string(patience_.timeout_ms) + " ms")
          .where(path_)
          .hint("its owner has not created it yet, or has removed it");
    sleep_on(asked_.count, asked, std::min(deadline_ - now, pause_ns_));
    pause_ns_ = std::min(2 * pause_ns_, slice_ns);
    if (taken(path_)) return;
  }
}

}  // namespace td::shm
