// Curves: what one item costs as there are more of them, beside the same work by hand.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <time.h>

namespace bench {

inline double cpu_ns() {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
}

// The CPU time of `body`: the least of several samples, as a busy machine only adds. Samples of short work have many calls.
template <class F>
double least_ns(F body) {
  constexpr double enough = 1e6;
  double begin = cpu_ns();
  body();
  double best = cpu_ns() - begin;
  const auto calls = static_cast<size_t>(best < enough ? enough / (best + 1) + 1 : 1);
  for (int sample = 0; sample < (best < 2e8 ? 7 : best < 5e9 ? 2 : 0); ++sample) {
    begin = cpu_ns();
    for (size_t i = 0; i < calls; ++i) body();
    const double took = (cpu_ns() - begin) / static_cast<double>(calls);
    best = took < best ? took : best;
  }
  return best;
}

struct Curve {
  std::string name, floor_of;                     // of a floor: the curve of ours that it belongs to
  std::vector<std::pair<size_t, double>> points;  // how many items, nanoseconds of one of them
};

struct Panel {
  std::string title, x, y;  // what is counted, and what the time is of
  std::vector<Curve> curves;

  // One more point; the curve begins with its first.
  void add(const std::string& name, size_t n, double ns, const std::string& floor_of = "") {
    for (Curve& c : curves)
      if (c.name == name) {
        c.points.emplace_back(n, ns);
        return;
      }
    curves.push_back({name, floor_of, {{n, ns}}});
  }
};

Panel leaves_panel();
Panel depth_panel();
Panel members_panel();
Panel channel_panel();
Panel rows_panel(size_t largest);

}  // namespace bench
