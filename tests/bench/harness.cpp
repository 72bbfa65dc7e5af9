// usage: bench [--json FILE] [--python PROGRAM] [--repetitions N] [--instructions CALLS | --floors CALLS] [TEXT...]
//   Prints the rows whose names contain one of the TEXTs, or all. With --instructions, runs them under callgrind instead,
//   and with --floors their first floors.
#include "tests/bench/harness.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>

#include "core/torch_compat.h"
#include "tests/bench/instructions.h"
#include "tests/bench/samples.h"
#include "tests/bench/setup.h"

namespace bench {

namespace {

struct Options {
  std::string json, python;
  int repetitions = 15, instructions = 0;
  Counted counted = Counted::ours;
  std::vector<std::string> wanted;
};

// TD_TEST_PYTHON as the environment or the build says, else whatever python3 there is.
std::string default_python() {
  if (const char* given = std::getenv("TD_TEST_PYTHON")) return given;
#ifdef TD_TEST_PYTHON
  if (*TD_TEST_PYTHON) return TD_TEST_PYTHON;
#endif
  return "python3";
}

Options parse(int argc, char** argv) {
  Options o;
  o.python = default_python();
  for (int i = 1; i < argc; ++i) {
    std::string arg = argv[i];
    if (arg.rfind("--", 0) != 0) {
      o.wanted.push_back(arg);
      continue;
    }
    if (i + 1 == argc)
      stop(
          "usage: bench [--json FILE] [--python PROGRAM] [--repetitions N] [--instructions CALLS | --floors CALLS] "
          "[TEXT...]");
    std::string value = argv[++i];
    if (arg == "--json")
      o.json = value;
    else if (arg == "--python")
      o.python = value;
    else if (arg == "--repetitions")
      o.repetitions = std::max(1, std::atoi(value.c_str()));
    else if (arg == "--instructions" || arg == "--floors") {
      o.instructions = std::max(1, std::atoi(value.c_str()));
      o.counted = arg == "--floors" ? Counted::floor : Counted::ours;
    } else
      stop(("unknown option " + arg).c_str());
  }
  return o;
}

bool wanted(const Options& o, const std::string& name) {
  return o.wanted.empty() || std::any_of(o.wanted.begin(), o.wanted.end(),
                                         [&](const std::string& text) { return name.find(text) != std::string::npos; });
}

void one_thread() {
  must(td_set_num_threads(1, &failure));
  // OpenBLAS has threads of its own, which LibTorch does not know of.
  if (void* set = dlsym(RTLD_DEFAULT, "openblas_set_num_threads")) reinterpret_cast<void (*)(int)>(set)(1);
}

// ---- Stock Python, in a process of its own ------------------------------------------------------------------------

struct Peer {
  std::string what;                    // empty when there is none
  std::map<std::string, double> rows;  // nanoseconds
};

std::string quoted(const std::string& text) {
  std::string s = "'";
  for (char c : text) s += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return s + "'";
}

Peer measure_peer(const Options& o) {
  Peer peer;
  std::string command = quoted(o.python) + " " + quoted(TD_TEST_DATA "/../bench/python_peer.py");
  command += " --repetitions " + std::to_string(o.repetitions);
  for (const std::string& text : o.wanted) command += " " + quoted(text);
  std::unique_ptr<FILE, int (*)(FILE*)> lines(popen(command.c_str(), "r"), pclose);
  char line[512], name[256];
  double ns = 0;
  while (lines && std::fgets(line, sizeof line, lines.get())) {
    if (std::sscanf(line, "{\"row\": \"%255[^\"]\", \"ns\": %lf}", name, &ns) == 2) peer.rows[name] = ns;
    if (std::sscanf(line, "{\"peer\": \"%255[^\"]\"}", name) == 1) peer.what = name;
  }
  return peer;
}

// ---- The rows -------------------------------------------------------------------------------------------------------

// Nanoseconds. In rows of samples the median is that of the quietest turn; what follows is of all samples.
struct Time {
  double median = 0, p50 = 0, p99 = 0;
  size_t samples = 0, slept = 0;
};

struct Result {
  std::string name;
  Time ours;
  std::vector<std::pair<std::string, Time>> floors;
};

class Collector : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs)
      if (run.run_type == Run::RT_Iteration) times_[run.run_name.function_name].push_back(run.GetAdjustedCPUTime());
  }

  Time median(const std::string& name) {
    std::vector<double>& t = times_[name];
    if (t.empty()) stop("a row was not measured");
    auto middle = t.begin() + static_cast<std::ptrdiff_t>(t.size() / 2);
    std::nth_element(t.begin(), middle, t.end());
    return {*middle};
  }

 private:
  std::map<std::string, std::vector<double>> times_;
};

Result measure_samples(const std::string& row_name, const Row& row, int repetitions) {
  std::vector<Samples> taken = take_samples(row, repetitions);
  auto time = [](Samples& s) { return Time{s.quietest, s.at(0.5), s.at(0.99), s.ns.size(), s.slept}; };
  Result result{row_name, time(taken[0]), {}};
  for (size_t i = 0; i < row.floors().size(); ++i) result.floors.emplace_back(row.floors()[i].how, time(taken[i + 1]));
  return result;
}

// The repetitions of the call and its floors are shuffled: what else the machine does hits all of them.
Result measure(const std::string& row_name, const Rows::SetUp& set_up, int repetitions) {
  Row row;
  set_up(row);
  if (row.by_samples()) return measure_samples(row_name, row, repetitions);
  auto add = [&](const std::string& part, const Row::Loop& loop) {
    std::string name = row_name + "#" + part;
    auto* made = benchmark::RegisterBenchmark(name.c_str(), loop);
    made->Unit(benchmark::kNanosecond)->MinTime(0.01)->Repetitions(std::min(repetitions, row.max_repetitions()));
    return name;
  };
  std::string ours = add("ours", row.ours().loop);
  std::vector<std::string> floors;
  for (const Row::Part& f : row.floors()) floors.push_back(add(f.how, f.loop));
  Collector times;
  benchmark::RunSpecifiedBenchmarks(&times, ".");

  Result result{row_name, times.median(ours), {}};
  for (size_t i = 0; i < floors.size(); ++i) result.floors.emplace_back(row.floors()[i].how, times.median(floors[i]));
  benchmark::ClearRegisteredBenchmarks();  // they hold what the row needs
  return result;
}

// ---- Output -----------------------------------------------------------------------------------------------------------

std::string torch_version() {
  return std::to_string(TORCH_VERSION_MAJOR) + "." + std::to_string(TORCH_VERSION_MINOR) + "." +
         std::to_string(TORCH_VERSION_PATCH);
}

std::string readable(double ns) {
  char s[32];
  if (ns < 1e3)
    std::snprintf(s, sizeof s, "%.1f ns", ns);
  else if (ns < 1e6)
    std::snprintf(s, sizeof s, "%.2f us", ns / 1e3);
  else
    std::snprintf(s, sizeof s, "%.2f ms", ns / 1e6);
  return s;
}

std::string times(double ratio) {
  char s[32];
  std::snprintf(s, sizeof s, ratio < 10 ? "%.2f" : "%.0f", ratio);
  return s;
}

void print_head(const Options& o, const Peer& peer) {
  std::printf("tensordict %s on LibTorch %s; one thread, CPU time (samples: wall time), medians of %d repetitions\n",
              td_version().data, torch_version().c_str(), o.repetitions);
  std::printf("peer: %s\n\n", peer.what.empty() ? "none (no Python with tensordict; see --python)" : peer.what.c_str());
  std::printf("%-34s %10s %10s %10s %11s %11s  %s\n", "row", "ours", "floor", "ours/floor", "Python", "Python/ours",
              "floor");
}

void print_samples(const std::string& how, const Time& t) {
  std::printf("  all samples: p50 %s, p99 %s; slept in %zu of %zu  %s\n", readable(t.p50).c_str(),
              readable(t.p99).c_str(), t.slept, t.samples, how.c_str());
}

void print(const Result& r, const Peer& peer) {
  auto python = peer.rows.find(r.name);
  bool there = python != peer.rows.end();
  std::string name = r.name, ours = readable(r.ours.median), theirs = there ? readable(python->second) : "";
  std::string gain = there ? times(python->second / r.ours.median) : "";
  for (const auto& [how, floor] : r.floors) {
    std::printf("%-34s %10s %10s %10s %11s %11s  %s\n", name.c_str(), ours.c_str(), readable(floor.median).c_str(),
                times(r.ours.median / floor.median).c_str(), theirs.c_str(), gain.c_str(), how.c_str());
    name = ours = theirs = gain = "";
  }
  if (r.ours.samples > 0) {
    print_samples("ours", r.ours);
    for (const auto& [how, floor] : r.floors) print_samples(how, floor);
  }
  std::fflush(stdout);
}

void write_samples(FILE* out, const Time& t) {
  if (t.samples > 0)
    std::fprintf(out, ", \"p50_ns\": %.2f, \"p99_ns\": %.2f, \"samples\": %zu, \"slept\": %zu", t.p50, t.p99, t.samples,
                 t.slept);
}

void write_json(const std::string& file, const Options& o, const Peer& peer, const std::vector<Result>& results) {
  std::unique_ptr<FILE, int (*)(FILE*)> out(std::fopen(file.c_str(), "w"), std::fclose);
  if (!out) stop(("cannot write " + file).c_str());
  std::fprintf(out.get(),
               "{\"tensordict\": \"%s\", \"libtorch\": \"%s\", \"peer\": \"%s\", \"repetitions\": %d, \"rows\": [",
               td_version().data, torch_version().c_str(), peer.what.c_str(), o.repetitions);
  const char* comma = "\n";
  for (const Result& r : results) {
    std::fprintf(out.get(), "%s  {\"row\": \"%s\", \"ours_ns\": %.2f", comma, r.name.c_str(), r.ours.median);
    write_samples(out.get(), r.ours);
    std::fprintf(out.get(), ", \"floors\": [");
    comma = ",\n";
    for (size_t i = 0; i < r.floors.size(); ++i) {
      const auto& [how, floor] = r.floors[i];
      std::fprintf(out.get(), "%s{\"how\": \"%s\", \"ns\": %.2f", i ? ", " : "", how.c_str(), floor.median);
      write_samples(out.get(), floor);
      std::fprintf(out.get(), "}");
    }
    auto python = peer.rows.find(r.name);
    if (python == peer.rows.end())
      std::fprintf(out.get(), "], \"python_ns\": null}");
    else
      std::fprintf(out.get(), "], \"python_ns\": %.2f}", python->second);
  }
  std::fprintf(out.get(), "\n]}\n");
}

int run(const Options& o) {
  one_thread();
  Rows rows;
  add_dict_rows(rows);
  add_op_rows(rows);
  add_container_rows(rows);
  add_ensemble_rows(rows);
  add_vmap_rows(rows);
  add_storage_rows(rows);
  add_round_trip_rows(rows);
  add_channel_rows(rows);
  add_query_rows(rows);
  add_dist_rows(rows);
  add_hook_rows(rows);
#ifdef TD_BENCH_GROUP
  add_group_rows(rows);
#endif

  if (o.instructions > 0) {
    for (const auto& [name, set_up] : rows.all())
      if (wanted(o, name)) count_instructions(name, set_up, o.instructions, o.counted);
    return 0;
  }
  Peer peer = measure_peer(o);
  print_head(o, peer);
  std::vector<Result> results;
  for (const auto& [name, set_up] : rows.all()) {
    if (!wanted(o, name)) continue;
    results.push_back(measure(name, set_up, o.repetitions));
    print(results.back(), peer);
  }
  if (!o.json.empty()) write_json(o.json, o, peer, results);
  return 0;
}

}  // namespace

}  // namespace bench

int main(int argc, char** argv) {
  bench::Options options = bench::parse(argc, argv);
  // Google Benchmark's own options have no place in the table's; only the shuffling is not in its interface.
  char shuffle[] = "--benchmark_enable_random_interleaving=true";
  char* flags[] = {argv[0], shuffle, nullptr};
  int n = 2;
  benchmark::Initialize(&n, flags);
  return bench::run(options);
}
