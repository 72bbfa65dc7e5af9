#include "core/dict/walk.h"

#include <algorithm>
#include <string>
#include <utility>

namespace td {

namespace {

void walk(const Node& node, const Path& prefix, const KeyChoice& choice, std::vector<Path>& out) {
  node.visit(Detail::shape, [&](const Key& k, const Entry& e) {
    bool listed = choice.data_only ? e.is_data() : !choice.leaves_only || e.is_tensor() || (choice.data && e.is_data());
    const bool goes_on = e.is_node() && choice.nested;
    if (!listed && !goes_on) return;
    Path path = prefix + k;
    if (!goes_on) return out.push_back(std::move(path));
    if (listed && !choice.children_first) out.push_back(path);
    walk(*e.node(), path, choice, out);
    if (listed && choice.children_first) out.push_back(std::move(path));
  });
}

std::vector<Path> in_order(std::vector<Path> paths) {
  std::vector<std::pair<std::string, size_t>> order;
  for (size_t i = 0; i < paths.size(); ++i) {
    std::string joined;
    for (const Key& k : paths[i].keys()) joined += (&k == &paths[i].keys()[0] ? "" : ".") + k.text();
    order.emplace_back(std::move(joined), i);
  }
  std::sort(order.begin(), order.end());
  std::vector<Path> out;
  for (const auto& [joined, i] : order) out.push_back(std::move(paths[i]));
  return out;
}

}  // namespace

std::vector<Path> keys(const Node& node, const KeyChoice& choice) {
  std::vector<Path> out;
  out.reserve(node.count());
  walk(node, Path(), choice, out);
  return choice.sorted ? in_order(std::move(out)) : out;
}

KeyedEntries keyed_entries(const Node& node, const KeyChoice& choice) {
  KeyedEntries all;
  for (Path& path : keys(node, choice)) {
    Entry entry = node.lookup(path);
    if (!entry) continue;
    all.keys.push_back(std::move(path));
    all.entries.push_back(std::move(entry));
  }
  return all;
}

}  // namespace td
