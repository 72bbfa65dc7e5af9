// A channel: dicts of one structure, handed from process to process by the number of the slot they lie in. The file and
// the rules are here; the moves are in slots, the waiting in member, the views in slot_views.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <c10/util/intrusive_ptr.h>

#include "core/shm/channel_body.h"
#include "core/shm/message.h"
#include "core/shm/name_wait.h"
#include "core/shm/watch.h"

namespace td {

class Channel;
using ChannelPtr = c10::intrusive_ptr<Channel>;

struct ChannelStats {
  uint64_t published, dropped, redelivered, dead_letters, aborted, swept;
  uint32_t slots, free, writing, ready, reading, producers, consumers, state;
  int64_t oldest_ms, oldest_pid;  // of the claim that is held longest; 0 without one
};

// To be given to waits, and requested by another thread.
class Cancel final : public c10::intrusive_ptr_target {
 public:
  mutable shm::CancelFlag flag;
};

class Channel final : public c10::intrusive_ptr_target {
 public:
  // `roles` of shm::Role.
  static ChannelPtr create(std::string_view name, const Node& schema, const shm::ChannelFacts& wanted, uint32_t roles,
                           bool replace_dead);
  static ChannelPtr open(std::string_view name, uint32_t roles, const shm::Patience& patience);
  static void unlink(std::string_view name);

  // Throws Error(cancelled) once `cancel`, which may be null, is requested.
  MessagePtr acquire(int64_t timeout_ms, const Cancel* cancel);
  MessagePtr take(int64_t timeout_ms, const Cancel* cancel);
  // Readable while a take (or an acquire) would not wait; of this object.
  int descriptor(shm::Role what);
  void close();
  unsigned sweep();

  ChannelStats stats() const;
  std::string dump() const;
  NodePtr schema() const;  // zeros of the structure of every message

  const std::string& path() const { return body_->path(); }
  int64_t nbytes() const { return body_->nbytes(); }
  const shm::ChannelFacts& facts() const { return body_->facts(); }
  uint32_t roles() const { return body_->member().roles(); }  // of this handle

  explicit Channel(shm::ChannelBodyPtr body) : body_(std::move(body)) {}
  ~Channel() override;

 private:
  static ChannelPtr open_now(const std::string& path, uint32_t roles);

  std::atomic<shm::Watch*>& watch(shm::Role what) { return watches_[what == shm::consumes]; }
  void attempted(shm::Role what, shm::Result r) {
    if (shm::Watch* there = watch(what).load(std::memory_order_acquire)) there->attempted(r != shm::Result::done);
  }

  shm::ChannelBodyPtr body_;
  std::atomic<shm::Watch*> watches_[2] = {{nullptr}, {nullptr}};  // of those who poll
  optional<shm::Identity> owned_;                                 // the file whose name goes with this object
};

}  // namespace td
