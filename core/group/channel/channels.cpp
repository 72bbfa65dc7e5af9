#include "core/group/channel/channels.h"

#include <string>

#include "core/error.h"
#include "core/group/channel/gateway.h"
#include "core/group/channel/remote_channel.h"

namespace td {

namespace {

constexpr uint32_t usual_deliveries = 2;

[[noreturn]] void throw_not_over_tcp(std::string_view name, const char* what) {
  throw Error(Code::unsupported, what).where(std::string(name));
}

}  // namespace

ChannelPtr create_channel(std::string_view name, const Node& schema, const ChannelWish& wish) {
  shm::ChannelFacts facts = wish.facts;
  uint32_t& deliveries = facts.rules.deliveries;
  if (!group::is_address(name)) {
    if (deliveries == 0) deliveries = usual_deliveries;
    return SharedChannel::create(name, schema, facts, wish.roles, wish.replace_dead);
  }
  if (deliveries > 1)
    throw_not_over_tcp(name, "over TCP a message is delivered at most once: set deliveries to 1 or leave it 0");
  if (facts.keep) throw_not_over_tcp(name, "a channel over TCP ends with its creator: keep cannot be set");
  if (wish.replace_dead)
    throw_not_over_tcp(name, "a channel over TCP leaves nothing behind to replace: replace_dead cannot be set");
  deliveries = 1;
  return group::create_over_tcp(group::parse_address(name), schema, facts, wish.roles);
}

ChannelPtr open_channel(std::string_view name, uint32_t roles, const shm::Patience& patience) {
  if (group::is_address(name)) return group::RemoteChannel::open(group::parse_address(name), roles, patience);
  return SharedChannel::open(name, roles, patience);
}

void unlink_channel(std::string_view name) {
  if (group::is_address(name)) throw_not_over_tcp(name, "the name of a channel over TCP ends with its creator");
  SharedChannel::unlink(name);
}

}  // namespace td
