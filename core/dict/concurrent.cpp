#include "core/dict/concurrent.h"

#include <chrono>
#include <thread>

#include <pthread.h>
#if defined(__linux__)
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include "core/error.h"

namespace td {

__thread Reader* reader_of_thread __attribute__((tls_model("initial-exec"))) = nullptr;
bool fences_by_kernel = false;

namespace {

std::atomic<Reader*> readers{nullptr};
pthread_key_t end_of_thread;

// Runs after all destructors of thread_local objects, some of which may still look into dicts.
void give_back(void* reader) {
  reader_of_thread = nullptr;
  static_cast<Reader*>(reader)->taken.store(false, std::memory_order_release);
}

// Of the threads of the parent only this one goes on.
void only_this_thread() {
  for (Reader* r = readers.load(); r; r = r->next) {
    if (r == reader_of_thread) continue;
    r->section.store((r->section.load() + 1) & ~uint64_t{1});
    r->taken.store(false);
  }
}

bool register_fences() {
#if defined(__linux__) && defined(SYS_membarrier)
  return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
#else
  return false;
#endif
}

// After it, either this thread sees the section that another has entered, or that thread sees what this one did before.
void fence() {
#if defined(__linux__) && defined(SYS_membarrier)
  if (fences_by_kernel && syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) != 0) {
    register_fences();
    syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
  }
#endif
}

void wait_for_sections(const Reader& me) {
  for (const Reader* r = readers.load(std::memory_order_acquire); r; r = r->next) {
    const uint64_t section = r->section.load(std::memory_order_seq_cst);
    if (r == &me || section % 2 == 0) continue;
    for (unsigned round = 0; r->section.load(std::memory_order_acquire) == section; ++round) give_way(round);
  }
}

Reader* free_reader() {
  for (Reader* r = readers.load(std::memory_order_acquire); r; r = r->next)
    if (!r->taken.exchange(true, std::memory_order_acq_rel)) return r;
  auto* r = new Reader;
  r->next = readers.load();
  while (!readers.compare_exchange_weak(r->next, r)) {
  }
  return r;
}

constexpr unsigned spins = 64;
constexpr auto max_wait = std::chrono::milliseconds(20);  // for threads that walk over the entries

}  // namespace

Reader& new_reader() {
  static const bool once = [] {
    fences_by_kernel = register_fences();
    return pthread_key_create(&end_of_thread, give_back) == 0 &&
           pthread_atfork(nullptr, nullptr, only_this_thread) == 0;
  }();
  Reader* r = free_reader();
  reader_of_thread = r;
  if (once) pthread_setspecific(end_of_thread, r);
  return *r;
}

void give_way(unsigned round) {
  if (round >= spins) std::this_thread::yield();
}

Change::Change(Gate& gate) : gate_(gate) {
  const Reader& me = reader();
  std::chrono::steady_clock::time_point since{};
  for (unsigned round = 0;; give_way(round++)) {
    const uint32_t state = gate_.state_.fetch_or(Gate::changing, std::memory_order_seq_cst);
    if (state & Gate::changing) continue;  // by another change, which is short
    if (state < Gate::walker) {
      if ((state & Gate::seen) || gate_.home_.load(std::memory_order_relaxed) != &me) {
        fence();
        wait_for_sections(me);
      }
      return;
    }
    gate_.state_.fetch_and(~Gate::changing, std::memory_order_release);
    if (round < spins) continue;
    const auto now = std::chrono::steady_clock::now();
    if (since == std::chrono::steady_clock::time_point()) since = now;
    if (now - since > max_wait)
      throw Error(Code::busy, "another thread is reading the dict")
          .hint("change it after the calls that read all of it have returned, or give each thread a copy");
  }
}

Change::~Change() {
  gate_.home_.store(&reader(), std::memory_order_relaxed);
  gate_.state_.fetch_and(~(Gate::changing | Gate::seen), std::memory_order_release);
}

Claim::Claim(Writer& writer) : writer_(&writer) {
  const Reader* there = nullptr;
  const Reader* me = &reader();
  if (writer.thread_.compare_exchange_strong(there, me, std::memory_order_acquire)) return;
  writer_ = nullptr;
  if (there == me) return;
  throw Error(Code::busy, "another thread is changing the dict")
      .hint("let one thread at a time change it; different handles may name the same dict");
}

}  // namespace td
