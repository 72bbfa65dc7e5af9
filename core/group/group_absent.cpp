// In place of the folder gloo, where LibTorch has no Gloo.
#include "core/error.h"
#include "core/group/transport.h"

namespace td::group {

namespace {

[[noreturn]] void throw_absent() {
  throw Error(Code::unsupported, "this build has no groups")
      .hint("build the library with groups switched on, and with a LibTorch that has Gloo");
}

}  // namespace

std::unique_ptr<Transport> connect(const Options&, const Place&) {
  throw_absent();
}

std::unique_ptr<Values> open_values(const Options&, const Place&) {
  throw_absent();
}

std::unique_ptr<Transport> adopt(const std::string&, bool) {
  throw_absent();
}

bool has_transport() {
  return false;
}

}  // namespace td::group
