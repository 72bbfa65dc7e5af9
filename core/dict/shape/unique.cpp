#include "core/dict/shape/unique.h"

#include "core/dict/shape/gather.h"
#include "core/dict/shape/index.h"
#include "core/dict/unbatched.h"
#include "core/error.h"
#include "core/tensor/memory.h"
#include "core/tensor/ops.h"

namespace td {

namespace {

// The number of each slice in the sorted list of different slices.
std::tuple<at::Tensor, int64_t> numbered(const at::Tensor& t, size_t dim) {
  auto [slices, inverse, counts] = at::unique_dim(t, static_cast<int64_t>(dim), true, true);
  return {inverse, slices.size(static_cast<int64_t>(dim))};
}

void check_rows(const Node& node, PathView key) {
  if (node.look_at(key, Detail::kind).is_unbatched()) refuse_unbatched_entry(Path(key), "it has no rows to compare");
}

}  // namespace

at::Tensor isin(const Node& node, const Node& reference, PathView key, int64_t given_dim) {
  check_rows(node, key);
  check_rows(reference, key);
  at::Tensor wanted = node.tensor(key), known = reference.tensor(key);
  if (node.batch_dims() != reference.batch_dims())
    throw Error(Code::shape, "the batch sizes have different numbers of dims: " + to_string(node.batch_size()) +
                                 " and " + to_string(reference.batch_size()));
  size_t dim = batch_dim(node, given_dim);
  auto along = static_cast<int64_t>(dim);
  try {
    at::Tensor numbers = std::get<0>(numbered(at::cat({known, wanted}, along), dim));
    int64_t n = known.size(along);
    return at::isin(numbers.slice(0, n), numbers.slice(0, 0, n));
  } catch (const c10::Error&) {
    throw current_error().key(to_string(key));
  }
}

Unique remove_duplicates(const Node& node, PathView key, int64_t given_dim) {
  check_rows(node, key);
  at::Tensor values = node.tensor(key);
  size_t dim = batch_dim(node, given_dim);
  at::Tensor inverse, first;
  try {
    int64_t n = 0;
    std::tie(inverse, n) = numbered(values.detach(), dim);
    first = at::empty({n}, at::TensorOptions(at::kLong));
  } catch (const c10::Error&) {
    throw current_error().key(to_string(key));
  }
  at::Tensor order = inverse.to(at::kCPU).contiguous();
  const auto* number = static_cast<const int64_t*>(data(order));
  auto* row = static_cast<int64_t*>(const_cast<void*>(data(first)));
  for (int64_t i = order.numel(); i-- > 0;) row[number[i]] = i;
  IndexList indices(dim, {Index::Kind::slice, 0, INT64_MAX, 1, {}});
  indices.push_back({Index::Kind::tensor, 0, 0, 1, first});
  return {index(node, std::move(indices)), inverse};
}

}  // namespace td
