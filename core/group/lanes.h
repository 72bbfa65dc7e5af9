// One transfer at a time for each rank, direction and tag, in the order in which they were begun, so that headers stay
// with their messages.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <tuple>

namespace td::group {

class Lanes {
 public:
  using Lane = std::tuple<bool, int32_t, int32_t>;  // whether it sends, the rank, the tag

  class Turn {
   public:
    Turn(Lanes& lanes, bool sends, int32_t peer, int32_t tag);
    Turn(const Turn&) = delete;
    ~Turn();  // waits for those before

    void wait();

   private:
    Lanes& lanes_;
    Lane lane_;
    uint64_t number_;
  };

 private:
  struct Queue {
    uint64_t next = 0, now = 0;
  };
  std::mutex mutex_;
  std::condition_variable moved_;
  std::map<Lane, Queue> queues_;  // those in use
};

}  // namespace td::group
