#include "core/dict/holder.h"

namespace td {

NodePtr holder_of(const Node& root, PathView path) {
  if (root.has_members()) return {};
  if (path.size() == 1) return itself(root);
  Entry e = root.look(path[0], Detail::shape);
  return e.is_node() ? holder_of(*e.node(), path.below()) : NodePtr();
}

}  // namespace td
