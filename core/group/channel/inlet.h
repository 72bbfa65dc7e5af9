// Puts the messages that come over a connection into the slots of a channel of this process.
#pragma once

#include <array>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "core/group/channel/wire.h"
#include "core/shm/shared_channel.h"

namespace td::group {

// By the slot that a message lies in.
using Origins = std::array<Origin, shm::max_slots>;

class Inlet {
 public:
  // `origins`, which may be null, learns of each message before it is published. `closed` is called when the other end
  // wants the channel closed.
  Inlet(Wire& wire, SharedChannelPtr into, Origins* origins, std::function<void()> closed);
  ~Inlet();  // stops; the wire must be stopped before

  void expect(const Frame& frame);  // what the reader heard: messages, close, drained
  void finish();                    // returns when all that was announced is in its slots

 private:
  struct Coming {
    Frame frame;
    MessagePtr message;  // null: several messages, or none as the channel is closed
    at::Tensor block;
    std::unique_ptr<Passage> passage;
  };

  void run();
  bool next(bool may_wait, Frame& frame);
  bool begin(const Frame& frame, bool may_wait, Coming& coming);
  void end(Coming& coming);
  MessagePtr slot(bool may_wait);
  void publish(Message& message, const Origin& origin);

  Wire& wire_;
  SharedChannelPtr into_;
  Origins* origins_;
  std::function<void()> on_close_;
  int64_t bytes_;
  c10::intrusive_ptr<Cancel> stop_ = c10::make_intrusive<Cancel>();
  bool closed_ = false;  // the channel takes no more
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Frame> expected_;
  bool finishing_ = false;
  std::thread thread_;
};

}  // namespace td::group
