// A member of a channel over TCP that another process has created: what it publishes lies in a channel of this process
// until it is sent, and what comes in lies in another one until it is taken.
#pragma once

#include <memory>

#include "core/group/channel/address.h"
#include "core/group/channel/card.h"
#include "core/shm/name_wait.h"

namespace td::group {

class Connection;

class RemoteChannel final : public Channel {
 public:
  static ChannelPtr open(const Address& address, uint32_t roles, const shm::Patience& patience);

  MessagePtr acquire(int64_t timeout_ms, const Cancel* cancel) override;
  MessagePtr take(int64_t timeout_ms, const Cancel* cancel) override;
  int descriptor(shm::Role what) override;
  void close() override;
  unsigned sweep() override { return 0; }  // the creator notices who has gone

  ChannelStats stats() const override;
  std::string dump() const override;
  NodePtr schema() const override;

  const std::string& path() const override { return path_; }
  int64_t nbytes() const override;
  const shm::ChannelFacts& facts() const override { return facts_; }
  uint32_t roles() const override { return roles_; }

  RemoteChannel(const Address& address, Card card, uint32_t roles, std::unique_ptr<Transport> transport);

 private:
  SharedChannel& box(shm::Role what) const;
  void check_ours() const;

  std::string path_;
  shm::ChannelFacts facts_;
  uint32_t roles_;
  int64_t process_;
  storage::Outline outline_;
  SharedChannelPtr outbox_, inbox_;  // null without the role
  std::shared_ptr<Connection> connection_;
};

}  // namespace td::group
