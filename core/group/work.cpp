#include "core/group/work.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include <unistd.h>

#include "core/error.h"
#include "core/system/clock.h"
#include "core/system/no_signals.h"

namespace td::group {

struct Work::State {
  std::mutex mutex;
  std::condition_variable ended;
  bool done = false, finished = false;
  std::exception_ptr failure;
};

Work::Work(std::function<void()> transfer, std::function<void()> finish)
    : state_(std::make_shared<State>()), finish_(std::move(finish)), process_(getpid()) {
  shm::NoSignals quiet;
  // Nobody need wait for it: it has all that it needs, and ends with the timeout of the group at the latest.
  std::thread([state = state_, transfer = std::move(transfer)]() mutable {
    std::exception_ptr failure;
    try {
      transfer();
    } catch (...) {
      failure = std::current_exception();
    }
    transfer = nullptr;
    std::lock_guard<std::mutex> lock(state->mutex);
    state->failure = failure, state->done = true;
    state->ended.notify_all();
  }).detach();
}

bool Work::done() const {
  std::lock_guard<std::mutex> lock(state_->mutex);
  return state_->done;
}

void Work::wait(int64_t timeout_ms, shm::CancelFlag* cancel) const {
  if (getpid() != process_) throw Error(Code::unsupported, "a forked child has no part in the transfers of its parent");
  constexpr std::chrono::milliseconds slice(10);  // in which a wish to end the wait is seen
  const int64_t begin = shm::monotonic_ms();
  std::unique_lock<std::mutex> lock(state_->mutex);
  while (!state_->done) {
    if (cancel && cancel->requested()) throw Error(Code::cancelled, "the wait was cancelled; the transfer goes on");
    const int64_t left = timeout_ms - (shm::monotonic_ms() - begin);
    if (timeout_ms >= 0 && left <= 0)
      throw Error(Code::timeout, "the transfer is not done after " + std::to_string(timeout_ms) + " ms, and goes on");
    if (timeout_ms < 0 && !cancel)
      state_->ended.wait(lock);
    else
      state_->ended.wait_for(lock, timeout_ms < 0 ? slice : std::min(slice, std::chrono::milliseconds(left)));
  }
  if (state_->failure) std::rethrow_exception(state_->failure);
  if (state_->finished) return;
  finish_();
  state_->finished = true;
  finish_ = nullptr;
}

}  // namespace td::group
