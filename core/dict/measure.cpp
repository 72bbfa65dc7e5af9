#include "core/dict/measure.h"

#include <algorithm>
#include <unordered_set>

#include "core/dict/copy.h"

namespace td {

namespace {

// As leaves, but nothing is read from files.
void collect_known(const Node& node, Leaves& out) {
  node.parts(Detail::kind, [&](const Entry& e) {
    if (e.is_node()) collect_known(*e.node(), out);
    if (e.is_tensor()) out.push_back(e.tensor());
  });
}

Leaves known_leaves(const Node& node) {
  Leaves out;
  collect_known(node, out);
  return out;
}

Leaves counted_leaves(const Node& node, bool duplicates) {
  Leaves all = known_leaves(node), once;
  if (duplicates) return all;
  std::unordered_set<const at::TensorImpl*> seen;
  for (at::Tensor& t : all)
    if (seen.insert(t.unsafeGetTensorImpl()).second) once.push_back(std::move(t));
  return once;
}

int64_t bytes_of(const at::Tensor& t) {
  return t.numel() * static_cast<int64_t>(t.element_size());
}

}  // namespace

bool lives_in_files(const Node& node) {
  bool any = false, all = true;
  auto ask = [&](const NodePtr& m, size_t) {
    any = true;
    all = all && lives_in_files(*m);
  };
  return node.each_member(ask) ? any && all : node.is_memmap();
}

int64_t nesting(const Node& node) {
  int64_t deepest = 0;
  for (const Path& path : leaf_paths(node)) deepest = std::max(deepest, static_cast<int64_t>(path.size()) - 1);
  return deepest;
}

optional<at::ScalarType> common_type(const Node& node) {
  Leaves all = known_leaves(node);
  for (const at::Tensor& t : all)
    if (t.scalar_type() != all[0].scalar_type()) return nullopt;
  return all.empty() ? optional<at::ScalarType>() : all[0].scalar_type();
}

bool is_floating_point(const Node& node) {
  Leaves all = known_leaves(node);
  return std::all_of(all.begin(), all.end(), [](const at::Tensor& t) { return t.is_floating_point(); });
}

int64_t param_count(const Node& node, bool duplicates) {
  int64_t n = 0;
  for (const at::Tensor& t : counted_leaves(node, duplicates)) n += t.numel();
  return n;
}

int64_t param_bytes(const Node& node, bool duplicates) {
  int64_t n = 0;
  for (const at::Tensor& t : counted_leaves(node, duplicates)) {
    n += bytes_of(t);
    if (t.is_leaf() && t.grad().defined()) n += bytes_of(t.grad());
  }
  return n;
}

Dims batch_at(const Node& node, PathView path) {
  if (path.size() > 1) {
    Entry made;
    const Entry* e = node.peek(path[0], made);
    if (e && e->is_node()) return batch_at(*e->node(), path.below());
  }
  return Dims(node.batch_size().begin(), node.batch_size().end());
}

}  // namespace td
