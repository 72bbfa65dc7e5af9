// A channel: dicts of one structure, handed from process to process by the number of the slot they lie in. The file and
// the rules are here; the moves are in slots, the waiting in member, the views in slot_views.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <c10/util/intrusive_ptr.h>

#include "core/shm/channel_header.h"
#include "core/shm/member.h"
#include "core/shm/name_wait.h"
#include "core/shm/slot_views.h"
#include "core/shm/watch.h"
#include "core/system/mapping.h"

namespace td {

class Channel;
class Message;
using ChannelPtr = c10::intrusive_ptr<Channel>;
using MessagePtr = c10::intrusive_ptr<Message>;

struct ChannelStats {
  uint64_t published, dropped, redelivered, dead_letters, aborted, swept;
  uint32_t slots, free, writing, ready, reading, producers, consumers, state;
  int64_t oldest_ms, oldest_pid;  // of the claim that is held longest; 0 without one
};

namespace shm {

// The mapping and the membership. Views and messages hold it too: while one lives, its slot has an owner.
class ChannelBody {
 public:
  ChannelBody(std::string path, storage::Fd file, const ChannelFacts& facts, storage::Outline schema, uint32_t roles);

  Membership& member() { return member_; }
  const Membership& member() const { return member_; }
  void join(uint32_t roles, bool by_name);  // a file that was found by its name may have lost it
  void check_ours() const;                  // throws in a forked child

  char* slot(unsigned i) const { return data_.data() + layout_.slots + layout_.stride * i; }
  Access access() const { return access_; }
  const SlotViews& views() const { return views_; }
  const ChannelFacts& facts() const { return facts_; }
  const std::string& path() const { return path_; }
  int64_t nbytes() const { return layout_.total; }
  int64_t slot_bytes() const { return facts_.slot_bytes; }

  bool hold_one_more();  // false if that is more than a member may
  void hold_one_less() {
    if (facts_.max_held != 0) held_.fetch_sub(1);
  }
  uint64_t lost_since_last();

 private:
  std::string path_;
  ChannelFacts facts_;
  ChannelLayout layout_;
  Access access_;
  storage::Mapping control_, data_;
  SlotViews views_;
  Membership member_;
  std::atomic<uint32_t> held_{0};
  std::atomic<uint64_t> lost_{0};
};
using ChannelBodyPtr = std::shared_ptr<ChannelBody>;

// Throws the Error of a result that is not `done`.
[[noreturn]] void throw_result(Result r, const ChannelBody& body, bool taking, int64_t timeout_ms);

}  // namespace shm

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
