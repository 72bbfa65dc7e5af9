#include "core/dict/shape/shape.h"

#include <algorithm>
#include <numeric>

#include "core/dict/lazy/lazy.h"
#include "core/dict/lazy/lazy_ops.h"
#include "core/dict/shape/geometry.h"
#include "core/error.h"
#include "core/tensor/fast.h"
#include "core/tensor/memory.h"

namespace td {

namespace {

Dims batch_of(const Node& node) {
  return {node.batch_size().begin(), node.batch_size().end()};
}

// `sizes` with the one that is -1 worked out, for `count` elements.
Dims resolved(at::IntArrayRef sizes, int64_t count, const std::string& of) {
  Dims out(sizes.begin(), sizes.end());
  auto open = std::find(out.begin(), out.end(), -1);
  if (open != out.end()) *open = 1;
  int64_t known = checked_numel(out, 1);
  if (open != out.end()) {
    if (known == 0)
      throw Error(Code::shape, "the size that -1 stands for is ambiguous in " + to_string(sizes))
          .hint("give all sizes");
    *open = count / known;
    known *= *open;
  }
  if (known != count)
    throw Error(Code::shape,
                "shape " + to_string(sizes) + " does not have the " + std::to_string(count) + " elements of " + of);
  return out;
}

// The path of a leaf among batch_leaves(node); empty for non-tensor data.
Path path_of(const Node& node, const Path& prefix, size_t& left) {
  Path found;
  bool done = false;
  node.outline([&](const Key& k, const Entry& e) {
    if (done) return;
    if (e.is_node()) {
      found = path_of(*e.node(), prefix + k, left);
      done = left == static_cast<size_t>(-1);
    } else if (!e.is_unbatched() && left-- == 0) {
      done = true;
      if (e.is_tensor()) found = prefix + k;
    }
  });
  return found;
}

enum class Copy { never, if_needed };

NodePtr in_shape(const Node& node, at::IntArrayRef batch, const Names& names, Copy copy);

NodePtr stack_in_shape(const LazyStack& stack, at::IntArrayRef batch, Copy copy) {
  stack.check_current();
  if (NodePtr made = regroup_stack(stack, batch)) return made;
  if (numel(stack) < 0)
    throw Error(Code::shape, "the members of the stack have different batch sizes: " + to_string(stack.batch_size()) +
                                 " cannot become " + to_string(batch))
        .hint("only dims that have one size in all members can be joined or split; -1 alone joins all dims");
  if (copy == Copy::never && numel(stack) > 0)
    throw Error(Code::unsupported, "a lazy stack of batch size " + to_string(stack.batch_size()) +
                                       " has no memory of its own to view as " + to_string(batch))
        .hint_naming("a view can join dims, split one, or add and remove dims of size 1; use {dict_reshape} to copy");
  return in_shape(*dense(stack), batch, {}, Copy::if_needed);
}

NodePtr in_shape(const Node& node, at::IntArrayRef batch, const Names& names, Copy copy) {
  size_t dims = node.batch_dims();
  if (has_lazy(node))
    return around_stacks(
        node, [&](const Node& n) { return in_shape(n, batch, names, copy); },
        [&](const LazyStack& stack) {
          return stack_in_shape(stack, with_batch(stack.batch_size(), dims, batch), copy);
        });
  Leaves all = batch_leaves(node), late;
  std::vector<size_t> places;
  for (size_t i = 0; i < all.size(); ++i) {
    at::Tensor& t = all[i];
    Dims sizes = with_batch(t.sizes(), dims, batch), strides;
    checked_numel(sizes, t.element_size());
    bool can_view = t.layout() != at::kStrided || restride(geometry(t), sizes, strides);
    if (!can_view && copy == Copy::never) {
      size_t left = i;
      Path path = path_of(node, Path(), left);
      if (path.size() > 0)
        throw Error(Code::shape, "memory of shape " + to_string(t.sizes()) + " and strides " + to_string(t.strides()) +
                                     " cannot be viewed as " + to_string(sizes))
            .key(to_string(path))
            .hint_naming("use {dict_reshape}, which copies if necessary");
    }
    if (!can_view) {
      late.push_back(t);
      places.push_back(i);
    } else if (fast::views(t)) {
      t = fast::view(t, sizes, strides, t.storage_offset());
    } else {
      t = t.view(sizes);
    }
  }
  late = copied(
      late, dims, batch, [](Geometry&) {},
      [&](const at::Tensor& t) { return t.reshape(with_batch(t.sizes(), dims, batch)); });
  for (size_t i = 0; i < late.size(); ++i) all[places[i]] = std::move(late[i]);
  return reshaped(node, all, batch, names);
}

NodePtr with_sizes(const Node& node, at::IntArrayRef sizes, Copy copy) {
  if (sizes == node.batch_size()) return itself(node);
  if (numel(node) < 0)
    return sizes.size() == 1 && sizes[0] == -1 ? flatten(node, 0, -1) : in_shape(node, sizes, {}, copy);
  Dims batch = resolved(sizes, numel(node), "batch size " + to_string(node.batch_size()));
  if (batch == batch_of(node)) return itself(node);
  return in_shape(node, batch, {}, copy);
}

NodePtr permuted(const Node& node, const std::vector<size_t>& order) {
  if (std::is_sorted(order.begin(), order.end())) return itself(node);
  if (has_lazy(node))
    return around_stacks(
        node, [&](const Node& n) { return permuted(n, order); },
        [&](const LazyStack& stack) { return permute_stack(stack, order); });
  Dims batch;
  Names names;
  for (size_t d : order) {
    batch.push_back(node.batch_size()[d]);
    if (!node.names().empty()) names.push_back(node.names()[d]);
  }
  Leaves all = batch_leaves(node);
  for (at::Tensor& t : all)
    t = viewed(
        t,
        [&](Geometry& g) {
          Geometry old = g;
          for (size_t i = 0; i < order.size(); ++i) {
            g.sizes[i] = old.sizes[order[i]];
            g.strides[i] = old.strides[order[i]];
          }
        },
        [&](const at::Tensor& from) {
          Dims dims(static_cast<size_t>(from.dim()));
          std::iota(dims.begin(), dims.end(), 0);
          std::copy(order.begin(), order.end(), dims.begin());
          return from.permute(dims);
        });
  return reshaped(node, all, batch, names);
}

}  // namespace

int64_t numel(const Node& node) {
  int64_t n = 1;
  for (int64_t s : node.batch_size()) {
    if (s < 0) return -1;  // members of a stack differ
    n *= s;
  }
  return n;
}

NodePtr view(const Node& node, at::IntArrayRef sizes) {
  return with_sizes(node, sizes, Copy::never);
}

NodePtr reshape(const Node& node, at::IntArrayRef sizes) {
  return with_sizes(node, sizes, Copy::if_needed);
}

NodePtr flatten(const Node& node, int64_t start, int64_t end) {
  if (node.batch_dims() == 0) {
    batch_dim(start, 1);
    batch_dim(end, 1);
    return unsqueeze(node, 0);
  }
  size_t first = batch_dim(start, node.batch_dims()), last = batch_dim(end, node.batch_dims());
  if (last < first)
    throw Error(Code::argument, "dims " + std::to_string(first) + " to " + std::to_string(last) + " are not a range")
        .hint("the end must come after the start");
  if (has_lazy(node))
    return around_stacks(
        node, [&](const Node& n) { return flatten(n, start, end); },
        [&](const LazyStack& stack) { return flatten_stack(stack, first, last); });
  Dims batch = batch_of(node);
  for (size_t d = first + 1; d <= last; ++d) batch[first] *= batch[d];
  batch.erase(batch.begin() + first + 1, batch.begin() + last + 1);
  Names names = node.names();
  if (!names.empty()) {
    auto at = names.begin() + static_cast<std::ptrdiff_t>(first);
    *at = nullopt;
    names.erase(at + 1, names.begin() + static_cast<std::ptrdiff_t>(last) + 1);
  }
  return in_shape(node, batch, names, Copy::if_needed);
}

NodePtr unflatten(const Node& node, int64_t given_dim, at::IntArrayRef sizes) {
  size_t dim = batch_dim(given_dim, node.batch_dims());
  Dims batch = batch_of(node),
       inner = resolved(sizes, batch[dim], "dim " + std::to_string(dim) + " of batch size " + to_string(batch));
  if (inner.empty())
    throw Error(Code::shape, "there are no sizes to unflatten the dim into")
        .hint_naming("use {dict_squeeze} to remove dims");
  if (has_lazy(node))
    return around_stacks(
        node, [&](const Node& n) { return unflatten(n, given_dim, inner); },
        [&](const LazyStack& stack) { return unflatten_stack(stack, dim, inner); });
  batch.erase(batch.begin() + dim);
  batch.insert(batch.begin() + dim, inner.begin(), inner.end());
  Names names = node.names();
  if (!names.empty()) names.insert(names.begin() + static_cast<std::ptrdiff_t>(dim), inner.size() - 1, Name());
  return in_shape(node, batch, names, Copy::never);
}

NodePtr squeeze(const Node& node, at::IntArrayRef given) {
  std::vector<size_t> dims = batch_dims(given, node.batch_dims()), gone;
  for (size_t d = 0; d < node.batch_dims(); ++d)
    if (node.batch_size()[d] == 1 && (given.empty() || std::find(dims.begin(), dims.end(), d) != dims.end()))
      gone.push_back(d);
  if (gone.empty()) return itself(node);
  if (has_lazy(node)) {
    Dims dims_gone(gone.begin(), gone.end());
    return around_stacks(
        node, [&](const Node& n) { return squeeze(n, dims_gone); },
        [&](const LazyStack& stack) { return squeeze_stack(stack, gone); });
  }
  std::reverse(gone.begin(), gone.end());
  Dims batch = batch_of(node);
  Names names = node.names();
  for (size_t d : gone) {
    batch.erase(batch.begin() + d);
    if (!names.empty()) names.erase(names.begin() + static_cast<std::ptrdiff_t>(d));
  }
  Leaves all = batch_leaves(node);
  for (at::Tensor& t : all)
    t = viewed(
        t,
        [&](Geometry& g) {
          for (size_t d : gone) {
            g.sizes.erase(g.sizes.begin() + d);
            g.strides.erase(g.strides.begin() + d);
          }
        },
        [&](at::Tensor from) {
          for (size_t d : gone) from = from.squeeze(static_cast<int64_t>(d));
          return from;
        });
  return reshaped(node, all, batch, names, Stacked::undone);
}

NodePtr unsqueeze(const Node& node, int64_t given_dim) {
  auto rank = static_cast<int64_t>(node.batch_dims()) + 1;
  if (given_dim < -rank || given_dim >= rank)
    throw Error(Code::index, "dim " + std::to_string(given_dim) + " is out of range for a result of " +
                                 std::to_string(rank) + " batch dims");
  auto dim = static_cast<size_t>(given_dim < 0 ? given_dim + rank : given_dim);
  if (has_lazy(node))
    return around_stacks(
        node, [&](const Node& n) { return unsqueeze(n, given_dim); },
        [&](const LazyStack& stack) { return unsqueeze_stack(stack, dim); });
  Dims batch = batch_of(node);
  batch.insert(batch.begin() + dim, 1);
  Names names = node.names();
  if (!names.empty()) names.insert(names.begin() + static_cast<std::ptrdiff_t>(dim), Name());
  Leaves all = batch_leaves(node);
  for (at::Tensor& t : all)
    t = viewed(
        t,
        [&](Geometry& g) {
          int64_t step = dim < g.sizes.size() ? g.sizes[dim] * g.strides[dim] : 1;
          g.sizes.insert(g.sizes.begin() + dim, 1);
          g.strides.insert(g.strides.begin() + dim, step);
        },
        [&](const at::Tensor& from) { return from.unsqueeze(static_cast<int64_t>(dim)); });
  return reshaped(node, all, batch, names, Stacked::all);
}

NodePtr expand(const Node& node, at::IntArrayRef sizes) {
  if (sizes.size() < node.batch_dims())
    throw Error(Code::shape,
                "shape " + to_string(sizes) + " has fewer dims than batch size " + to_string(node.batch_size()));
  size_t fresh = sizes.size() - node.batch_dims();
  Dims batch(sizes.begin(), sizes.end());
  for (size_t i = fresh; i < batch.size(); ++i) {
    int64_t old = node.batch_size()[i - fresh];
    if (batch[i] == -1) batch[i] = old;
    if (old != 1 && batch[i] != old)
      throw Error(Code::shape,
                  "batch size " + to_string(node.batch_size()) + " cannot be expanded to " + to_string(sizes))
          .hint("only dims of size 1 can be expanded; new dims are added on the left");
  }
  if (has_lazy(node))
    return around_stacks(
        node, [&](const Node& n) { return expand(n, batch); },
        [&](const LazyStack& stack) {
          Dims all = batch;  // a stack below may have more dims, which stay
          all.append(stack.batch_size().begin() + node.batch_dims(), stack.batch_size().end());
          return expand_stack(stack, all, fresh);
        });
  Names names = node.names();
  if (!names.empty()) names.insert(names.begin(), fresh, Name());
  checked_numel(batch, 1);
  Leaves all = batch_leaves(node);
  for (at::Tensor& t : all) {
    checked_numel(with_batch(t.sizes(), node.batch_dims(), batch), t.element_size());
    t = viewed(
        t,
        [&](Geometry& g) {
          bool scalar = g.sizes.empty();
          g.sizes.insert(g.sizes.begin(), fresh, 1);
          g.strides.insert(g.strides.begin(), fresh, 0);
          for (size_t i = batch.size(); i-- > 0;) {
            if (i < fresh && batch[i] == 1 && !scalar) g.strides[i] = g.sizes[i + 1] * g.strides[i + 1];
            if (g.sizes[i] != batch[i]) g.strides[i] = 0;
            g.sizes[i] = batch[i];
          }
        },
        [&](const at::Tensor& from) { return from.expand(with_batch(from.sizes(), node.batch_dims(), batch)); });
  }
  return reshaped(node, all, batch, names, fresh > 0 ? Stacked::all : Stacked::as_before);
}

NodePtr permute(const Node& node, at::IntArrayRef dims) {
  std::vector<size_t> order = batch_dims(dims, node.batch_dims());
  for (size_t d : order)
    if (d >= order.size())
      throw Error(Code::argument, to_string(dims) + " is not a permutation of the first " +
                                      std::to_string(order.size()) + " batch dims");
  for (size_t d = order.size(); d < node.batch_dims(); ++d) order.push_back(d);
  return permuted(node, order);
}

NodePtr transpose(const Node& node, int64_t a, int64_t b) {
  std::vector<size_t> order(node.batch_dims());
  std::iota(order.begin(), order.end(), 0);
  std::swap(order[batch_dim(a, order.size())], order[batch_dim(b, order.size())]);
  return permuted(node, order);
}

NodePtr movedim(const Node& node, at::IntArrayRef from, at::IntArrayRef to) {
  std::vector<size_t> source = batch_dims(from, node.batch_dims()), target = batch_dims(to, node.batch_dims());
  constexpr auto open = static_cast<size_t>(-1);
  std::vector<size_t> order(node.batch_dims(), open);
  for (size_t i = 0; i < source.size(); ++i) order[target[i]] = source[i];
  size_t next = 0;
  for (size_t& place : order) {
    if (place != open) continue;
    while (std::find(source.begin(), source.end(), next) != source.end()) ++next;
    place = next++;
  }
  return permuted(node, order);
}

}  // namespace td
