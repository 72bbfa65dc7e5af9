#include "core/dict/shape/permute.h"

#include <algorithm>
#include <numeric>

#include "core/dict/lazy/lazy_ops.h"
#include "core/dict/shape/batch_op.h"
#include "core/dict/shape/geometry.h"
#include "core/error.h"

namespace td {

namespace {

class Permuted final : public BatchOp {
 public:
  explicit Permuted(const std::vector<size_t>& order) : order_(order) {}
  Dims batch(at::IntArrayRef batch) const override {
    Dims out;
    for (size_t d : order_) out.push_back(batch[d]);
    return out;
  }
  Names names(const Names& names) const override {
    Names out;
    for (size_t d : order_) out.push_back(names[d]);
    return out;
  }
  at::Tensor leaf(const at::Tensor& t) const override {
    return viewed(
        t,
        [&](Geometry& g) {
          Geometry old = g;
          for (size_t i = 0; i < order_.size(); ++i) {
            g.sizes[i] = old.sizes[order_[i]];
            g.strides[i] = old.strides[order_[i]];
          }
        },
        [&](const at::Tensor& from) {
          Dims dims(static_cast<size_t>(from.dim()));
          std::iota(dims.begin(), dims.end(), 0);
          std::copy(order_.begin(), order_.end(), dims.begin());
          return from.permute(dims);
        });
  }
  NodePtr stack(const LazyStack& stack) const override { return permute_stack(stack, order_); }

 private:
  const std::vector<size_t>& order_;  // of the node's batch dims
};

NodePtr permuted(const Node& node, const std::vector<size_t>& order) {
  return std::is_sorted(order.begin(), order.end()) ? itself(node) : apply(node, Permuted(order));
}

}  // namespace

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
