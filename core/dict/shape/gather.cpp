#include "core/dict/shape/gather.h"

#include <algorithm>

#include "core/dict/any_node.h"
#include "core/dict/copy.h"
#include "core/dict/lazy/lazy.h"
#include "core/dict/shape/index.h"
#include "core/error.h"
#include "core/tensor/fast.h"
#include "core/tensor/memory.h"
#include "core/tensor/ops.h"

namespace td {

size_t batch_dim(const Node& node, int64_t dim) {
  auto n = static_cast<int64_t>(node.batch_dims());
  if (dim < -n || dim >= n)
    throw Error(Code::index,
                "dim " + std::to_string(dim) + " is out of range for batch size " + to_string(node.batch_size()));
  return static_cast<size_t>(dim < 0 ? dim + n : dim);
}

namespace {

at::Tensor with_dims(at::Tensor t, size_t dims) {
  Dims sizes(t.sizes().begin(), t.sizes().end());
  sizes.resize(std::max(dims, sizes.size()), 1);
  return t.view(sizes);
}

// Where each element of the result lies among the rows that all batch dims make together.
at::Tensor positions(at::IntArrayRef batch, size_t dim, const at::Tensor& index, at::IntArrayRef result) {
  at::Tensor sum = at::zeros(at::IntArrayRef(), at::TensorOptions(at::kLong));
  int64_t step = 1;
  for (size_t d = batch.size(); d-- > 0; step *= batch[d]) {
    at::Tensor along = index;
    if (d != dim) {
      Dims sizes(batch.size(), 1);
      sizes[d] = result[d];
      along = at::arange(result[d], at::TensorOptions(at::kLong)).view(sizes);
    }
    sum = sum.add(along.mul(at::scalar_tensor(step, at::TensorOptions(at::kLong))));
  }
  return sum.expand(result).reshape({-1});
}

void check_range(const at::Tensor& index, int64_t size) {
  at::Tensor flat = index.contiguous();
  const auto* i = static_cast<const int64_t*>(data(flat));
  for (int64_t k = 0; k < flat.numel(); ++k)
    if (i[k] < 0 || i[k] >= size)
      throw Error(Code::index, "index " + std::to_string(i[k]) + " is out of range for size " + std::to_string(size))
          .hint("indices must be 0 or more and less than the size");
}

}  // namespace

NodePtr gather(const Node& node, int64_t given_dim, const at::Tensor& given_index) {
  if (has_lazy(node)) return gather(*dense(node), given_dim, given_index);
  size_t dim = batch_dim(node, given_dim), rank = static_cast<size_t>(given_index.dim());
  at::IntArrayRef batch = node.batch_size();
  auto type = given_index.scalar_type();
  if (!c10::isIntegralType(type, false) || type == at::kByte)
    throw Error(Code::dtype, "an index tensor must hold signed integers");
  bool fits = rank > dim && rank <= batch.size();
  for (size_t d = 0; fits && d < rank; ++d) fits = d == dim || given_index.sizes()[d] <= batch[d];
  if (!fits)
    throw Error(Code::shape, "an index of shape " + to_string(given_index.sizes()) + " does not fit dim " +
                                 std::to_string(dim) + " of batch size " + to_string(batch))
        .hint("the index needs at least the dims up to `dim`, and outside `dim` no size may exceed the batch size");
  Dims result(batch.begin(), batch.end());
  std::copy(given_index.sizes().begin(), given_index.sizes().end(), result.begin());
  at::Tensor index = with_dims(given_index.to(at::kLong), batch.size());
  if (!index.is_meta()) check_range(index.cpu(), batch[dim]);  // on a device a bad index would end the process

  Leaves all = batch_leaves(node);
  if (fast::arenas(index) && gather_rows(all, positions(batch, dim, index, result), batch.size())) {
    for (at::Tensor& t : all) {
      Dims sizes = result;
      sizes.append(t.sizes().begin() + 1, t.sizes().end());
      t = t.view(sizes);
    }
  } else {
    for (at::Tensor& t : all) {
      Dims sizes = result;
      sizes.append(t.sizes().begin() + static_cast<std::ptrdiff_t>(batch.size()), t.sizes().end());
      at::Tensor wide = with_dims(index, sizes.size()).expand(sizes);
      t = t.gather(static_cast<int64_t>(dim), wide.device() == t.device() ? wide : wide.to(t.device()));
    }
  }
  NodePtr made = rebuild_batch(node, all, result, rank == batch.size() ? node.names() : Names());
  if (rank < batch.size()) made->set_batch_size(given_index.sizes());
  return made;
}

NodePtr masked_select(const Node& node, at::Tensor mask) {
  if (mask.scalar_type() != at::kBool) throw Error(Code::dtype, "a mask must hold bool");
  while (mask.dim() > static_cast<int64_t>(node.batch_dims()) && mask.sizes().back() == 1) mask = mask.squeeze(-1);
  if (stacks_evenly(node)) return masked_select(*dense(node), std::move(mask));
  if (has_lazy(node) || mask.dim() == 0) return index(node, {{Index::Kind::tensor, 0, 0, 1, mask}});
  Leaves all = batch_leaves(node);
  IndexList indices = normalized({{Index::Kind::tensor, 0, 0, 1, mask}}, node.batch_size());
  at::Tensor rows = mask.reshape({-1}).nonzero().squeeze(1);
  auto covered = static_cast<size_t>(mask.dim());
  Dims batch(node.batch_size().begin() + static_cast<std::ptrdiff_t>(covered), node.batch_size().end());
  batch.insert(batch.begin(), rows.numel());
  if (!gather_rows(all, rows, covered))
    for (at::Tensor& t : all) t = picked(t, advanced(indices));
  return rebuild_batch(node, all, batch, indexed_names(node.names(), indices, static_cast<int64_t>(batch.size())));
}

}  // namespace td
