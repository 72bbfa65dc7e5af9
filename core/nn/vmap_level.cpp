#include "core/nn/vmap_level.h"

#include <mutex>
#include <new>

#include <pthread.h>

#include "core/torch_compat.h"

namespace td {

namespace {

std::recursive_mutex one_at_a_time;
thread_local int inside = 0;

// The thread of the child has another number, so the C library would not know it as the owner.
void renew_in_child() {
  new (&one_at_a_time) std::recursive_mutex;
  for (int i = 0; i < inside; ++i) one_at_a_time.lock();
}
[[maybe_unused]] const int renewed = pthread_atfork(nullptr, nullptr, renew_in_child);

}  // namespace

bool under_vmap() {
  return at::functorch::maybeCurrentDynamicLayer().has_value();
}

VmapLevel::Turn::Turn() {
  if (TD_TORCH >= 200) return;
  one_at_a_time.lock();
  ++inside;
}
VmapLevel::Turn::~Turn() {
  if (TD_TORCH >= 200) return;
  --inside;
  one_at_a_time.unlock();
}

}  // namespace td
