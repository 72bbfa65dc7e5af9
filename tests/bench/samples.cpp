#include "tests/bench/samples.h"

#include <algorithm>
#include <random>

#include <sys/resource.h>
#include <time.h>

namespace bench {

namespace {

constexpr double turn_ns = 5e7;       // of one part, or one sample if that takes longer
constexpr double long_call_ns = 1e4;  // is a sample by itself: a look at the clock costs little beside it
constexpr int short_calls = 16;

long times_slept() {
  rusage use = {};
  getrusage(RUSAGE_THREAD, &use);
  return use.ru_nvcsw;
}

// The first samples wake the other process, and fill its caches.
void take_turn(const Row::Sample& sample, Samples& to) {
  double first = sample(1);
  for (double end = wall_ns() + turn_ns / 10; wall_ns() < end;) first = std::min(first, sample(1));
  int calls = first < long_call_ns ? short_calls : 1;
  Samples turn;
  double end = wall_ns() + turn_ns;
  do {
    long before = times_slept();
    turn.ns.push_back(sample(calls));
    turn.slept += times_slept() != before;
  } while (wall_ns() < end);
  double median = turn.at(0.5);
  to.quietest = to.ns.empty() ? median : std::min(to.quietest, median);
  to.ns.insert(to.ns.end(), turn.ns.begin(), turn.ns.end());
  to.slept += turn.slept;
}

}  // namespace

double wall_ns() {
  timespec t = {};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
}

double Samples::at(double quantile) {
  auto wanted = ns.begin() + static_cast<std::ptrdiff_t>(quantile * static_cast<double>(ns.size() - 1));
  std::nth_element(ns.begin(), wanted, ns.end());
  return *wanted;
}

std::vector<Samples> take_samples(const Row& row, int repetitions) {
  std::vector<const Row::Part*> parts{&row.ours()};
  for (const Row::Part& floor : row.floors()) parts.push_back(&floor);
  std::vector<Samples> all(parts.size());
  std::vector<size_t> order(parts.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::mt19937 random;
  for (int turn = 0; turn < repetitions; ++turn) {
    std::shuffle(order.begin(), order.end(), random);
    for (size_t i : order)
      if (turn < row.max_repetitions() || all[i].at(0.5) < turn_ns / 5) take_turn(parts[i]->sample, all[i]);
  }
  return all;
}

}  // namespace bench
