// How large things are, beside the least that they could be: bytes of the heap of what a dict holds, resident memory of a
// process that opens a segment, the time to load the library, and the size of its files. usage: size [PLUGIN_DIRECTORY]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include <unistd.h>

#include "tests/bench/size/heap.h"
#include "tests/bench/size/objects.h"

namespace fs = std::filesystem;
using bench::Object;

namespace {

const fs::path here = fs::read_symlink("/proc/self/exe").parent_path();

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// What one run of `process` printed.
struct Run {
  std::vector<double> loads;
  double resident = 0, anonymous = 0;
};

Run run(const std::vector<std::string>& arguments) {
  std::string command = "exec '" + (here / "size_process").string() + "'";
  for (const std::string& a : arguments) command += " '" + a + "'";
  Run result;
  FILE* out = popen(command.c_str(), "r");
  char line[256];
  while (out && std::fgets(line, sizeof line, out)) {
    double one;
    if (std::sscanf(line, "load %lf", &one) == 1) result.loads.push_back(one);
    std::sscanf(line, "resident %lf %lf", &result.resident, &result.anonymous);
  }
  if (!out || pclose(out) != 0) bench::stop("size_process failed");
  return result;
}

std::vector<std::string> loading(const std::vector<std::string>& libraries) {
  std::vector<std::string> arguments;
  for (const std::string& l : libraries) arguments.insert(arguments.end(), {"load", l});
  return arguments;
}

std::vector<std::string> operator+(std::vector<std::string> a, const std::vector<std::string>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

void print_resident(const char* what, const std::vector<std::string>& arguments) {
  std::vector<double> all, own;
  for (int i = 0; i < 5; ++i) {
    Run r = run(arguments);
    all.push_back(r.resident), own.push_back(r.anonymous);
  }
  std::printf("| %s | %.1f | %.1f |\n", what, median(all) / 1e6, median(own) / 1e6);
}

void resident(const std::vector<std::string>& torch, const std::string& library) {
  const std::string name = "td.bench.size." + std::to_string(getpid());
  bench::Segment segment = bench::segment_of(1000, name);
  std::puts("\n| a process that ... | resident, MB | of that its own, MB |\n|---|---|---|");
  print_resident("does nothing", {});
  print_resident("maps the file of a segment of 1,000 leaves of 4 KiB and reads it",
                 {"map", td_segment_path(segment.get()).data});
  print_resident("loads LibTorch", loading(torch));
  print_resident("loads libtensordict, and LibTorch with it", loading({library}));
  print_resident("opens that segment and reads all leaves",
                 loading({library}) + std::vector<std::string>{"open", name});
}

// CPU time of the last library of a list, in a process of its own each time, with all files in the page cache.
double load_time(const std::vector<std::string>& libraries) {
  std::vector<double> times;
  for (int i = 0; i < 9; ++i) times.push_back(run(loading(libraries)).loads.back());
  return median(times) / 1e6;
}

void load_times(const std::vector<std::string>& torch, const std::vector<std::string>& others,
                const std::string& library) {
  std::puts("\n| dlopen of ... | ms of CPU time |\n|---|---|");
  std::printf("| a library with nothing in it | %.2f |\n", load_time({here / "size_empty.so"}));
  std::printf("| LibTorch | %.2f |\n", load_time(torch));
  std::printf("| libtensordict, where LibTorch is loaded | %.2f |\n", load_time(torch + std::vector{library}));
  std::printf("| libtensordict, where all that it links is loaded | %.2f |\n",
              load_time(torch + others + std::vector{library}));
}

void print_file(const std::string& what, const Object& o) {
  std::printf("| %s | %.1f | %.1f | %.1f |\n", what.c_str(), o.file / 1e3, o.read_only / 1e3, o.writable / 1e3);
}

void files(const std::vector<std::string>& torch, const std::string& library, const fs::path& plugins) {
  std::puts("\n| file | kB | of that loaded, shared by all processes | loaded, writable |\n|---|---|---|---|");
  for (const std::string& t : torch) print_file(fs::path(t).filename(), bench::object_at(t));
  print_file("libtensordict.so", bench::object_at(library));
  print_file("a plugin with nothing in it", bench::object_at(here / "size_empty.so"));
  std::vector<std::pair<std::string, Object>> found;
  if (fs::is_directory(plugins))
    for (const fs::path& p : fs::directory_iterator(plugins))
      if (p.extension() == ".so") found.emplace_back(p.stem(), bench::object_at(p));
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.second.file < b.second.file; });
  Object all;
  for (const auto& [name, o] : found) {
    print_file("plugin " + name, o);
    all.file += o.file, all.read_only += o.read_only, all.writable += o.writable;
  }
  if (!found.empty()) print_file("all " + std::to_string(found.size()) + " plugins", all);
}

}  // namespace

int main(int argc, char** argv) {
  bench::without_caches_of_malloc(argv);
  std::puts("| bytes of the heap | ours | floor | ours/floor | the floor |\n|---|---|---|---|---|");
  for (const bench::HeapRow& r : bench::heap_rows())
    std::printf("| %s | %.1f | %.1f | %.2f | %s |\n", r.what.c_str(), r.ours, r.floor, r.ours / r.floor, r.how.c_str());
  std::fflush(stdout);
  std::vector<std::string> torch, others;
  std::string library;
  for (const std::string& path : bench::loaded_objects()) {
    const std::string name = fs::path(path).filename();
    if (name.rfind("libtensordict.so", 0) == 0)
      library = path;
    else if (name.rfind("libtorch_cpu.so", 0) == 0)
      torch.push_back(path);
    else
      others.push_back(path);
  }
  resident(torch, library);
  load_times(torch, others, library);
  files(torch, library, argc > 1 ? fs::path(argv[1]) : fs::path(library).parent_path() / "plugins");
  return 0;
}
