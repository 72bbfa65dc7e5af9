#include "core/dict/factory.h"

#include <algorithm>

#include "core/dict/any_node.h"
#include "core/dict/change/assign.h"
#include "core/dict/copy.h"
#include "core/dict/lazy/lazy.h"
#include "core/dict/shape/geometry.h"
#include "core/error.h"
#include "core/tensor/memory.h"
#include "core/tensor/ops.h"

namespace td {

namespace {

void collect_resized(const Node& node, size_t root_dims, at::IntArrayRef batch, std::vector<DataPtr>& out) {
  node.visit([&](const Key&, const Entry& e) {
    if (e.is_node()) collect_resized(*e.node(), root_dims, batch, out);
    if (!e.is_data()) return;
    const Data& d = *e.data();
    out.push_back(Data::uniform(d.stacked() ? Value() : d.value(), with_batch(d.batch(), root_dims, batch)));
  });
}

Names aligned_right(const Names& names, size_t dims) {
  Names out(dims);
  size_t shared = std::min(dims, names.size());
  std::copy(names.end() - static_cast<std::ptrdiff_t>(shared), names.end(),
            out.end() - static_cast<std::ptrdiff_t>(shared));
  return tidy(std::move(out));
}

}  // namespace

NodePtr new_empty(const Node& node, at::IntArrayRef batch, optional<at::ScalarType> type) {
  if (has_lazy(node)) return new_empty(*dense(node), batch, type);
  checked_numel(batch, 1);
  std::vector<bool> unbatched;
  Leaves all = leaves(node, unbatched);
  std::vector<Path> paths = leaf_paths(node);
  for (size_t i = 0; i < all.size(); ++i) {
    at::Tensor& t = all[i];
    if (unbatched[i]) continue;
    Dims sizes = with_batch(t.sizes(), node.batch_dims(), batch);
    at::ScalarType scalar = type ? *type : t.scalar_type();
    try {
      checked_numel(sizes, c10::elementSize(scalar));
    } catch (Error& e) {
      throw e.key(to_string(paths[i]));
    }
    t = at::empty(sizes, at::TensorOptions(scalar).device(t.device()));
  }
  std::vector<DataPtr> data;
  collect_resized(node, node.batch_dims(), batch, data);
  return rebuild(node, std::move(all), data, batch, aligned_right(node.names(), batch.size()));
}

NodePtr new_full(const Node& node, at::IntArrayRef batch, const c10::Scalar& value, optional<at::ScalarType> type) {
  if (has_lazy(node)) return new_full(*dense(node), batch, value, type);
  std::vector<Path> paths = leaf_paths(node);
  std::vector<bool> unbatched;
  Leaves all = leaves(node, unbatched);
  for (size_t i = 0; i < all.size(); ++i) {
    if (unbatched[i]) continue;
    try {
      number(value, type ? *type : all[i].scalar_type());
    } catch (Error& e) {
      throw e.key(to_string(paths[i]));
    }
  }
  NodePtr made = new_empty(node, batch, type);
  for (at::Tensor& t : batched_leaves(*made)) t.fill_(value);
  return made;
}

}  // namespace td
