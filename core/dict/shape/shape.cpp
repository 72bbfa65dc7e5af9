#include "core/dict/shape/shape.h"

#include <algorithm>

#include "core/dict/any_node.h"
#include "core/dict/lazy/around_stacks.h"
#include "core/dict/lazy/lazy.h"
#include "core/dict/lazy/lazy_ops.h"
#include "core/dict/shape/geometry.h"
#include "core/dict/shape/squeeze.h"
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
  node.visit(Detail::shape, [&](const Key& k, const Entry& e) {
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
  return locked_as(stack, in_shape(*dense(stack), batch, {}, Copy::if_needed));
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
  if (first == last) return reshaped(node, batch_leaves(node), batch, names);  // the same tensors, not views
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

}  // namespace td
