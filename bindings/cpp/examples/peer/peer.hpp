// What the files of this program share.
#ifndef TENSORDICT_EXAMPLES_PEER_HPP
#define TENSORDICT_EXAMPLES_PEER_HPP

#include <functional>
#include <iostream>
#include <string>
#include <tensordict.hpp>
#include <vector>

namespace peer {

using Arguments = std::vector<std::string>;

// Calls `each` for every line on stdin.
inline void lines(const std::function<void(const std::string&)>& each = [](const std::string&) {}) {
  for (std::string line; std::getline(std::cin, line);) each(line);
}

// A command whose name is known has run; storage.cpp and channel.cpp have some each.
bool storage(const std::string& command, const Arguments& arguments);
bool channel(const std::string& command, const Arguments& arguments);

}  // namespace peer

#endif
