// Where the ranks of a group meet, as the caller says it or as the environment does.
#pragma once

#include <cstdint>
#include <string>

#include "core/group/transport.h"

namespace td::group {

struct Place {
  bool file = false;
  std::string host, path;
  uint16_t port = 0;
  std::string text;  // "tcp://HOST:PORT" or "file:///PATH"
};

// Fills in what the options leave to the environment, and what they leave out. Throws Error(argument) for what is no
// place.
Place place_of(Options& options);

}  // namespace td::group
