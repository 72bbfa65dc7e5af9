#include "core/system/parallel.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>

#include <ATen/Parallel.h>
#include <ATen/ThreadLocalState.h>

namespace td {

namespace {

// Threads take pieces until none is left. The caller takes them too, so it never waits for a thread that has not begun,
// be it that all are busy or that they stayed behind in a fork.
class Job {
 public:
  Job(int64_t n, int64_t piece, const std::function<void(int64_t, int64_t)>& fn) : n_(n), piece_(piece), fn_(fn) {}

  void work() {
    for (int64_t begin; (begin = next_.fetch_add(piece_)) < n_;) {
      int64_t end = std::min(n_, begin + piece_);
      try {
        fn_(begin, end);
      } catch (...) {
        std::lock_guard<std::mutex> hold(mutex_);
        if (!first_) first_ = std::current_exception();
      }
      if (done_.fetch_add(end - begin) + end - begin == n_) {
        std::lock_guard<std::mutex> hold(mutex_);
        finished_.notify_all();
      }
    }
  }

  void wait() {
    std::unique_lock<std::mutex> lock(mutex_);
    finished_.wait(lock, [&] { return done_ == n_; });
    if (first_) std::rethrow_exception(first_);
  }

 private:
  int64_t n_, piece_;
  const std::function<void(int64_t, int64_t)>&
      fn_;  // only called while pieces are left, that is, while the caller waits
  std::atomic<int64_t> next_{0}, done_{0};
  std::mutex mutex_;
  std::condition_variable finished_;
  std::exception_ptr first_;
};

}  // namespace

void parallel_for(int64_t n, int64_t grain, const std::function<void(int64_t, int64_t)>& fn, int64_t at_most) {
  if (n <= 0) return;
  grain = std::max<int64_t>(grain, 1);
  int64_t threads = std::min<int64_t>(at::get_num_threads(), (n + grain - 1) / grain);
  if (at_most > 0) threads = std::min(threads, at_most);
  if (threads <= 1) return fn(0, n);
  auto job = std::make_shared<Job>(n, std::max(grain, (n + 4 * threads - 1) / (4 * threads)), fn);
  at::ThreadLocalState state;
  for (int64_t i = 1; i < threads; ++i)
    at::launch([job, state] {
      at::ThreadLocalStateGuard guard(state);
      job->work();
    });
  job->work();
  job->wait();
}

}  // namespace td
