#include "core/dict/any_node.h"

namespace td {

bool has_lazy(const Node& node) {
  return any_node(node, [](const Node& n) { return n.has_members(); });
}

bool has_persistent(const Node& node) {
  if (!node.lends() && !node.has_members()) return true;
  bool found = false;
  node.parts(Detail::kind, [&](const Entry& e) { found = found || (e.is_node() && has_persistent(*e.node())); });
  return found;
}

}  // namespace td
