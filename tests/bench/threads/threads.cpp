// Threads that meet: what a call costs one thread alone, and each of two that run it at once, each on a CPU of its own; and
// how often the call writes to memory that others have.
// usage: threads [--threads N] [--where] [TEXT...]     only rows whose name contains one of the texts
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <time.h>

#include <ATen/Parallel.h>

#include "tests/bench/setup.h"
#include "tests/bench/threads/rows.h"
#include "tests/bench/threads/writes.h"

namespace {

using bench::ThreadRow;
using bench::Writes;

std::vector<int> cpus_of_process() {
  cpu_set_t allowed;
  sched_getaffinity(0, sizeof allowed, &allowed);
  std::vector<int> cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &allowed)) cpus.push_back(cpu);
  return cpus;
}

void stay_on(int cpu) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(cpu, &one);
  pthread_setaffinity_np(pthread_self(), sizeof one, &one);
}

double now(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
}

long switches() {
  struct rusage usage;
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nivcsw + usage.ru_nvcsw;
}

// Some calls of one thread.
struct Round {
  double start, end, cpu;
  bool interrupted;
};

Round round_of(const ThreadRow::Body& call, size_t calls) {
  const long before = switches();
  const double start = now(CLOCK_MONOTONIC), cpu = now(CLOCK_THREAD_CPUTIME_ID);
  for (size_t c = 0; c < calls; ++c) call();
  const double used = now(CLOCK_THREAD_CPUTIME_ID) - cpu, end = now(CLOCK_MONOTONIC);
  return {start, end, used, switches() != before};
}

constexpr size_t rounds = 50;

// The rounds of n threads that begin each of them together.
std::vector<std::vector<Round>> run(const ThreadRow::Make& make, const std::vector<int>& cpus, size_t n, size_t calls) {
  std::atomic<size_t> ready{0};
  std::vector<std::vector<Round>> all(n);
  std::vector<std::thread> threads;
  for (size_t i = 0; i < n; ++i)
    threads.emplace_back([&, i] {
      stay_on(cpus[i]);
      const ThreadRow::Body call = make();
      all[i].reserve(rounds);
      for (int warm = 0; warm < 100; ++warm) call();
      for (size_t r = 0; r < rounds; ++r) {
        for (++ready; ready.load() < n * (r + 1);) continue;
        all[i].push_back(round_of(call, calls));
      }
    });
  for (std::thread& t : threads) t.join();
  return all;
}

// Nanoseconds of a call in each round in which no thread was taken off its CPU and all began at once: otherwise some ran
// alone for a while.
void add_undisturbed(std::vector<double>& to, const std::vector<std::vector<Round>>& all, size_t calls) {
  for (size_t r = 0; r < rounds; ++r) {
    double sum = 0;
    bool disturbed = false;
    for (const std::vector<Round>& thread : all) {
      const Round &mine = thread[r], &first = all[0][r];
      disturbed |= mine.interrupted || std::abs(mine.start - first.start) > 0.1 * (first.end - first.start);
      sum += mine.cpu;
    }
    if (!disturbed) to.push_back(sum / static_cast<double>(all.size() * calls));
  }
}

struct Side {
  double alone = 0, at_once = 0;
  Writes writes;
};

double median(std::vector<double> values) {
  if (values.size() < 11) return NAN;
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// As many calls as take 0.3 ms, less than the time after which a busy machine takes a thread off its CPU.
size_t enough(const ThreadRow::Make& make, const std::vector<int>& cpus) {
  for (size_t calls = 1;; calls *= 2)
    if (run(make, cpus, 1, calls)[0].back().cpu > 3e5) return calls;
}

Side measure(const ThreadRow::Make& make, const std::vector<int>& cpus, size_t n) {
  const size_t calls = enough(make, cpus);
  std::vector<double> alone, at_once;
  for (int tries = 0; tries < 60 && (tries < 4 || std::min(alone.size(), at_once.size()) < 31); ++tries) {
    add_undisturbed(alone, run(make, cpus, 1, calls), calls);
    add_undisturbed(at_once, run(make, cpus, n, calls), calls);
  }
  Side side = {median(alone), median(at_once), {}};
  std::thread([&] {
    const ThreadRow::Body call = make();
    for (int warm = 0; warm < 100; ++warm) call();
    side.writes = bench::shared_writes(call);
  }).join();
  return side;
}

void print(const std::string& what, const Side& s, bool where) {
  const std::string writes =
      s.writes.counted ? std::to_string(s.writes.writes) + " to " + std::to_string(s.writes.lines) : "not counted";
  std::printf("| %s | %.1f | ", what.c_str(), s.alone);
  if (std::isnan(s.at_once))
    std::printf("busy | busy");
  else
    std::printf("%.1f | %.2f", s.at_once, s.at_once / s.alone);
  std::printf(" | %s |\n", writes.c_str());
  std::map<std::string, int> places;
  if (where)
    for (const std::string& from : s.writes.from) ++places[from];
  for (const auto& [from, times] : places) std::printf("    %d from %s\n", times, from.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  size_t n = 2;
  bool where = false;
  std::vector<std::string> texts;
  for (int i = 1; i < argc; ++i) {
    if (!std::strcmp(argv[i], "--threads") && i + 1 < argc)
      n = std::strtoul(argv[++i], nullptr, 10);
    else if (!std::strcmp(argv[i], "--where"))
      where = true;
    else
      texts.emplace_back(argv[i]);
  }
  const std::vector<int> cpus = cpus_of_process();
  if (n < 2 || cpus.size() < n) {
    std::fprintf(stderr, "threads: %zu CPUs are too few for %zu threads\n", cpus.size(), n);
    return n < 2;
  }
  at::set_num_threads(1);
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  std::printf(
      "| call | ns, one thread | ns, each of %zu | ratio | writes to shared memory, to lines |\n"
      "|---|---|---|---|---|\n",
      n);
  for (const ThreadRow& row : bench::thread_rows()) {
    const auto named = [&](const std::string& text) { return row.what.find(text) != std::string::npos; };
    if (!texts.empty() && std::none_of(texts.begin(), texts.end(), named)) continue;
    print(row.what, measure(row.ours, cpus, n), where);
    print("floor: " + row.how, measure(row.floor, cpus, n), where);
  }
  return 0;
}
