// cpp_vectors FILE...: replays the vectors of nn*.json, hash.json, dist.txt and schedule.txt; a kind that is not known is a
// failure.
#include <fstream>
#include <iostream>
#include <iterator>

#include "vectors.hpp"

#include <boost/json/src.hpp>

using namespace vectors;

namespace {

Kinds all_kinds() {
  Kinds kinds;
  add_module_kinds(kinds);
  add_running_kinds(kinds);
  add_state_kinds(kinds);
  add_distribution_kinds(kinds);
  add_probabilistic_kinds(kinds);
  return kinds;
}

std::int64_t all_live_objects() {
  std::int64_t live = 0;
  for (td_object_kind kind = 0; kind < 32; ++kind)
    if (kind != TD_OBJECT_OP && kind != TD_OBJECT_MAPPING) live += live_objects(kind);
  return live;
}

bool ends_with(const std::string& name, const std::string& end) {
  return name.size() >= end.size() && name.compare(name.size() - end.size(), end.size(), end) == 0;
}

int replay_file(const std::string& path, const Kinds& kinds, const Report& report) {
  std::ifstream file(path);
  if (ends_with(path, "schedule.txt")) return replay_schedules(file, report);
  if (ends_with(path, ".txt")) return replay_distributions(file, report);
  const json::value parsed = json::parse(std::string(std::istreambuf_iterator<char>(file), {}));
  if (ends_with(path, "hash.json")) return replay_hashes(parsed.as_object(), report);
  const json::array& all = parsed.at("vectors").as_array();
  for (const json::value& v : all)
    report(text(v.at("id")), [&] {
      const auto kind = kinds.find(text(v.at("kind")));
      check(kind != kinds.end(), "this kind is not known");
      kind->second(v.as_object());
    });
  return static_cast<int>(all.size());
}

}  // namespace

int main(int argc, char** argv) {
  const Kinds kinds = all_kinds();
  detail::KnownOps::get();  // looked up once, and kept
  int replayed = 0, failed = 0;
  const Report report = [&](const std::string& name, const std::function<void()>& replay) {
    const std::int64_t before = all_live_objects();
    std::string found;
    try {
      replay();
    } catch (const std::exception& e) {
      found = e.what();
    }
    if (found.empty() && all_live_objects() != before) found = "objects were not given back";
    failed += !found.empty();
    if (!found.empty()) std::cout << name << ": " << found << "\n";
  };
  for (int i = 1; i < argc; ++i) replayed += replay_file(argv[i], kinds, report);
  std::cout << replayed << " vectors, " << failed << " differ\n";
  return failed || replayed == 0;
}
