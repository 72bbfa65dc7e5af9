// What threads do: work that each does with things of its own or with things that all have.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace bench {

struct ThreadRow {
  using Body = std::function<void()>;
  using Make = std::function<Body()>;  // in each thread: its own things, and one call

  std::string what;
  Make ours;
  std::string how;  // what the floor does
  Make floor;
};

std::vector<ThreadRow> thread_rows();

}  // namespace bench
