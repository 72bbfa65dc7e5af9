#include "core/dict/change/merge.h"

#include "core/dict/change/edit.h"
#include "core/dict/copy.h"
#include "core/dict/tensordict.h"
#include "core/dict/walk.h"
#include "core/error.h"

namespace td {

namespace {

void merge_into(Node& root, const Node& from, const Path& prefix) {
  from.visit([&](const Key& k, const Entry& e) {
    Path path = prefix + k;
    Entry there = root.get(path);
    if (!there) {
      root.set(path, e.is_node() ? Entry(shallow_copy(*e.node())) : e);
      return;
    }
    if (there.is_node() != e.is_node())
      throw Error(Code::key, std::string("the entry is a dict in one input and ") +
                                 ((there.is_node() ? e : there).is_data() ? "data" : "a tensor") + " in another")
          .key(to_string(path));
    if (e.is_node()) merge_into(root, *e.node(), path);
  });
}

}  // namespace

NodePtr merge(const std::vector<const Node*>& nodes) {
  if (nodes.empty()) throw Error(Code::argument, "nothing to merge");
  NodePtr made = shallow_copy(*nodes[0]);
  for (size_t i = 1; i < nodes.size(); ++i) merge_into(*made, *nodes[i], Path());
  return made;
}

NodePtr merge(const std::vector<const Node*>& nodes, const LeafFunction& fn) {
  NodePtr made = merge(nodes);
  KeyChoice tensors;
  tensors.nested = tensors.leaves_only = true;
  for (const Path& path : keys(*nodes[0], tensors)) {
    Leaves row;
    for (const Node* n : nodes)
      if (Entry e = n->get(path); e.is_tensor()) row.push_back(e.tensor());
    if (row.size() < nodes.size()) continue;
    try {
      if (at::Tensor result = fn(path, row); result.defined())
        made->set(path, nodes[0]->look_at(path, Detail::kind).with(std::move(result)));
    } catch (Error& e) {
      if (!e.key().empty()) throw;
      throw e.key(to_string(path));
    }
  }
  return made;
}

NodePtr build(at::IntArrayRef batch, const optional<c10::Device>& device, const std::vector<Item>& items) {
  NodePtr made = TensorDict::make(batch, device);
  Edit edit;
  for (const auto& [path, entry] : items) edit.set(*made, path, entry);
  edit.keep();
  return made;
}

}  // namespace td
