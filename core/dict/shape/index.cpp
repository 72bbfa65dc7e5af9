#include "core/dict/shape/index.h"

#include "core/dict/any_node.h"
#include "core/dict/copy.h"
#include "core/dict/lazy/around_stacks.h"
#include "core/dict/lazy/lazy_ops.h"
#include "core/dict/shape/batch_op.h"

namespace td {

namespace {

// A normalized index without tensors.
class Taken final : public BatchOp {
 public:
  explicit Taken(const IndexList& indices) : indices_(indices) {}
  Dims batch(at::IntArrayRef batch) const override { return indexed_sizes(batch, indices_); }
  Names names(const Names& names) const override {
    size_t dims = names.size();
    for (const Index& i : indices_) dims = dims + (i.kind == Index::Kind::none) - (i.kind == Index::Kind::integer);
    return indexed_names(names, indices_, static_cast<int64_t>(dims));
  }
  at::Tensor leaf(const at::Tensor& t) const override { return take_view(t, indices_); }
  NodePtr stack(const LazyStack& stack) const override { return index_stack(stack, indices_); }
  bool rows() const override { return true; }

 private:
  const IndexList& indices_;
};

}  // namespace

NodePtr index(const Node& node, IndexList given) {
  if (NodePtr part = node.part(given)) return part;
  if (has_lazy(node)) {
    IndexList whole = without_ellipsis(std::move(given), node.batch_size());
    return around_stacks(
        node, [&](const Node& n) { return index(n, whole); },
        [&](const LazyStack& stack) { return index_stack(stack, whole); });
  }
  IndexList indices = normalized(std::move(given), node.batch_size());
  if (!has_tensors(indices)) return apply_to_dense(node, Taken(indices));
  Leaves all = batch_leaves(node);
  if (indices.size() == 1 && indices[0].kind == Index::Kind::tensor && gather_rows(all, indices[0].tensor, 1)) {
    Dims batch(node.batch_size().begin(), node.batch_size().end());
    batch[0] = indices[0].tensor.numel();
    return rebuild_batch(node, all, batch, node.names());
  }
  Dims batch = indexed_sizes(node.batch_size(), indices);
  for (at::Tensor& t : all) t = take_view(t, indices);
  auto list = advanced(indices);
  for (at::Tensor& t : all) t = picked(t, list);
  return rebuild_batch(node, all, batch, indexed_names(node.names(), indices, static_cast<int64_t>(batch.size())));
}

}  // namespace td
