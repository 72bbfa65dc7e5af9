#include "core/dict/walk.h"

namespace td {

namespace {

void walk(const Node& node, const Path& prefix, bool nested, bool leaves_only, std::vector<Path>& out) {
  node.visit([&](const Key& k, const Entry& e) {
    Path path = prefix + k;
    if (!leaves_only || e.is_tensor()) out.push_back(path);
    if (e.is_node() && nested) walk(*e.node(), path, nested, leaves_only, out);
  });
}

}  // namespace

std::vector<Path> keys(const Node& node, bool nested, bool leaves_only) {
  std::vector<Path> out;
  walk(node, Path(), nested, leaves_only, out);
  return out;
}

}  // namespace td
