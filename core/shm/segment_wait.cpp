// Waiting for an update. What readers sleep on is the counter itself, which they may only read.
#include <algorithm>

#include "core/error.h"
#include "core/shm/header.h"
#include "core/shm/registry.h"
#include "core/shm/segment.h"
#include "core/shm/wait.h"
#include "core/system/clock.h"

namespace td {

namespace {

constexpr int64_t maker_look_ns = 200 * 1000 * 1000;  // how often to look whether the maker lives

bool complete_after(uint64_t version, uint64_t seen) {
  return version > seen && version % 2 == 0;
}

}  // namespace

uint64_t Segment::wait(uint64_t seen, int64_t timeout_ms, shm::CancelFlag* cancel) const {
  if (!maker_)
    throw Error(Code::unsupported, "memory without a name never changes")
        .where(path_)
        .hint("create a segment with a name for what changes");
  int64_t now = shm::monotonic_ns(), deadline = shm::deadline_after(timeout_ms), next_look = now + maker_look_ns;
  shm::HalfWord& half = shm::changing_half(mapping_->data());
  shm::Event asked{{0}, 0, {0}};  // a request changes it
  shm::CancelFlag::Sleeper sleeper(cancel, asked);
  for (;;) {
    // Both before looking: what changes after that look changes one of them.
    shm::Watched words[] = {{&half, half.load()}, {&asked.count, asked.count.load()}};
    if (sleeper.cancelled()) throw Error(Code::cancelled, "waiting for an update was cancelled").where(path_);
    uint64_t there = version();
    if (complete_after(there, seen)) return there;
    now = shm::monotonic_ns();
    if (now >= std::min(deadline, next_look)) {
      bool ended = !shm::owner_alive(maker_->byte, maker_->process);
      if (complete_after(there = version(), seen)) return there;  // its last
      if (ended)
        throw Error(Code::closed, "process " + std::to_string(maker_->process.pid) +
                                      ", the only one that could update the segment, has ended" +
                                      (there % 2 ? " in the middle of an update" : ""))
            .where(path_)
            .hint("open the segment again when another process has created it");
      if (now >= deadline)
        throw Error(Code::timeout, "no update arrived within " + std::to_string(timeout_ms) + " ms").where(path_);
      next_look = now + maker_look_ns;
    }
    // Not longer than a slice: a writer need not wake anybody, and may be killed before it does.
    shm::sleep_on_any(words, cancel ? 2 : 1, std::min(deadline - now, shm::slice_ns));
  }
}

}  // namespace td
