#include "core/group/gloo/failure.h"

#include <initializer_list>
#include <string>
#include <utility>

namespace td::group {

Failure failure_of(const std::string& text) {
  auto says = [&](std::initializer_list<const char*> words) {
    for (const char* word : words)
      if (text.find(word) != text.npos) return true;
    return false;
  };
  if (says({"sizeof(impl_) == bytes.size()"})) return Failure::other_version;
  if (says({"Application timeout"})) return Failure::pair_closed;
  if (says({"imed out", "imeout"})) return Failure::timeout;
  if (says({"EADDRINUSE", "Address already in use"})) return Failure::address_taken;
  if (says({"onnection closed", "onnection reset", "Broken pipe", "onnection refused", "failed to recv", "ocket closed",
            "Software caused connection abort"}))
    return Failure::peer_closed;
  return Failure::unknown;
}

std::string in_time(int64_t timeout_ms) {
  return timeout_ms > 0 ? "in " + std::to_string(timeout_ms) + " ms" : "before the timeout of the group";
}

Error store_failure(const std::string& store, int64_t timeout_ms) {
  const Error e = current_error();
  switch (failure_of(e.message())) {
    case Failure::timeout:
      return Error(Code::timeout, "the store did not answer " + in_time(timeout_ms))
          .where(store)
          .hint("one rank must serve it, and the address must be reachable")
          .cause(std::make_shared<const Error>(e));
    case Failure::address_taken:
      return Error(Code::exists, "the port of the store is taken")
          .where(store)
          .hint("one rank serves it; choose another port if that of another program is in the way");
    case Failure::peer_closed:
      return Error(Code::closed, "the store has gone, or is that of another version of c10d")
          .where(store)
          .hint("the rank that serves the store must live; LibTorch 1.13 cannot use the store of LibTorch 2")
          .cause(std::make_shared<const Error>(e));
    default:
      return Error(Code::io, "the store failed: " + e.message()).where(store);
  }
}

Error transfer_failure(int32_t peer, int64_t timeout_ms) {
  const Error e = current_error();
  const std::string rank = "rank " + std::to_string(peer);
  switch (failure_of(e.message())) {
    case Failure::timeout:
      return Error(Code::timeout, rank + " did nothing " + in_time(timeout_ms))
          .where(rank)
          .hint("the group is closed for this rank now: open another one under another prefix");
    case Failure::pair_closed:
      return Error(Code::closed, "the connection to " + rank + " is closed since a timeout")
          .where(rank)
          .hint("open another group under another prefix");
    case Failure::peer_closed:
      return Error(Code::closed, rank + " has gone").where(rank).hint("open another group under another prefix");
    default:
      return Error(Code::io, "the transfer with " + rank + " failed: " + e.message()).where(rank);
  }
}

}  // namespace td::group
