// Replays programs over dicts through tensordict.h alone.
//
//   replay FILE...    committed vectors: prints every difference from what they expect, and exits 1 if there is one
//   replay --run      one program a line on standard input, one observation a line on standard output
#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>

#include "compare.h"
#include "run.h"
#include "tensordict.h"

using namespace conformance;

namespace {

int serve() {
  for (std::string line; std::getline(std::cin, line);) {
    boost::system::error_code bad;
    json::value program = json::parse(line, bad);
    json::object seen = bad ? json::object{{"bad", bad.message()}} : run(program);
    std::cout << json::serialize(seen) << std::endl;
  }
  return 0;
}

// An expected error names the step and the statuses that will do.
std::vector<std::string> check_error(const json::value *expected, const json::value *got) {
  if (!expected && !got) return {};
  if (!expected) return {"failed: " + json::serialize(*got)};
  if (!got) return {"did not fail: expected " + json::serialize(*expected)};
  const json::object &e = expected->as_object(), &g = got->as_object();
  if (e.at("step").to_number<int64_t>() != g.at("step").to_number<int64_t>())
    return {"another step failed: " + json::serialize(*got)};
  for (const json::value &status : e.at("statuses").as_array())
    if (status == g.at("status")) return {};
  return {"failed otherwise: expected one of " + json::serialize(e.at("statuses")) + ", got " + json::serialize(*got)};
}

std::vector<std::string> check(const json::object &vector) {
  const json::object seen = run(vector);
  if (const json::value *bad = seen.if_contains("bad")) return {"bad program: " + json::serialize(*bad)};
  const json::value *own = vector.if_contains("ours");
  const json::object &expected = (own ? *own : vector.at("expected")).as_object();
  std::vector<std::string> found = check_error(expected.if_contains("error"), seen.if_contains("error"));
  if (found.empty()) found = differences(expected.at("registers"), seen.at("registers"));
  if (const json::value *kind = seen.if_contains("leak"))
    found.push_back("objects of kind " + json::serialize(*kind) + " were not given back");
  return found;
}

int replay(const char *path, int &programs) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  if (!file) throw std::runtime_error("cannot be read");
  int failed = 0;
  const json::value parsed = json::parse(text.str());
  for (const json::value &v : parsed.at("programs").as_array()) {
    const json::object &vector = v.as_object();
    ++programs;
    const std::vector<std::string> found = check(vector);
    failed += !found.empty();
    for (const std::string &line : found)
      std::cout << path << ": " << json::value_to<std::string>(vector.at("name")) << ": " << line << "\n";
  }
  return failed;
}

}  // namespace

int main(int argc, char **argv) {
  if (argc < 2) {
    std::cerr << "usage: replay FILE... | replay --run\n";
    return 2;
  }
  if (std::string(argv[1]) == "--run") return serve();
  int failed = 0, programs = 0;
  for (int i = 1; i < argc; ++i) {
    try {
      failed += replay(argv[i], programs);
    } catch (const std::exception &e) {
      std::cout << argv[i] << ": " << e.what() << "\n";
      ++failed;
    }
  }
  std::cout << programs << " programs, " << failed << " differ\n";
  return failed ? 1 : 0;
}
