#include "core/shm/wait.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <thread>

#include "core/system/clock.h"

#if defined(__linux__)
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace td::shm {

namespace {

constexpr int64_t patient_spins = 5;
constexpr int64_t ns_per_second = 1000000000, ns_per_millisecond = 1000000, longest_timeout_ms = INT64_C(1) << 40;
constexpr int64_t blind_ns = 1000000;  // how long to sleep where only one word can be watched

#if defined(__linux__)
// As the kernel declares it since 5.16, for headers that are older.
struct FutexWait {
  uint64_t value, address;
  uint32_t flags, reserved;
};
constexpr long futex_waitv = 449;
constexpr uint32_t futex_32_bits = 2;
#endif

}  // namespace

#if defined(__linux__)

// tests/models: wait
void sleep_on(HalfWord& word, uint32_t seen, int64_t ns) {
  timespec t = {static_cast<time_t>(ns / 1000000000), static_cast<long>(ns % 1000000000)};
  syscall(SYS_futex, reinterpret_cast<uint32_t*>(&word), FUTEX_WAIT, seen, &t, nullptr, 0);
}

void sleep_on_any(const Watched* words, size_t many, int64_t ns) {
  if (many == 1) return sleep_on(*words[0].word, words[0].seen, ns);
  FutexWait all[max_watched];
  many = std::min(many, max_watched);
  for (size_t i = 0; i < many; ++i)
    all[i] = {words[i].seen, reinterpret_cast<uintptr_t>(words[i].word), futex_32_bits, 0};
  int64_t until = monotonic_ns() + ns;
  timespec t = {static_cast<time_t>(until / ns_per_second), static_cast<long>(until % ns_per_second)};
  if (syscall(futex_waitv, all, many, 0, &t, CLOCK_MONOTONIC) < 0 && (errno == ENOSYS || errno == EPERM))
    sleep_on(*words[0].word, words[0].seen, std::min(ns, blind_ns));
}

// tests/models: wait
void wake_all(HalfWord& word) {
  syscall(SYS_futex, reinterpret_cast<uint32_t*>(&word), FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

// Not the CPUs that this process may use: those who pin each process to its own want it to spin.
const int64_t spin = sysconf(_SC_NPROCESSORS_ONLN) < 2 ? 0 : 20000;

int64_t spin_ns() {
  return spin;
}

#else  // slices of a millisecond, because no system call for waiting is used here yet

void sleep_on(HalfWord& word, uint32_t seen, int64_t ns) {
  if (word.load() == seen) std::this_thread::sleep_for(std::chrono::nanoseconds(std::min<int64_t>(ns, 1000000)));
}
void sleep_on_any(const Watched* words, size_t, int64_t ns) {
  sleep_on(*words[0].word, words[0].seen, std::min(ns, blind_ns));
}
void wake_all(HalfWord&) {}
int64_t spin_ns() {
  return 20000;
}

#endif

int64_t deadline_after(int64_t timeout_ms) {
  if (timeout_ms < 0 || timeout_ms > longest_timeout_ms) return INT64_MAX;
  return monotonic_ns() + timeout_ms * ns_per_millisecond;
}

void relax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ __volatile__("isb");
#endif
}

// tests/models: wait
void Bed::lie_down(Event& event, unsigned member) {
  std::lock_guard<std::mutex> guard(mutex_);
  if (sleeping_++ == 0) event.sleepers.fetch_or(uint64_t{1} << member);
}

// tests/models: wait
void Bed::get_up(Event& event, unsigned member) {
  std::lock_guard<std::mutex> guard(mutex_);
  if (--sleeping_ == 0) event.sleepers.fetch_and(~(uint64_t{1} << member));
}

int64_t Bed::spin_time() const {
  return patient_.load(std::memory_order_relaxed) ? patient_spins * spin_ns() : spin_ns();
}

void Bed::slept(int64_t ns) {
  patient_.store(ns < patient_spins * spin_ns(), std::memory_order_relaxed);
}

// tests/models: wait
bool notify(Event& event) {
  if (event.sleepers.load() == 0) return false;
  event.count.fetch_add(1);
  wake_all(event.count);
  return true;
}

// tests/models: wait
void rouse(Event& event) {
  event.count.fetch_add(1);
  wake_all(event.count);
}

}  // namespace td::shm
