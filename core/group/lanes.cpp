#include "core/group/lanes.h"

namespace td::group {

Lanes::Turn::Turn(Lanes& lanes, bool sends, int32_t peer, int32_t tag) : lanes_(lanes), lane_(sends, peer, tag) {
  std::lock_guard<std::mutex> lock(lanes_.mutex_);
  number_ = lanes_.queues_[lane_].next++;
}

void Lanes::Turn::wait() {
  std::unique_lock<std::mutex> lock(lanes_.mutex_);
  lanes_.moved_.wait(lock, [&] { return lanes_.queues_[lane_].now == number_; });
}

Lanes::Turn::~Turn() {
  wait();
  std::lock_guard<std::mutex> lock(lanes_.mutex_);
  Queue& queue = lanes_.queues_[lane_];
  if (++queue.now == queue.next) lanes_.queues_.erase(lane_);
  lanes_.moved_.notify_all();
}

}  // namespace td::group
