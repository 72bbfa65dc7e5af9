#include "core/dict/entries.h"

#include "core/dict/tensordict.h"

namespace td {

namespace {

void collect(Node& node, Nodes& out) {
  out.push_back(itself(node));
  node.parts(Detail::kind, [&](const Entry& e) {
    if (e.is_node()) collect(*e.node(), out);
  });
}

}  // namespace

Entries entries(const Node& node) {
  Entries out;
  out.reserve(node.count());
  node.visit([&](const Key& k, const Entry& e) { out.emplace_back(k, e); });
  return out;
}

Nodes all_members(const Node& node) {
  Nodes out;
  node.each_member([&](const NodePtr& m, size_t) { out.push_back(m); });
  return out;
}

NodePtr with_entries(const Node& node, const Entries& entries) {
  NodePtr made = node.make_like(node.batch_size());
  made->adopt_names(node.names());
  if (made->plain()) static_cast<TensorDict&>(*made).reserve(entries.size());
  for (const auto& [key, entry] : entries) made->put(key, entry);
  return made;
}

Nodes whole_tree(Node& node) {
  Nodes out;
  collect(node, out);
  return out;
}

}  // namespace td
