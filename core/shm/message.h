// A slot in the hands of this process, as a dict. The slot is given back with the last view of it, not before.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <utility>

#include <c10/util/intrusive_ptr.h>

#include "core/dict/node.h"
#include "core/shm/channel_body.h"

namespace td {

namespace shm {

// Holds a slot: part of the message, until views share it with the message.
class Lease {
 public:
  Lease(ChannelBodyPtr body, const Claim& claim) : body_(std::move(body)), claim_(claim) {}
  Lease(Lease&& other) noexcept
      : body_(std::move(other.body_)), claim_(other.claim_), held_(std::exchange(other.held_, false)) {}
  ~Lease();
  Lease& operator=(const Lease&) = delete;

  Result publish();  // once; the slot is not ours any more, unless it fails
  ChannelBody& body() const { return *body_; }
  const Claim& claim() const { return claim_; }

 private:
  ChannelBodyPtr body_;
  Claim claim_;
  bool held_ = true;
};

}  // namespace shm

class Message final : public c10::intrusive_ptr_target {
 public:
  Message(shm::ChannelBodyPtr body, const shm::Claim& claim, uint64_t lag)
      : body_(*body), word_(claim.word), own_(std::move(body), claim), lag_(lag) {
    if (taken()) number_ = claim.ticket;
  }

  NodePtr dict() const;      // the same each time
  NodePtr clone() const;     // of its own memory: it does not hold the slot
  at::Tensor bytes() const;  // the whole slot, which the tensor holds
  // All bytes of the slot, without a tensor over them.
  void copy_to(char* bytes) const;
  void copy_from(const char* bytes);
  // Tensors and nodes of the dict that are used by others than the message, and further tensors over the slot.
  int64_t open_views() const;
  void publish();  // throws if it was published, or taken

  uint64_t number() const { return number_; }  // the order of publishing
  uint32_t delivery() const { return shm::SlotWord::of(word_).deliveries; }
  uint64_t lag() const { return lag_; }
  unsigned slot() const { return own_.claim().slot; }
  // What is told of a message that came from another channel.
  void tell(uint64_t number, uint64_t lag) { number_ = number, lag_ = lag; }
  bool taken() const { return shm::SlotWord::of(word_).state != shm::SlotState::writing; }

 private:
  std::unique_lock<std::mutex> sharing() const;

  shm::ChannelBody& body_;  // kept by the lease
  uint64_t word_;           // as it was claimed
  mutable shm::Lease own_;
  mutable std::shared_ptr<shm::Lease> shared_;  // with the views, once there are any
  uint64_t number_ = ~uint64_t{0}, lag_;
  mutable std::mutex mutex_;  // of threads that ask for the dict; a thread that publishes has the message alone
  mutable NodePtr dict_;
  std::atomic<bool> published_{false};
};
using MessagePtr = c10::intrusive_ptr<Message>;

}  // namespace td
