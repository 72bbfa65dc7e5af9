// Replays the committed conformance programs through the C++ layer: `replay FILE...` prints every difference from what they
// expect, and exits 1 if there is one.
#include <fstream>
#include <iostream>
#include <sstream>

#include "compare.h"
#include "program.hpp"

using namespace replay;

namespace {

const Operations& operations() {
  static const Operations all = [] {
    Operations joined = entry_operations();
    joined.merge(dict_operations());
    joined.merge(math_operations());
    return joined;
  }();
  return all;
}

// "TD_ERR_KEY" as "KEY".
std::string short_name(const Error& e) {
  const std::string name(e.status_name());
  return name.rfind("TD_ERR_", 0) == 0 ? name.substr(7) : name;
}

json::object run(const json::array& steps) {
  Program program;
  json::object seen;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const json::object& step = steps[i].as_object();
    const auto op = operations().find(json::value_to<std::string>(step.at("op")));
    if (op == operations().end()) throw BadProgram("no such operation: " + json::serialize(step.at("op")));
    program.begin(step);
    try {
      op->second(program);
    } catch (const Error& e) {
      seen["error"] = {{"step", i}, {"status", short_name(e)}, {"text", e.what()}};
      break;
    }
  }
  seen["registers"] = observe(program);
  return seen;
}

// An expected error names the step and the statuses that will do.
std::vector<std::string> check_error(const json::value* expected, const json::value* got) {
  if (!expected && !got) return {};
  if (!expected) return {"failed: " + json::serialize(*got)};
  if (!got) return {"did not fail: expected " + json::serialize(*expected)};
  const json::object &e = expected->as_object(), &g = got->as_object();
  if (e.at("step").to_number<std::int64_t>() != g.at("step").to_number<std::int64_t>())
    return {"another step failed: " + json::serialize(*got)};
  for (const json::value& status : e.at("statuses").as_array())
    if (status == g.at("status")) return {};
  return {"failed otherwise: expected one of " + json::serialize(e.at("statuses")) + ", got " + json::serialize(*got)};
}

std::vector<std::string> check(const json::object& vector) {
  std::vector<std::int64_t> before;
  for (td_object_kind kind = 0; kind < 32; ++kind) before.push_back(live_objects(kind));
  json::object seen;
  try {
    seen = run(vector.at("steps").as_array());
  } catch (const std::exception& e) {
    return {std::string("bad program: ") + e.what()};
  }
  const json::value* own = vector.if_contains("ours");
  const json::object& expected = (own ? *own : vector.at("expected")).as_object();
  std::vector<std::string> found = check_error(expected.if_contains("error"), seen.if_contains("error"));
  if (found.empty()) found = conformance::differences(expected.at("registers"), seen.at("registers"));
  for (td_object_kind kind = 0; kind < 32; ++kind)
    if (live_objects(kind) != before[static_cast<std::size_t>(kind)])
      found.push_back("objects of kind " + std::to_string(kind) + " were not given back");
  return found;
}

int replay_file(const char* path, int& programs) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  if (!file) throw std::runtime_error("cannot be read");
  int failed = 0;
  const json::value parsed = json::parse(text.str());
  for (const json::value& v : parsed.at("programs").as_array()) {
    const json::object& vector = v.as_object();
    ++programs;
    const std::vector<std::string> found = check(vector);
    failed += !found.empty();
    for (const std::string& line : found)
      std::cout << path << ": " << json::value_to<std::string>(vector.at("name")) << ": " << line << "\n";
  }
  return failed;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: replay FILE...\n";
    return 2;
  }
  detail::KnownOps::get();  // looked up once, and kept
  int failed = 0, programs = 0;
  for (int i = 1; i < argc; ++i) {
    try {
      failed += replay_file(argv[i], programs);
    } catch (const std::exception& e) {
      std::cout << argv[i] << ": " << e.what() << "\n";
      ++failed;
    }
  }
  std::cout << programs << " programs, " << failed << " differ\n";
  return failed ? 1 : 0;
}
