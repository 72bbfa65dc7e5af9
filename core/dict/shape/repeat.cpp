#include "core/dict/shape/repeat.h"

#include <algorithm>

#include "core/dict/any_node.h"
#include "core/dict/lazy/around_stacks.h"
#include "core/dict/lazy/lazy.h"
#include "core/dict/lazy/lazy_ops.h"
#include "core/dict/shape/geometry.h"
#include "core/dict/shape/shape.h"
#include "core/error.h"
#include "core/tensor/memory.h"
#include "core/tensor/ops.h"

namespace td {

namespace {

int64_t product(int64_t a, int64_t b) {
  int64_t out = 0;
  if (__builtin_mul_overflow(a, b, &out)) throw Error(Code::shape, "the batch size of the result does not fit 64 bits");
  return out;
}

void check_repeats(at::IntArrayRef repeats) {
  for (int64_t r : repeats)
    if (r < 0) throw Error(Code::shape, "the repeats are negative: " + to_string(repeats));
}

// `repeats` are as many as the batch dims, or more.
NodePtr repeated(const Node& node, at::IntArrayRef repeats, const Names& names) {
  if (has_lazy(node)) return locked_as(node, repeated(*dense(node), repeats, names));
  check_repeats(repeats);
  size_t dims = node.batch_dims(), fresh = repeats.size() - dims;
  Dims batch(repeats.begin(), repeats.end());
  for (size_t d = 0; d < dims; ++d) batch[fresh + d] = product(repeats[fresh + d], node.batch_size()[d]);
  Leaves all = copied(
      batch_leaves(node), dims, batch,
      [&](Geometry& g) {
        Geometry spread{{}, {}, g.offset};
        for (size_t d = 0; d < g.sizes.size() + fresh; ++d) {
          if (d < repeats.size()) {
            spread.sizes.push_back(repeats[d]);
            spread.strides.push_back(0);
          }
          if (d < fresh) continue;
          spread.sizes.push_back(g.sizes[d - fresh]);
          spread.strides.push_back(g.strides[d - fresh]);
        }
        g = std::move(spread);
      },
      [&](const at::Tensor& t) {
        Dims times(repeats.begin(), repeats.end());
        times.resize(fresh + static_cast<size_t>(t.dim()), 1);
        return t.repeat(times);
      });
  return reshaped(node, all, batch, names);
}

}  // namespace

NodePtr repeat(const Node& node, at::IntArrayRef repeats) {
  if (repeats.size() != node.batch_dims())
    throw Error(Code::shape, std::to_string(repeats.size()) + " repeats were given for " +
                                 std::to_string(node.batch_dims()) + " batch dims");
  check_repeats(repeats);
  if (has_lazy(node))
    return around_stacks(
        node, [&](const Node& n) { return repeat(n, repeats); },
        [&](const LazyStack& stack) {
          Dims all(repeats.begin(), repeats.end());
          all.resize(stack.batch_dims(), 1);  // a stack below may have more dims, which stay
          return repeat_stack(stack, all);
        });
  return repeated(node, repeats, node.names());
}

NodePtr tile(const Node& node, at::IntArrayRef repeats) {
  Dims all(node.batch_dims() - std::min(node.batch_dims(), repeats.size()), 1);
  all.append(repeats.begin(), repeats.end());
  return repeated(node, all, {});
}

NodePtr repeat_interleave(const Node& node, at::IntArrayRef repeats, int64_t given_dim) {
  size_t dim = batch_dim(given_dim, node.batch_dims());
  Dims batch(node.batch_size().begin(), node.batch_size().end());
  check_repeats(repeats);
  if (has_lazy(node))
    return around_stacks(
        node, [&](const Node& n) { return repeat_interleave(n, repeats, given_dim); },
        [&](const LazyStack& stack) { return repeat_interleave_stack(stack, repeats, dim); });
  if (repeats.size() == 1) {
    batch[dim] = product(batch[dim], repeats[0]);
    Leaves all = copied(
        batch_leaves(node), node.batch_dims(), batch,
        [&](Geometry& g) {
          g.sizes.insert(g.sizes.begin() + dim + 1, repeats[0]);
          g.strides.insert(g.strides.begin() + dim + 1, 0);
        },
        [&](const at::Tensor& t) { return t.repeat_interleave(repeats[0], static_cast<int64_t>(dim)); });
    return reshaped(node, all, batch, node.names());
  }
  if (static_cast<int64_t>(repeats.size()) != batch[dim])
    throw Error(Code::shape, std::to_string(repeats.size()) + " repeats were given for batch dim " +
                                 std::to_string(dim) + " of size " + std::to_string(batch[dim]))
        .hint("give one number for all elements, or one for each");
  int64_t total = 0;
  for (int64_t r : repeats)
    if (__builtin_add_overflow(total, r, &total))
      throw Error(Code::shape, "the batch size of the result does not fit 64 bits");
  checked_numel({total}, sizeof(int64_t));
  at::Tensor order = at::empty({total}, at::TensorOptions(at::kLong));
  auto* next = static_cast<int64_t*>(const_cast<void*>(data(order)));
  for (size_t i = 0; i < repeats.size(); ++i) next = std::fill_n(next, repeats[i], static_cast<int64_t>(i));
  Leaves all = batch_leaves(node);
  for (at::Tensor& t : all) t = t.index_select(static_cast<int64_t>(dim), order.to(t.device()));
  batch[dim] = total;
  return reshaped(node, all, batch, node.names());
}

NodePtr flip(const Node& node, at::IntArrayRef given) {
  if (has_lazy(node)) return locked_as(node, flip(*dense(node), given));
  std::vector<size_t> dims = batch_dims(given, node.batch_dims());
  Leaves all = batch_leaves(node);
  for (at::Tensor& t : all) t = t.flip(Dims(dims.begin(), dims.end()));
  return reshaped(node, all, node.batch_size(), node.names());
}

Dims within_a_turn(const Node& node, at::IntArrayRef shifts, at::IntArrayRef dims) {
  if (dims.empty() && shifts.size() != 1)
    throw Error(Code::argument, std::to_string(shifts.size()) + " shifts were given without dims")
        .hint("give one dim for each shift");
  if (!dims.empty() && shifts.size() != dims.size())
    throw Error(Code::argument,
                std::to_string(shifts.size()) + " shifts were given for " + std::to_string(dims.size()) + " dims");
  Dims out;
  for (size_t i = 0; i < shifts.size(); ++i) {
    int64_t n = dims.empty() ? numel(node) : node.batch_size()[batch_dim(dims[i], node.batch_dims())];
    out.push_back(n ? shifts[i] % n : 0);
  }
  return out;
}

NodePtr roll(const Node& node, at::IntArrayRef given_shifts, at::IntArrayRef given) {
  if (has_lazy(node)) return locked_as(node, roll(*dense(node), given_shifts, given));
  const Dims shifts = within_a_turn(node, given_shifts, given);
  Leaves all = batch_leaves(node);
  if (given.empty()) {
    int64_t n = numel(node);
    for (at::Tensor& t : all)
      t = t.reshape(with_batch(t.sizes(), node.batch_dims(), {n})).roll(shifts, {0}).reshape(t.sizes());
  } else {
    Dims dims;
    for (int64_t d : given) dims.push_back(static_cast<int64_t>(batch_dim(d, node.batch_dims())));
    for (at::Tensor& t : all) t = t.roll(shifts, dims);
  }
  return reshaped(node, all, node.batch_size(), node.names());
}

NodePtr rot90(const Node& node, int64_t times, int64_t from, int64_t to) {
  if (has_lazy(node)) return locked_as(node, rot90(*dense(node), times, from, to));
  size_t a = batch_dim(from, node.batch_dims()), b = batch_dim(to, node.batch_dims());
  if (a == b) throw Error(Code::argument, "cannot rotate dim " + std::to_string(a) + " to itself");
  times = (times % 4 + 4) % 4;
  Dims batch(node.batch_size().begin(), node.batch_size().end());
  Names names = node.names();
  if (times % 2 == 1) {
    std::swap(batch[a], batch[b]);
    if (!names.empty()) std::swap(names[a], names[b]);
  }
  Leaves all = batch_leaves(node);
  for (at::Tensor& t : all) t = t.rot90(times, {static_cast<int64_t>(a), static_cast<int64_t>(b)});
  return reshaped(node, all, batch, names);
}

NodePtr contiguous(const Node& node) {
  if (has_lazy(node)) return contiguous(*dense(node));
  Leaves all = leaves(node), scattered;
  std::vector<size_t> places;
  for (size_t i = 0; i < all.size(); ++i)
    if (!all[i].is_contiguous()) {
      places.push_back(i);
      scattered.push_back(all[i]);
    } else if (all[i].layout() == at::kStrided && all[i].strides() != at::IntArrayRef(row_major(all[i].sizes()))) {
      all[i] = viewed(
          all[i], [](Geometry& g) { g.strides = row_major(g.sizes); },
          [](const at::Tensor& t) { return t.as_strided(t.sizes(), row_major(t.sizes())); });
    }
  scattered = copied(
      scattered, 0, {}, [](Geometry&) {}, [](const at::Tensor& t) { return t.contiguous(); });
  for (size_t i = 0; i < places.size(); ++i) all[places[i]] = std::move(scattered[i]);
  return rebuild(node, all, node.batch_size(), node.names());
}

bool is_contiguous(const Node& node) {
  if (!node.lends() || has_lazy(node)) return false;
  Leaves all = leaves(node);
  return std::all_of(all.begin(), all.end(), [](const at::Tensor& t) { return t.is_contiguous(); });
}

}  // namespace td
