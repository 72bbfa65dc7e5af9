#include "core/dict/copy.h"

#include <algorithm>
#include <cstring>

#include "core/dict/tensordict.h"
#include "core/tensor/fast.h"
#include "core/tensor/memory.h"

namespace td {

namespace {

void collect(const Node& node, Leaves& out) {
  node.visit([&](const Key&, const Entry& e) {
    if (e.is_node())
      collect(*e.node(), out);
    else
      out.push_back(e.tensor());
  });
}

void collect_paths(const Node& node, const Path& prefix, std::vector<Path>& out) {
  node.visit([&](const Key& k, const Entry& e) {
    Path path = prefix + k;
    if (e.is_node())
      collect_paths(*e.node(), path, out);
    else
      out.push_back(std::move(path));
  });
}

NodePtr rebuild_from(const Node& node, const at::Tensor*& next, at::IntArrayRef batch, const Names& names) {
  NodePtr made = node.make_like(batch);
  if (!names.empty()) made->adopt_names(names);
  node.visit([&](const Key& k, const Entry& e) {
    if (e.is_tensor()) {
      made->put(k, Entry(*next++));
      return;
    }
    const Node& child = *e.node();
    size_t shared = std::min(node.batch_dims(), child.batch_dims());
    Dims inner(batch.begin(), batch.end());
    inner.append(child.batch_size().begin() + shared, child.batch_size().end());
    Names inner_names;
    if (!names.empty() || !child.names().empty()) {
      Names own = spread(child.names(), child.batch_dims());
      inner_names = spread(names, batch.size());
      inner_names.insert(inner_names.end(), own.begin() + static_cast<std::ptrdiff_t>(shared), own.end());
    }
    made->put(k, Entry(rebuild_from(child, next, inner, inner_names)));
  });
  return made;
}

}  // namespace

Leaves leaves(const Node& node) {
  Leaves out;
  collect(node, out);
  return out;
}

std::vector<Path> leaf_paths(const Node& node) {
  std::vector<Path> out;
  collect_paths(node, Path(), out);
  return out;
}

NodePtr rebuild(const Node& node, const Leaves& leaves, at::IntArrayRef batch, const Names& names) {
  const at::Tensor* next = leaves.data();
  return rebuild_from(node, next, batch, names);
}

NodePtr shallow_copy(const Node& node) {
  return rebuild(node, leaves(node), node.batch_size(), node.names());
}

NodePtr deep_copy(const Node& node) {
  Leaves all = leaves(node);
  fast::Arena arena;
  std::vector<bool> by_hand(all.size());
  for (size_t i = 0; i < all.size(); ++i) {
    by_hand[i] = fast::arenas(all[i]) && all[i].is_contiguous();
    if (by_hand[i]) arena.plan(all[i].sizes(), all[i].scalar_type());
  }
  for (size_t i = 0; i < all.size(); ++i) {
    if (!by_hand[i]) {
      all[i] = all[i].clone();
      continue;
    }
    at::Tensor copy = arena.take(all[i].sizes(), all[i].scalar_type());
    size_t bytes = static_cast<size_t>(copy.numel()) * copy.element_size();
    if (bytes) std::memcpy(const_cast<void*>(data(copy)), data(all[i]), bytes);
    all[i] = std::move(copy);
  }
  return rebuild(node, all, node.batch_size(), node.names());
}

NodePtr moved(const Node& node, const c10::Device& to) {
  NodePtr made = TensorDict::make(node.batch_size(), to);
  made->adopt_names(node.names());
  node.visit([&](const Key& k, const Entry& e) {
    made->put(k, e.is_node() ? Entry(moved(*e.node(), to)) : Entry(e.tensor().to(to)));
  });
  return made;
}

}  // namespace td
