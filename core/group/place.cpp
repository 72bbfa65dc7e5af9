#include "core/group/place.h"

#include <cstdlib>
#include <cstring>
#include <string_view>

#include "core/error.h"

namespace td::group {

namespace {

constexpr std::string_view tcp = "tcp://", file = "file://", environment = "env://";

bool begins(const std::string& text, std::string_view with) {
  return text.compare(0, with.size(), with) == 0;
}

int32_t number_of(const std::string& text, const char* what, int32_t largest) {
  char* end = nullptr;
  const long n = std::strtol(text.c_str(), &end, 10);
  if (text.empty() || *end || n < 0 || n > largest)
    throw Error(Code::argument,
                std::string(what) + " is '" + text + "', not a number from 0 to " + std::to_string(largest));
  return static_cast<int32_t>(n);
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  if (!value || !*value)
    throw Error(Code::argument, std::string("the environment lacks ") + name)
        .hint("env:// needs MASTER_ADDR, MASTER_PORT, RANK and WORLD_SIZE, as torchrun sets them");
  return value;
}

Place tcp_place(const std::string& text) {
  Place place;
  const std::string rest = text.substr(tcp.size());
  const size_t colon = rest.rfind(':');
  if (colon == rest.npos || colon == 0)
    throw Error(Code::argument, "the store has no host and port").where(text).hint("give tcp://HOST:PORT");
  place.host = rest.substr(0, colon);
  if (place.host.front() == '[' && place.host.back() == ']') place.host = place.host.substr(1, place.host.size() - 2);
  place.port = static_cast<uint16_t>(number_of(rest.substr(colon + 1), "the port", 65535));
  if (place.port == 0) throw Error(Code::argument, "the port of the store is 0").where(text);
  return place;
}

}  // namespace

Place place_of(Options& options) {
  std::string text = options.store;
  const bool from_environment = text == environment;
  if (from_environment) {
    text = std::string(tcp) + variable("MASTER_ADDR") + ':' + variable("MASTER_PORT");
    constexpr int32_t any = INT32_MAX;
    options.rank = number_of(variable("RANK"), "RANK", any);
    options.size = number_of(variable("WORLD_SIZE"), "WORLD_SIZE", any);
    const char* agent = std::getenv("TORCHELASTIC_USE_AGENT_STORE");
    options.serve = options.rank == 0 && !(agent && std::strcmp(agent, "True") == 0);
  }
  Place place;
  if (begins(text, tcp)) {
    place = tcp_place(text);
  } else if (begins(text, file)) {
    place.file = true;
    place.path = text.substr(file.size());
    if (place.path.empty() || place.path[0] != '/')
      throw Error(Code::argument, "the store has no absolute path").where(text).hint("give file:///PATH");
  } else {
    throw Error(Code::argument, "the store is neither tcp://HOST:PORT, file:///PATH nor env://").where(text);
  }
  place.text = text;
  // Under which stock Python's init_process_group puts Gloo.
  if (options.prefix.empty()) options.prefix = "default_pg/0//cpu/";
  if (options.address.empty()) options.address = "127.0.0.1";
  return place;
}

}  // namespace td::group
