// Sections that a fork must not interrupt.
#pragma once

#include <atomic>
#include <mutex>
#include <thread>

namespace td {

// A mutex of the whole process. A fork waits until no other thread is inside of any of these, so the child finds them
// free and what they guard whole. A thread may lock one again, and fork while it holds one: then it holds it in the
// child too. No code of callers runs under one, as it may wait for the thread that forks. Never destroyed.
class ProcessMutex {
 public:
  ProcessMutex();
  ProcessMutex(const ProcessMutex&) = delete;
  ProcessMutex& operator=(const ProcessMutex&) = delete;

  void lock();
  bool try_lock();
  void unlock();

  // Lets others in, however often this thread holds it, and takes it back as often.
  unsigned give_up();
  void take_back(unsigned depth);

 private:
  static ProcessMutex* lock_all();  // null, or the one that another thread holds; then none is locked
  static void before_fork();
  static void after_fork();

  std::mutex mutex_;
  std::atomic<std::thread::id> owner_{};
  unsigned depth_ = 0;
  ProcessMutex* next_ = nullptr;
};

using ProcessLock = std::lock_guard<ProcessMutex>;

}  // namespace td
