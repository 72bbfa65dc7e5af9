#include "core/text/lazy_repr.h"

#include <algorithm>

#include "core/dict/entries.h"
#include "core/dict/lazy/ragged.h"
#include "core/error.h"

namespace td {

namespace {

// What plain members hold, in order.
void held(const Node& node, const Key& key, std::vector<Entry>& out) {
  if (!node.each_member([&](const NodePtr& m, size_t) { held(*m, key, out); })) out.push_back(node.find(key.view()));
}

std::string held_class(const Entry& e) {
  if (e.is_node()) return e.node()->class_name();
  return e.is_unbatched() ? "UnbatchedTensor" : e.is_tensor() ? "Tensor" : e.data()->class_name();
}

}  // namespace

std::vector<Key> own_keys(const Node& node) {
  std::vector<Key> keys;
  if (!node.has_members()) {
    node.visit(Detail::shape, [&](const Key& k, const Entry&) { keys.push_back(k); });
    return keys;
  }
  const Nodes members = all_members(node);
  if (members.empty()) return keys;
  for (Key& k : own_keys(*members[0]))
    if (node.has_common(k.view())) keys.push_back(std::move(k));
  std::sort(keys.begin(), keys.end(), [](const Key& a, const Key& b) { return a.text() < b.text(); });
  return keys;
}

Entry shown(const Node& node, const Key& key, bool values) {
  Entry e = node.look(key.view(), Detail::shape);
  return e.is_data() || (values && e.is_tensor()) ? node.find(key.view()) : e;
}

std::string unreadable(const Node& node, c10::function_ref<void()> read) {
  try {
    read();
    return "";
  } catch (const Error& e) {
    if (node.lends()) throw;
    if (e.code() != Code::corrupt && e.code() != Code::unsupported) throw;
    return "unreadable: " + e.message();
  }
}

std::vector<Key> unshared_keys(const Node& member, const std::vector<Key>& common) {
  auto before = [](const Key& a, const Key& b) { return a.text() < b.text(); };
  std::vector<Key> keys;
  for (Key& k : own_keys(member))
    if (!std::binary_search(common.begin(), common.end(), k, before)) keys.push_back(std::move(k));
  return keys;
}

LazyLeaf lazy_leaf(const Node& stack, const Key& key) {
  std::vector<Entry> all;
  held(stack, key, all);
  LazyLeaf leaf;
  if (all.empty()) return leaf;
  bool one_kind = std::all_of(all.begin(), all.end(), [&](const Entry& e) {
    return e.is_node() == all[0].is_node() && e.is_batched() == all[0].is_batched() && e.is_data() == all[0].is_data();
  });
  if (!one_kind) {
    std::vector<std::string> classes;
    for (const Entry& e : all)
      if (std::find(classes.begin(), classes.end(), held_class(e)) == classes.end()) classes.push_back(held_class(e));
    for (const std::string& c : classes) leaf.kinds += (leaf.kinds.empty() ? "" : ", ") + c;
    return leaf;
  }
  if (!all[0].is_tensor()) return leaf;
  for (const Entry& e : all) leaf.tensors.push_back(e.tensor());
  KeyView view = key.view();
  leaf.shape = entry_shape(stack, PathView(&view, 1));
  leaf.unbatched = all[0].is_unbatched();
  leaf.type = leaf.tensors[0].scalar_type();
  for (const at::Tensor& t : leaf.tensors) leaf.type = c10::promoteTypes(leaf.type, t.scalar_type());
  return leaf;
}

}  // namespace td
