#include "core/live.h"

#include <atomic>
#include <mutex>

namespace td::live {

namespace {

// Blocks are never freed: a thread's counts outlive it, and a later thread takes the block over.
struct Block {
  std::atomic<int64_t> counts[kinds] = {};
  std::atomic<bool> taken{true};
  Block* next = nullptr;
};

std::atomic<Block*> blocks{nullptr};
std::atomic<int64_t> bytes{0};

Block* take() {
  for (Block* b = blocks.load(); b; b = b->next)
    if (!b->taken.exchange(true)) return b;
  auto* b = new Block;
  b->next = blocks.load();
  while (!blocks.compare_exchange_weak(b->next, b)) {
  }
  return b;
}

// In the static block of thread-local storage, also when the library is opened late: two words, reached without a call.
#define TD_STATIC_TLS __attribute__((tls_model("initial-exec")))
thread_local Block* mine TD_STATIC_TLS = nullptr;
thread_local bool ended TD_STATIC_TLS = false;  // other thread_local destructors may still release handles
Block late;

struct Holder {
  Holder() { mine = take(); }
  ~Holder() {
    mine->taken.store(false);
    mine = nullptr;
    ended = true;
  }
};

}  // namespace

void add(int kind, int64_t n) {
  if (!mine) {
    if (ended) {
      late.counts[kind].fetch_add(n, std::memory_order_relaxed);
      return;
    }
    thread_local Holder holder;
  }
  // Only this thread writes to its block, so a plain load and store suffice.
  auto& c = mine->counts[kind];
  c.store(c.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
}

int64_t count(int kind) {
  int64_t sum = late.counts[kind].load(std::memory_order_relaxed);
  for (Block* b = blocks.load(); b; b = b->next) sum += b->counts[kind].load(std::memory_order_relaxed);
  return sum;
}

void add_mapped_bytes(int64_t n) {
  bytes.fetch_add(n, std::memory_order_relaxed);
}
int64_t mapped_bytes() {
  return bytes.load(std::memory_order_relaxed);
}

}  // namespace td::live
