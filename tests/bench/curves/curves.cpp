// What an item costs as there are more of them: leaves, levels, members and rows, as JSON for tests/bench/curves/plot.
// usage: curves [--rows LARGEST] [TEXT...]     only panels whose name contains one of the texts: leaves, depth, members, channel, rows
// A map of 1e8 rows needs 8 GiB, so that the largest is 1e7 if nothing is said.
#include "tests/bench/curves/curves.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <unistd.h>

#include <ATen/Parallel.h>
#include <torch/version.h>

namespace {

void print(const bench::Panel& panel, bool first) {
  std::printf("%s\n {\"title\": \"%s\", \"x\": \"%s\", \"y\": \"%s\", \"curves\": [", first ? "" : ",",
              panel.title.c_str(), panel.x.c_str(), panel.y.c_str());
  const char* between = "";
  for (const bench::Curve& c : panel.curves) {
    std::printf("%s\n  {\"name\": \"%s\", \"floor_of\": \"%s\", \"points\": [", between, c.name.c_str(),
                c.floor_of.c_str());
    const char* comma = "";
    for (const auto& [n, ns] : c.points) std::printf("%s[%zu, %.4g]", comma, n, ns), comma = ", ";
    std::printf("]}");
    between = ",";
  }
  std::printf("]}");
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  size_t largest = 10000000;
  std::vector<std::string> texts;
  for (int i = 1; i < argc; ++i) {
    if (!std::strcmp(argv[i], "--rows") && i + 1 < argc)
      largest = static_cast<size_t>(std::strtod(argv[++i], nullptr));
    else
      texts.emplace_back(argv[i]);
  }
  at::set_num_threads(1);
  std::printf("{\"libtorch\": \"%s\", \"cores\": %ld, \"panels\": [", TORCH_VERSION, sysconf(_SC_NPROCESSORS_ONLN));
  const std::pair<const char*, std::function<bench::Panel()>> panels[] = {
      {"leaves", bench::leaves_panel},
      {"depth", bench::depth_panel},
      {"members", bench::members_panel},
      {"channel", bench::channel_panel},
      {"rows", [&] { return bench::rows_panel(largest); }},
  };
  bool first = true;
  for (const auto& [name, make] : panels) {
    const char* title = name;
    const auto named = [&](const std::string& text) { return std::strstr(title, text.c_str()) != nullptr; };
    if (!texts.empty() && std::none_of(texts.begin(), texts.end(), named)) continue;
    print(make(), first);
    first = false;
  }
  std::puts("]}");
  return 0;
}
