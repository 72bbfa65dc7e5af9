// Runs all tests, or those of the suites that are named on the command line. Each must leave as many objects alive as it
// found.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "check.hpp"

namespace check {

std::vector<Case>& cases() {
  static std::vector<Case> all;
  return all;
}

bool add(Case one) {
  cases().push_back(one);
  return true;
}

namespace {
int failures = 0;

std::vector<std::int64_t> live() {
  std::vector<std::int64_t> out;
  for (td_object_kind kind = 0; kind < 64; ++kind) out.push_back(tensordict::live_objects(kind));
  return out;
}

void run(const Case& one) {
  const int before = failures;
  try {
    one.run();
  } catch (const std::exception& e) {
    fail(one.name, 0, std::string("threw: ") + e.what());
  }
  if (failures != before) std::printf("failed: %s/%s\n", one.suite, one.name);
}
}  // namespace

void fail(const char* file, int line, const std::string& what) {
  std::printf("%s:%d: %s\n", file, line, what.c_str());
  ++failures;
}

int failed() {
  return failures;
}

TemporaryDirectory::TemporaryDirectory() {
  std::string path = (std::filesystem::temp_directory_path() / "td-cpp-XXXXXX").string();
  if (!mkdtemp(path.data())) throw std::runtime_error("no temporary directory");
  path_ = path;
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string unique_name(const std::string& stem) {
  static int count = 0;
  return "td-cpp." + stem + "." + std::to_string(getpid()) + "." + std::to_string(++count);
}

}  // namespace check

int main(int argc, char** argv) {
  using namespace check;
  tensordict::detail::KnownOps::get();  // looked up once, and kept
  int ran = 0;
  for (const Case& one : cases()) {
    bool wanted = argc < 2;
    for (int i = 1; i < argc; ++i) wanted = wanted || std::string(argv[i]) == one.suite;
    if (!wanted) continue;
    const std::vector<std::int64_t> before = live();
    run(one);
    const std::vector<std::int64_t> after = live();
    for (std::size_t kind = 0; kind < after.size(); ++kind)
      if (after[kind] != before[kind])
        fail(one.name, 0,
             "objects of kind " + std::to_string(kind) +
                 " were not given back: " + std::to_string(after[kind] - before[kind]));
    ++ran;
  }
  std::printf("%d tests, %d failures\n", ran, failures);
  return failures != 0 || ran == 0;
}
