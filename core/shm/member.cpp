#include "core/shm/member.h"

#include <algorithm>
#include <thread>

#include "core/system/clock.h"

namespace td::shm {

namespace {

constexpr int64_t ns_per_ms = 1000000, longest_ms = INT64_C(1) << 40;
constexpr int looks_per_clock = 32;

}  // namespace

// ---- Being there ----------------------------------------------------------------------------------------------------

// tests/models: broadcast
bool Membership::join(uint32_t roles, uint64_t pid) {
  Control& c = slots_.control();
  roles_ = roles;
  if (roles == 0) return true;
  // A sweeper holds a dead member's byte for an instant, which makes a place look taken.
  for (int round = 0; round < 5; ++round) {
    for (unsigned place = 0; place < slots_.rules().members; ++place) {
      if (!locks_.lock(place)) continue;
      me_ = place;
      slots_.clean(place);
      c.people[place].pid.store(pid);
      uint64_t bit = uint64_t{1} << place;
      if (roles & produces) c.producers.fetch_or(bit);
      if (roles & consumes) c.consumers.fetch_or(bit);
      return true;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

// tests/models: broadcast
void Membership::leave() {
  if (me_ == max_members || !ours()) return;
  bool any = slots_.clean(me_);
  me_ = max_members;
  if (!any) return;
  notify(slots_.control().published);
  notify(slots_.control().freed);
}

uint64_t Membership::lost() const {
  const Control& c = slots_.control();
  const Word& word = slots_.broadcast() && me_ < max_members ? c.people[me_].lost : c.counters[dropped];
  return word.load(std::memory_order_relaxed);
}

// ---- Looking around -------------------------------------------------------------------------------------------------

// One thread at a time: the bytes are locked for the whole description, which excludes other members only.
unsigned Membership::sweep() {
  std::lock_guard<std::mutex> guard(sweeping_);
  return sweep_now();
}

// tests/models: queue, broadcast, wait
unsigned Membership::sweep_now() {
  swept_ms_.store(coarse_ms(), std::memory_order_relaxed);
  unsigned dead = 0;
  uint64_t there = slots_.present();
  for (unsigned member = 0; member < slots_.rules().members; ++member) {
    if (member == me_ || !(there >> member & 1) || !locks_.lock(member)) continue;
    if (slots_.clean(member)) {
      ++dead;
      slots_.control().counters[swept].fetch_add(1, std::memory_order_relaxed);
    }
    locks_.unlock(member);
  }
  if (dead > 0) {
    notify(slots_.control().published);
    notify(slots_.control().freed);
  }
  return dead;
}

// At most once in half a slice, so that a waiter that wakes after a slice does check.
bool Membership::sweep_if_due() {
  if ((coarse_ms() - swept_ms_.load(std::memory_order_relaxed)) * ns_per_ms < slice_ns / 2) return false;
  std::unique_lock<std::mutex> guard(sweeping_, std::try_to_lock);
  return guard && sweep_now() > 0;
}

// ---- Waiting --------------------------------------------------------------------------------------------------------

Result Membership::spin(Attempt attempt, int64_t until, Claim& claim) {
  for (;;) {
    for (int i = 0; i < looks_per_clock; ++i) {
      Result r = (slots_.*attempt)(me_, claim);
      if (r != Result::none) return r;
      relax();
    }
    if (monotonic_ns() >= until) return Result::none;
  }
}

// After a first attempt that found nothing.
// tests/models: wait
Result Membership::wait(Attempt attempt, Event& event, Bed& bed, int64_t timeout_ms, Claim& claim, CancelFlag* cancel) {
  Result r = Result::none;
  if (sweep_if_due() || timeout_ms == 0) r = (slots_.*attempt)(me_, claim);
  if (r != Result::none || timeout_ms == 0) return r == Result::none ? Result::timeout : r;
  int64_t now = monotonic_ns(), began = now;
  int64_t deadline = timeout_ms < 0 || timeout_ms > longest_ms ? INT64_MAX : now + timeout_ms * ns_per_ms;
  CancelFlag::Sleeper sleeper(cancel, event);
  for (;;) {
    r = spin(attempt, std::min(deadline, now + bed.spin_time()), claim);
    if (r != Result::none) return r;
    bed.lie_down(event, me_);
    uint32_t seen = event.count.load();  // before looking again: what changes after that look changes the count
    r = (slots_.*attempt)(me_, claim);
    if (r == Result::none && sleeper.cancelled()) r = Result::cancelled;
    if (r == Result::none) {
      now = monotonic_ns();
      sleep_on(event.count, seen, std::max<int64_t>(0, std::min(deadline - now, slice_ns)));
    }
    bed.get_up(event, me_);
    if (r != Result::none) return r;
    sweep_if_due();
    r = (slots_.*attempt)(me_, claim);
    now = monotonic_ns();
    bed.slept(now - began);
    if (r != Result::none) return r;
    if (now >= deadline) return Result::timeout;
  }
}

Result Membership::acquire(int64_t timeout_ms, Claim& claim, CancelFlag* cancel) {
  if (cancel && cancel->requested()) return Result::cancelled;
  Result r = slots_.acquire(me_, claim);
  if (r != Result::none) return r;
  bool may_wait = slots_.rules().overflow != Overflow::fail;
  r = wait(&Slots::acquire, slots_.control().freed, for_slots_, may_wait ? timeout_ms : 0, claim, cancel);
  return r == Result::timeout && !may_wait ? Result::full : r;
}

Result Membership::take(int64_t timeout_ms, Claim& claim, CancelFlag* cancel) {
  if (cancel && cancel->requested()) return Result::cancelled;
  Result r = slots_.take(me_, claim);
  if (r != Result::none) return r;
  r = wait(&Slots::take, slots_.control().published, for_messages_, timeout_ms, claim, cancel);
  return r == Result::timeout && slots_.control().producers.load() == 0 ? Result::deserted : r;
}

// tests/models: wait
Result Membership::publish(Claim& claim) {
  Result r = slots_.publish(me_, claim);
  if (r == Result::closed) {
    give_back(claim);
    return r;
  }
  if (r != Result::done) return r;
  bool woken = notify(slots_.control().published);
  // What may be dropped is a slot for those who wait for one.
  if (slots_.rules().overflow == Overflow::drop_oldest) woken |= notify(slots_.control().freed);
  // Sleepers that were killed would make every message pay for waking them.
  if (woken) sweep_if_due();
  return r;
}

// tests/models: wait
Result Membership::give_back(const Claim& claim) {
  bool freed = false;
  Result r = slots_.give_back(me_, claim, freed);
  if (r == Result::done && freed && notify(slots_.control().freed)) sweep_if_due();
  return r;
}

// tests/models: wait
void Membership::close() {
  slots_.close();
  notify(slots_.control().published);
  notify(slots_.control().freed);
}

}  // namespace td::shm
