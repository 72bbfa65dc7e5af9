// Sleeping on a word of shared memory and waking those who do. A wake can be lost with the process that should have
// sent it, so no process sleeps longer than a slice without looking again.
#pragma once

#include <mutex>

#include "core/shm/control.h"

namespace td::shm {

inline constexpr int64_t slice_ns = 20 * 1000 * 1000;

// Sleeps until the word differs from `seen`, another thread wakes it, or `ns` have passed; may return early.
void sleep_on(HalfWord& word, uint32_t seen, int64_t ns);
void wake_all(HalfWord& word);

// The same for several words at once, of which each may be in memory that is only read.
struct Watched {
  HalfWord* word;
  uint32_t seen;
};
inline constexpr size_t max_watched = 128;
void sleep_on_any(const Watched* words, size_t many, int64_t ns);

// The moment on the monotonic clock at which such a wait ends; a negative timeout is without end.
int64_t deadline_after(int64_t timeout_ms);

// The sleepers' bit of one member, whose threads may all sleep at once: it is there while one of them does.
class Bed {
 public:
  void lie_down(Event& event, unsigned member);
  void get_up(Event& event, unsigned member);

  // The time to look before sleeping. A wake may take longer than that time, so two processes that answer each other
  // would never find the other awake again once one of them slept. One that woke that soon looks longer next time.
  int64_t spin_time() const;
  void slept(int64_t ns);  // after so long a wait

 private:
  std::mutex mutex_;
  int sleeping_ = 0;
  std::atomic<bool> patient_{false};
};

// To be called after the change that they wait for. True if there was anybody.
bool notify(Event& event);

// The same whether or not there is a bit of a sleeper, for one who is about to sleep: what changes is no word of the
// channel.
void rouse(Event& event);

// Returns the time to look before sleeping; 0 where only one process can run.
int64_t spin_ns();
void relax();  // lets the other half of the core run

}  // namespace td::shm
