// In place of the folder gloo, where LibTorch has no Gloo.
#include "core/error.h"
#include "core/group/transport.h"

namespace td::group {

std::unique_ptr<Transport> connect(const Options&, const Place&) {
  throw Error(Code::unsupported, "this build has no groups")
      .hint("build the library with groups switched on, and with a LibTorch that has Gloo");
}

bool has_transport() {
  return false;
}

}  // namespace td::group
