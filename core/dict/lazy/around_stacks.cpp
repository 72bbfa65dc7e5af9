#include "core/dict/lazy/around_stacks.h"

#include "core/dict/any_node.h"
#include "core/dict/batch_size.h"
#include "core/dict/entries.h"
#include "core/dict/lock.h"
#include "core/dict/tensordict.h"
#include "core/error.h"

namespace td {

namespace {

void find_stacks(const Node& node, const Path& prefix, std::vector<Path>& out) {
  node.visit(Detail::shape, [&](const Key& k, const Entry& e) {
    if (!e.is_node()) return;
    if (e.node()->has_members())
      out.push_back(prefix + k);
    else
      find_stacks(*e.node(), prefix + k, out);
  });
}

// The levels above the paths are new, and at each path stands an empty dict.
NodePtr with_placeholders(const Node& node, const std::vector<Path>& paths, size_t level) {
  Entries all = entries(node);
  for (auto& [key, entry] : all) {
    std::vector<Path> below;
    bool here = false;
    for (const Path& p : paths)
      if (p.keys()[level].view() == key.view()) {
        below.push_back(p);
        here = here || p.size() == level + 1;
      }
    if (below.empty() || !entry.is_node()) continue;
    const Node& child = *entry.node();
    NodePtr made =
        here ? TensorDict::make(child.batch_size(), child.device()) : with_placeholders(child, below, level + 1);
    if (here && !child.names().empty()) made->adopt_names(child.names());
    entry = Entry(std::move(made));
  }
  NodePtr made = with_entries(node, all);
  if (node.locked()) Lock::mark(*made);
  return made;
}

void put_at(Node& root, PathView path, NodePtr value) {
  NodePtr hold;
  Node* parent = &root;
  for (size_t i = 0; i + 1 < path.size(); ++i) {
    hold = parent->find(path[i]).take_node();
    parent = hold.get();
  }
  parent->put(Key(path.back()), Entry(std::move(value)));
  if (parent->locked()) Lock::acquire(*parent);
}

struct Stripped {
  std::vector<Path> paths;
  Nodes trees;
  std::vector<Nodes> stacks;  // for each path, what each tree has there

  explicit Stripped(const Several& nodes) {
    find_stacks(*nodes[0], Path(), paths);
    for (const Node* n : nodes) trees.push_back(with_placeholders(*n, paths, 0));
    for (const Path& p : paths) {
      Nodes there;
      for (const Node* n : nodes) there.push_back(n->node(p));
      there[0]->check_current();
      if (!begins_with(there[0]->batch_size(), nodes[0]->batch_size()))
        throw Error(Code::shape, "the stack has batch size " + to_string(there[0]->batch_size()) +
                                     " now, but the dict has " + to_string(nodes[0]->batch_size()))
            .key(to_string(p))
            .hint("add members before setting the stack into a dict");
      stacks.push_back(std::move(there));
    }
  }
};

}  // namespace

Several several(const Nodes& nodes) {
  Several out;
  for (const NodePtr& n : nodes) out.push_back(n.get());
  return out;
}

Nodes around_stacks(const Several& nodes, c10::function_ref<Nodes(const Several&)> op,
                    c10::function_ref<Nodes(const LazyStack&, const Several&)> on_stack) {
  if (const LazyStack* root = LazyStack::of(*nodes[0])) return on_stack(*root, nodes);
  if (!has_lazy(*nodes[0])) return op(nodes);
  Stripped parts(nodes);
  Nodes made = op(several(parts.trees));
  for (size_t i = 0; i < parts.paths.size(); ++i) {
    Nodes results = on_stack(*LazyStack::of(*parts.stacks[i][0]), several(parts.stacks[i]));
    for (size_t k = 0; k < made.size(); ++k) put_at(*made[k], parts.paths[i], std::move(results[k]));
  }
  for (const NodePtr& m : made)
    if (m->locked()) Lock::acquire(*m);
  return made;
}

NodePtr around_stacks(const Several& nodes, c10::function_ref<NodePtr(const Several&)> op,
                      c10::function_ref<NodePtr(const LazyStack&, const Several&)> on_stack) {
  const auto one = [&](const Several& n) { return Nodes{op(n)}; };
  const auto one_stack = [&](const LazyStack& stack, const Several& n) { return Nodes{on_stack(stack, n)}; };
  return around_stacks(nodes, c10::function_ref<Nodes(const Several&)>(one),
                       c10::function_ref<Nodes(const LazyStack&, const Several&)>(one_stack))[0];
}

}  // namespace td
