#include "core/dict/shape/geometry.h"

#include <algorithm>

#include "core/dict/lock.h"
#include "core/error.h"
#include "core/tensor/fast.h"
#include "core/tensor/memory.h"

namespace td {

void carry_lock(const Node& from, Node& to) {
  if (from.locked()) {
    Lock::acquire(to);
    return;
  }
  from.visit(Detail::shape, [&](const Key& k, const Entry& e) {
    if (e.is_node() && to.find(k.view()).is_node()) carry_lock(*e.node(), *to.find(k.view()).node());
  });
}

NodePtr locked_as(const Node& node, NodePtr made) {
  carry_lock(node, *made);
  return made;
}

Dims row_major(at::IntArrayRef sizes) {
  Dims strides(sizes.size());
  int64_t step = 1;
  for (size_t i = sizes.size(); i-- > 0; step *= std::max<int64_t>(sizes[i], 1)) strides[i] = step;
  return strides;
}

Geometry geometry(const at::Tensor& t) {
  return {{t.sizes().begin(), t.sizes().end()}, {t.strides().begin(), t.strides().end()}, t.storage_offset()};
}

at::Tensor viewed(const at::Tensor& t, ByHand hand, ByOperator op) {
  if (!fast::views(t)) return op(t);
  Geometry g = geometry(t);
  hand(g);
  return fast::view(t, g.sizes, g.strides, g.offset);
}

Leaves copied(const Leaves& all, size_t batch_dims, at::IntArrayRef batch, ByHand hand, ByOperator op) {
  fast::Arena arena;
  std::vector<bool> by_hand(all.size());
  for (size_t i = 0; i < all.size(); ++i) {
    Dims sizes = with_batch(all[i].sizes(), batch_dims, batch);
    checked_numel(sizes, all[i].element_size());
    by_hand[i] = fast::arenas(all[i]) && fast::views(all[i]);
    if (by_hand[i]) arena.plan(sizes, all[i].scalar_type());
  }
  Leaves out;
  out.reserve(all.size());
  for (size_t i = 0; i < all.size(); ++i) {
    const at::Tensor& t = all[i];
    if (!by_hand[i]) {
      out.push_back(op(t));
      continue;
    }
    Geometry from = geometry(t);
    hand(from);
    at::Tensor made = arena.take(with_batch(t.sizes(), batch_dims, batch), t.scalar_type());
    if (made.numel() > 0)
      fast::view(made, from.sizes, row_major(from.sizes), made.storage_offset())
          .copy_(fast::view(t, from.sizes, from.strides, from.offset));
    out.push_back(std::move(made));
  }
  return out;
}

// From the right, runs of old dims that lie row-major must be used up by whole new dims, as in ATen's computeStride.
bool restride(const Geometry& from, at::IntArrayRef to, Dims& strides) {
  strides = row_major(to);
  if (from.sizes == Dims(to.begin(), to.end())) {
    strides = from.strides;
    return true;
  }
  if (from.sizes.empty()) {
    std::fill(strides.begin(), strides.end(), 1);
    return true;
  }
  if (std::find(to.begin(), to.end(), 0) != to.end()) return true;
  size_t left = to.size();
  int64_t step = from.strides.back(), old_run = 1, new_run = 1;
  for (size_t d = from.sizes.size(); d-- > 0;) {
    old_run *= from.sizes[d];
    if (d > 0 && (from.sizes[d - 1] == 1 || from.strides[d - 1] == old_run * step)) continue;
    for (; left > 0 && (new_run < old_run || to[left - 1] == 1); --left) {
      strides[left - 1] = new_run * step;
      new_run *= to[left - 1];
    }
    if (new_run != old_run) return false;
    if (d > 0) step = from.strides[d - 1];
    old_run = new_run = 1;
  }
  return left == 0;
}

Dims with_batch(at::IntArrayRef sizes, size_t batch_dims, at::IntArrayRef batch) {
  Dims out(batch.begin(), batch.end());
  at::IntArrayRef rest = sizes.slice(std::min(batch_dims, sizes.size()));  // a node may have fewer batch dims
  out.append(rest.begin(), rest.end());
  return out;
}

size_t batch_dim(int64_t dim, size_t batch_dims) {
  auto rank = static_cast<int64_t>(batch_dims);
  if (dim < -rank || dim >= rank)
    throw Error(Code::index,
                "dim " + std::to_string(dim) + " is out of range for " + std::to_string(rank) + " batch dims")
        .hint("only batch dims can be given; negative dims count from the last batch dim");
  return static_cast<size_t>(dim < 0 ? dim + rank : dim);
}

std::vector<size_t> batch_dims(at::IntArrayRef dims, size_t batch_dims) {
  std::vector<size_t> out;
  for (int64_t d : dims) {
    size_t place = batch_dim(d, batch_dims);
    if (std::find(out.begin(), out.end(), place) != out.end())
      throw Error(Code::argument, "dim " + std::to_string(place) + " is given twice");
    out.push_back(place);
  }
  return out;
}

NodePtr reshaped(const Node& node, const Leaves& leaves, at::IntArrayRef batch, const Names& names, Stacked stacked) {
  return locked_as(node, rebuild_batch(node, leaves, batch, names, stacked));
}

}  // namespace td
