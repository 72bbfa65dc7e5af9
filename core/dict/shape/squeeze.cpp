#include "core/dict/shape/squeeze.h"

#include <algorithm>

#include "core/dict/lazy/lazy_ops.h"
#include "core/dict/shape/batch_op.h"
#include "core/dict/shape/geometry.h"
#include "core/error.h"
#include "core/tensor/memory.h"

namespace td {

namespace {

class Squeezed final : public BatchOp {
 public:
  explicit Squeezed(const std::vector<size_t>& gone) : gone_(gone) {}
  Dims batch(at::IntArrayRef batch) const override { return without(Dims(batch.begin(), batch.end())); }
  Names names(const Names& names) const override { return without(names); }
  at::Tensor leaf(const at::Tensor& t) const override {
    return viewed(
        t,
        [&](Geometry& g) {
          g.sizes = without(std::move(g.sizes));
          g.strides = without(std::move(g.strides));
        },
        [&](at::Tensor from) {
          for (size_t i = gone_.size(); i-- > 0;) from = from.squeeze(static_cast<int64_t>(gone_[i]));
          return from;
        });
  }
  NodePtr stack(const LazyStack& stack) const override { return squeeze_stack(stack, gone_); }
  Stacked stacked() const override { return Stacked::undone; }

 private:
  template <class T>
  T without(T dims) const {
    for (size_t i = gone_.size(); i-- > 0;) dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(gone_[i]));
    return dims;
  }

  const std::vector<size_t>& gone_;  // in their order
};

class Unsqueezed final : public BatchOp {
 public:
  explicit Unsqueezed(size_t dim) : dim_(dim) {}
  Dims batch(at::IntArrayRef batch) const override { return with<Dims>({batch.begin(), batch.end()}, 1); }
  Names names(const Names& names) const override { return with<Names>(names, Name()); }
  at::Tensor leaf(const at::Tensor& t) const override {
    return viewed(
        t,
        [&](Geometry& g) {
          int64_t step = dim_ < g.sizes.size() ? g.sizes[dim_] * g.strides[dim_] : 1;
          g.sizes = with(std::move(g.sizes), 1);
          g.strides = with(std::move(g.strides), step);
        },
        [&](const at::Tensor& from) { return from.unsqueeze(static_cast<int64_t>(dim_)); });
  }
  NodePtr stack(const LazyStack& stack) const override { return unsqueeze_stack(stack, dim_); }
  Stacked stacked() const override { return Stacked::all; }

 private:
  template <class T>
  T with(T dims, typename T::value_type what) const {
    dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(dim_), what);
    return dims;
  }

  size_t dim_;
};

class Expanded final : public BatchOp {
 public:
  Expanded(const Dims& batch, size_t old_dims) : batch_(batch), old_dims_(old_dims), fresh_(batch.size() - old_dims) {}
  Dims batch(at::IntArrayRef) const override { return batch_; }
  Names names(const Names& names) const override {
    Names out = names;
    out.insert(out.begin(), fresh_, Name());
    return out;
  }
  at::Tensor leaf(const at::Tensor& t) const override {
    checked_numel(with_batch(t.sizes(), old_dims_, batch_), t.element_size());
    return viewed(
        t,
        [&](Geometry& g) {
          bool scalar = g.sizes.empty();
          g.sizes.insert(g.sizes.begin(), fresh_, 1);
          g.strides.insert(g.strides.begin(), fresh_, 0);
          for (size_t i = batch_.size(); i-- > 0;) {
            if (i < fresh_ && batch_[i] == 1 && !scalar) g.strides[i] = g.sizes[i + 1] * g.strides[i + 1];
            if (g.sizes[i] != batch_[i]) g.strides[i] = 0;
            g.sizes[i] = batch_[i];
          }
        },
        [&](const at::Tensor& from) { return from.expand(with_batch(from.sizes(), old_dims_, batch_)); });
  }
  NodePtr stack(const LazyStack& stack) const override {
    Dims all = batch_;  // a stack below may have more dims, which stay
    all.append(stack.batch_size().begin() + old_dims_, stack.batch_size().end());
    return expand_stack(stack, all, fresh_);
  }
  Stacked stacked() const override { return fresh_ > 0 ? Stacked::all : Stacked::as_before; }

 private:
  const Dims& batch_;
  size_t old_dims_, fresh_;
};

}  // namespace

NodePtr squeeze(const Node& node, at::IntArrayRef given) {
  std::vector<size_t> dims = batch_dims(given, node.batch_dims()), gone;
  for (size_t d = 0; d < node.batch_dims(); ++d)
    if (node.batch_size()[d] == 1 && (given.empty() || std::find(dims.begin(), dims.end(), d) != dims.end()))
      gone.push_back(d);
  return gone.empty() ? itself(node) : apply(node, Squeezed(gone));
}

NodePtr unsqueeze(const Node& node, int64_t given_dim) {
  auto rank = static_cast<int64_t>(node.batch_dims()) + 1;
  if (given_dim < -rank || given_dim >= rank)
    throw Error(Code::index, "dim " + std::to_string(given_dim) + " is out of range for a result of " +
                                 std::to_string(rank) + " batch dims");
  auto dim = static_cast<size_t>(given_dim < 0 ? given_dim + rank : given_dim);
  return apply(node, Unsqueezed(dim));
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
  checked_numel(batch, 1);
  return apply(node, Expanded(batch, node.batch_dims()));
}

}  // namespace td
