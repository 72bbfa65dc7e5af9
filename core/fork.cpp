#include "core/fork.h"

#include <utility>

#include <pthread.h>

namespace td {

namespace {

std::atomic<ProcessMutex*> newest{nullptr};

}  // namespace

ProcessMutex::ProcessMutex() : next_(newest.load()) {
  static const int watched = pthread_atfork(before_fork, after_fork, after_fork);
  static_cast<void>(watched);
  while (!newest.compare_exchange_weak(next_, this)) {
  }
}

void ProcessMutex::lock() {
  if (owner_.load(std::memory_order_relaxed) != std::this_thread::get_id()) {
    mutex_.lock();
    owner_.store(std::this_thread::get_id(), std::memory_order_relaxed);
  }
  ++depth_;
}

bool ProcessMutex::try_lock() {
  if (owner_.load(std::memory_order_relaxed) != std::this_thread::get_id()) {
    if (!mutex_.try_lock()) return false;
    owner_.store(std::this_thread::get_id(), std::memory_order_relaxed);
  }
  ++depth_;
  return true;
}

// The thread of a child has the id of the one that forked.
void ProcessMutex::unlock() {
  if (--depth_ > 0) return;
  owner_.store(std::thread::id(), std::memory_order_relaxed);
  mutex_.unlock();
}

unsigned ProcessMutex::give_up() {
  unsigned depth = std::exchange(depth_, 1u);
  unlock();
  return depth;
}

void ProcessMutex::take_back(unsigned depth) {
  lock();
  depth_ = depth;
}

ProcessMutex* ProcessMutex::lock_all() {
  for (ProcessMutex* m = newest.load(); m; m = m->next_) {
    if (m->try_lock()) continue;
    for (ProcessMutex* locked = newest.load(); locked != m; locked = locked->next_) locked->unlock();
    return m;
  }
  return nullptr;
}

// Whatever order others lock them in, this waits for one of them only while it holds none of the rest.
void ProcessMutex::before_fork() {
  while (ProcessMutex* busy = lock_all()) {
    busy->lock();
    busy->unlock();
  }
}

void ProcessMutex::after_fork() {
  for (ProcessMutex* m = newest.load(); m; m = m->next_)
    if (m->owner_.load(std::memory_order_relaxed) == std::this_thread::get_id()) m->unlock();  // not made meanwhile
}

}  // namespace td
