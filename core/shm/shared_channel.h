// A channel in shared memory: dicts go from process to process by the number of the slot they lie in. The file and the
// rules are here; the moves are in slots, the waiting in member, the views in slot_views.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/shm/channel.h"
#include "core/shm/channel_body.h"
#include "core/shm/name_wait.h"
#include "core/shm/watch.h"

namespace td {

class SharedChannel;
using SharedChannelPtr = c10::intrusive_ptr<SharedChannel>;

class SharedChannel : public Channel {
 public:
  // `roles` of shm::Role.
  static SharedChannelPtr create(std::string_view name, const Node& schema, const shm::ChannelFacts& wanted,
                                 uint32_t roles, bool replace_dead);
  static SharedChannelPtr open(std::string_view name, uint32_t roles, const shm::Patience& patience);
  static void unlink(std::string_view name);

  // What the messages of a channel are made of, and the numbers of its file; throws what `create` throws for them.
  struct Plan {
    shm::ChannelFacts facts;
    storage::Outline outline;
    std::string json;  // of the outline
  };
  static Plan plan(const Node& schema, const shm::ChannelFacts& wanted);
  // Of JSON that another process has sent, and the numbers beside it: throws Error(corrupt) or Error(argument).
  static Plan plan(std::string json, const shm::ChannelFacts& told, const std::string& where);
  static NodePtr zeros_of(const storage::Outline& outline);
  // A body without a name, for the members of this process; `path` is what errors name.
  static shm::ChannelBodyPtr make_unnamed(const std::string& path, Plan plan, uint32_t roles);

  MessagePtr acquire(int64_t timeout_ms, const Cancel* cancel) override;
  MessagePtr take(int64_t timeout_ms, const Cancel* cancel) override;
  int descriptor(shm::Role what) override;
  void close() override;
  unsigned sweep() override;

  ChannelStats stats() const override;
  std::string dump() const override;
  NodePtr schema() const override;

  const std::string& path() const override { return body_->path(); }
  int64_t nbytes() const override { return body_->nbytes(); }
  const shm::ChannelFacts& facts() const override { return body_->facts(); }
  uint32_t roles() const override { return body_->member().roles(); }

  // One more member of the same file, which may hold any number of messages. Throws Error(nospace).
  SharedChannelPtr join(uint32_t roles) const;
  const shm::ChannelBodyPtr& body() const { return body_; }

  explicit SharedChannel(shm::ChannelBodyPtr body) : body_(std::move(body)) {}
  ~SharedChannel() override;

 private:
  static SharedChannelPtr open_now(const std::string& path, uint32_t roles);

  std::atomic<shm::Watch*>& watch(shm::Role what) { return watches_[what == shm::consumes]; }
  void attempted(shm::Role what, shm::Result r) {
    if (shm::Watch* there = watch(what).load(std::memory_order_acquire)) there->attempted(r != shm::Result::done);
  }

  shm::ChannelBodyPtr body_;
  std::atomic<shm::Watch*> watches_[2] = {{nullptr}, {nullptr}};  // of those who poll
  optional<shm::Identity> owned_;                                 // the file whose name goes with this object
};

}  // namespace td
