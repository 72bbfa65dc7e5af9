#include "core/dict/lazy/ragged.h"

#include <algorithm>

#include "core/error.h"

namespace td {

namespace {

Dims own_shape(const Entry& e) {
  at::IntArrayRef sizes = e.is_tensor() ? e.tensor().sizes() : e.is_node() ? e.node()->batch_size() : e.data()->batch();
  return {sizes.begin(), sizes.end()};
}

Dims joint_shape(const std::vector<Dims>& shapes, size_t dim) {
  Dims out = shapes[0];
  for (const Dims& s : shapes) {
    if (s.size() != out.size()) return {-1};
    for (size_t d = 0; d < s.size(); ++d)
      if (s[d] != out[d]) out[d] = -1;
  }
  if (dim <= out.size()) out.insert(out.begin() + dim, static_cast<int64_t>(shapes.size()));
  return out;
}

void collect_ragged(const Node& node, const Path& prefix, std::vector<Path>& out) {
  node.visit(Detail::shape, [&](const Key& k, const Entry& e) {
    Path path = prefix + k;
    if (e.is_node()) collect_ragged(*e.node(), path, out);
    if (!e.is_tensor() || !node.has_members()) return;
    Dims shape = entry_shape(node, Path(std::vector<Key>{k}));
    if (std::find(shape.begin(), shape.end(), -1) != shape.end()) out.push_back(path);
  });
}

}  // namespace

Dims entry_shape(const Node& node, PathView path) {
  if (const LazyStack* stack = LazyStack::of(node)) {
    node.check_current();
    if (!node.has_common(path[0])) node.tensor({path.begin(), 1});  // throws
    Entry first = stack->members()[0]->look_at(path, Detail::kind);
    if (first.is_unbatched()) return entry_shape(*stack->members()[0], path);
    std::vector<Dims> shapes;
    for (const NodePtr& m : stack->members()) shapes.push_back(entry_shape(*m, path));
    return joint_shape(shapes, stack->stack_dim());
  }
  if (path.size() == 1) {
    Entry e = node.find(path[0]);
    if (!e) node.tensor(path);  // throws
    return own_shape(e);
  }
  return entry_shape(*node.node({path.begin(), 1}), path.below());
}

std::vector<Path> ragged_keys(const Node& node) {
  std::vector<Path> out;
  collect_ragged(node, Path(), out);
  return out;
}

std::vector<Path> exclusive_keys(const LazyStack& stack, size_t member) {
  if (member >= stack.members().size())
    throw Error(Code::index, "member " + std::to_string(member) + " is out of range for a stack of " +
                                 std::to_string(stack.members().size()));
  std::vector<Path> out;
  stack.members()[member]->visit(Detail::shape, [&](const Key& k, const Entry&) {
    if (!stack.has_common(k)) out.emplace_back(std::vector<Key>{k});
  });
  return out;
}

}  // namespace td
