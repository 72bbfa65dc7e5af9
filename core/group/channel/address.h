// "tcp://HOST:PORT/NAME": where a channel over TCP is, and by which addresses two machines see each other.
#pragma once

#include <string>
#include <string_view>

#include "core/group/place.h"
#include "core/group/transport.h"

namespace td::group {

struct Address {
  std::string text;
  std::string host, name;
  uint16_t port = 0;
  bool everywhere = false;  // the host is 0.0.0.0 or ::, every address of the machine

  // To open the store, or the connection between two members of a group with this prefix.
  Options options(const std::string& prefix) const;
};

inline constexpr int64_t silence_ms = 30000;  // a member that says nothing for so long is taken for dead
inline constexpr int64_t linger_ms = 10000;   // whoever leaves waits so long for what he published to be taken

bool is_address(std::string_view name);

// Throws Error(argument).
Address parse_address(std::string_view text);

struct Route {
  std::string from, to;  // numeric addresses
};

// Throws Error(not_found) if nothing listens there.
Route route_to(const Address& address);

// True if this machine has that address.
bool is_here(const std::string& numeric);

}  // namespace td::group
