#include "core/dict/data/plain.h"

#include "core/dict/tensordict.h"

namespace td {

namespace {

Entry plain_entry(const Entry& e, bool fresh) {
  if (e.is_node()) return Entry(plain_copy(*e.node()));
  if (e.is_tensor() && !fresh) return e.with(e.tensor().clone());
  return e;
}

}  // namespace

NodePtr plain_copy(const Node& node) {
  NodePtr made = TensorDict::make(node.batch_size(), node.device());
  made->adopt_names(node.names());
  bool fresh = !node.lends();
  node.visit([&](const Key& k, const Entry& e) { made->put(k, plain_entry(e, fresh)); });
  return made;
}

}  // namespace td
