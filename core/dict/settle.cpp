#include "core/dict/settle.h"

#include "core/dict/level.h"
#include "core/error.h"

namespace td {

namespace {

bool has_batch(const at::Tensor& t, at::IntArrayRef batch) {
  return t.dim() >= static_cast<int64_t>(batch.size()) && t.sizes().slice(0, batch.size()) == batch;
}

void settle_level(Node& node, const Level& level, Emptied emptied) {
  if (node.each_member([&](const NodePtr& m, size_t) { settle_level(*m, level, emptied); })) return;
  std::vector<Key> dropped;
  std::vector<std::pair<Key, Entry>> moved;
  node.visit([&](const Key& k, const Entry& e) {
    if (e.is_node()) {
      bool was_empty = e.node()->count() == 0;
      settle_level(*e.node(), Level{&level, &k}, emptied);
      bool empty = e.node()->count() == 0;
      if (empty && (emptied == Emptied::drop_all || (emptied == Emptied::drop && !was_empty))) dropped.push_back(k);
    } else if (e.is_tensor()) {
      const at::Tensor& t = e.tensor();
      if (!t.defined()) {
        dropped.push_back(k);
        return;
      }
      if (e.is_batched() && !has_batch(t, node.batch_size()))
        throw Error(Code::shape, "the result has shape " + to_string(t.sizes()) + ", but the dict has batch size " +
                                     to_string(node.batch_size()))
            .key(to_string(level.path(k)))
            .hint("the leading dims of an entry must equal the batch size");
      if (node.device() && t.device() != *node.device()) moved.emplace_back(k, e.with(t.to(*node.device())));
    }
  });
  for (const Key& k : dropped) node.erase(k);
  for (auto& [k, entry] : moved) node.put(k, std::move(entry));
}

NodePtr flat(const Node& node, const at::Tensor*& next, at::IntArrayRef batch, const Level& level) {
  NodePtr made = node.make_like(batch);
  node.visit([&](const Key& k, const Entry& e) {
    if (e.is_node())
      made->put(k, Entry(flat(*e.node(), next, batch, Level{&level, &k})));
    else if (e.is_tensor())
      made->put(k, e.with(*next++));
    else
      made->put(k, Entry(for_batch(*e.data(), batch, level.path(k))));
  });
  return made;
}

}  // namespace

void settle(Node& made, Emptied emptied) {
  settle_level(made, Level{nullptr, nullptr}, emptied);
}

NodePtr rebuild_flat(const Node& node, const Leaves& leaves, at::IntArrayRef batch) {
  const at::Tensor* next = leaves.data();
  return flat(node, next, batch, Level{nullptr, nullptr});
}

DataPtr for_batch(const Data& data, at::IntArrayRef batch, PathView path) {
  try {
    return Data::uniform(data.value(), batch);
  } catch (Error& e) {
    throw e.key(to_string(path)).hint("remove the entry first");
  }
}

bool overlaps(const at::Tensor& t) {
  if (t.layout() != at::kStrided || t.numel() == 0) return false;
  for (int64_t d = 0; d < t.dim(); ++d)
    if (t.size(d) > 1 && t.stride(d) == 0) return true;
  return false;
}

}  // namespace td
