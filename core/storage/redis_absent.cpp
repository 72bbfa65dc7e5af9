// In place of the folder redis, where libhiredis is missing.
#include "core/error.h"
#include "core/storage/remote.h"

namespace td::storage {

namespace {

[[noreturn]] void no_redis() {
  throw Error(Code::unsupported, "this build cannot talk with Redis servers")
      .hint("install libhiredis with its headers (libhiredis-dev) and build the library again");
}

}  // namespace

bool has_redis() {
  return false;
}

NodePtr open_remote(const std::string&, const RemoteOptions&) {
  no_redis();
}

NodePtr create_remote(const std::string&, const RemoteOptions&) {
  no_redis();
}

std::vector<std::string> list_remotes(const std::string&, const RemoteOptions&) {
  no_redis();
}

void remove_remote(const std::string&, const RemoteOptions&) {
  no_redis();
}

}  // namespace td::storage
