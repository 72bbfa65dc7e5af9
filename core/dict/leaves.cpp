#include "core/dict/leaves.h"

#include "core/dict/batch_size.h"
#include "core/dict/tensordict.h"

namespace td {

namespace {

void collect(const Node& node, bool with_data, Leaves& out, std::vector<bool>* unbatched = nullptr) {
  auto take = [&](const Entry& e) {
    if (unbatched && e.is_tensor()) unbatched->push_back(e.is_unbatched());
    if (e.is_batched() || (e.is_unbatched() && !with_data))
      out.push_back(e.tensor());
    else if (e.is_node())
      collect(*e.node(), with_data, out, unbatched);
    else if (e.is_data() && with_data)
      out.push_back(e.data()->ids());
  };
  if (const TensorDict* plain = node.plain())
    plain->each(take);
  else if (with_data && node.has_members())
    throw no_stacks();
  else
    node.parts(take);
}

void collect_unbatched(const Node& node, std::vector<bool>& out) {
  if (node.each_member([&](const NodePtr& m, size_t) { collect_unbatched(*m, out); })) return;
  node.visit(Detail::shape, [&](const Key&, const Entry& e) {
    if (e.is_node())
      collect_unbatched(*e.node(), out);
    else if (e.is_tensor())
      out.push_back(e.is_unbatched());
  });
}

void collect_paths(const Node& node, const Path& prefix, std::vector<Path>& out) {
  if (node.each_member([&](const NodePtr& m, size_t) { collect_paths(*m, prefix, out); })) return;
  node.visit(Detail::shape, [&](const Key& k, const Entry& e) {
    Path path = prefix + k;
    if (e.is_node())
      collect_paths(*e.node(), path, out);
    else if (e.is_tensor())
      out.push_back(std::move(path));
  });
}

Leaves all_leaves(const Node& node, std::vector<bool>* unbatched) {
  const size_t n = node.plain() ? node.count() : 0;
  Leaves out;
  out.reserve(n);
  if (unbatched) unbatched->reserve(n);
  collect(node, false, out, unbatched);
  return out;
}

}  // namespace

Error no_stacks() {
  return Error(Code::unsupported, "lazy stacks do not support this operation")
      .hint_naming("make a dense copy with {dict_contiguous} first");
}

Error stale_leaf(at::IntArrayRef sizes, at::IntArrayRef batch) {
  return Error(Code::shape,
               "the entry has shape " + to_string(sizes) + ", which does not begin with batch size " + to_string(batch))
      .hint("the batch size of a node changed after it was set into the dict");
}

Leaves leaves(const Node& node) {
  return all_leaves(node, nullptr);
}

Leaves leaves(const Node& node, std::vector<bool>& unbatched) {
  return all_leaves(node, &unbatched);
}

Leaves batch_leaves(const Node& node) {
  node.check_current();
  Leaves out;
  out.reserve(node.plain() ? node.count() : 0);
  collect(node, true, out);
  for (const at::Tensor& t : out)
    if (!begins_with(t.sizes(), node.batch_size())) throw stale_leaf(t.sizes(), node.batch_size());
  return out;
}

Leaves batched_leaves(const Node& node) {
  std::vector<bool> unbatched;
  Leaves all = leaves(node, unbatched), out;
  for (size_t i = 0; i < all.size(); ++i)
    if (!unbatched[i]) out.push_back(std::move(all[i]));
  return out;
}

std::vector<bool> unbatched_leaves(const Node& node) {
  std::vector<bool> out;
  collect_unbatched(node, out);
  return out;
}

std::vector<Path> leaf_paths(const Node& node) {
  std::vector<Path> out;
  collect_paths(node, Path(), out);
  return out;
}

}  // namespace td
