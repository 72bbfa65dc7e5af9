#include "core/storage/redis/rows.h"

#include "core/tensor/memory.h"
#include "core/tensor/ops.h"

namespace td::storage::redis {

namespace {

size_t dims_taken(const IndexList& part) {
  size_t taken = 0;
  for (const Index& i : part) {
    if (i.kind == Index::Kind::tensor && i.tensor.scalar_type() == at::kBool)
      taken += static_cast<size_t>(i.tensor.dim());
    else if (i.kind != Index::Kind::none && i.kind != Index::Kind::ellipsis)
      ++taken;
  }
  return taken;
}

// The number of each selected row, in the order of the result: each dim's own numbers under the index, weighed.
at::Tensor row_numbers(const IndexList& part, at::IntArrayRef dims) {
  at::Tensor sum = at::zeros({}, at::TensorOptions(at::kLong));
  int64_t weight = 1;
  for (size_t d = dims.size(); d-- > 0;) {
    Dims alone(dims.size(), 1);
    alone[d] = dims[d];
    at::Tensor own = take_view(at::arange(dims[d], at::TensorOptions(at::kLong)).view(alone).expand(dims), part);
    if (has_tensors(part)) own = at::index(own, advanced(part));
    sum = sum.add(own.mul(weight));
    weight *= dims[d];
  }
  return sum.contiguous();
}

}  // namespace

Rows::Rows(const IndexList& part, const LeafType& type) {
  const size_t taken = std::min(dims_taken(part), type.sizes.size());
  at::IntArrayRef all = type.sizes, dims = all.slice(0, taken), tail = all.slice(taken);
  int64_t row = static_cast<int64_t>(c10::elementSize(type.dtype));
  for (int64_t n : tail) row *= n;
  if (part.empty()) {
    sizes_ = type.sizes;
    bytes_ = type.bytes;
    if (bytes_) runs_.push_back({0, bytes_});
    return;
  }
  sizes_ = indexed_sizes(all, part);
  bytes_ = checked_numel(sizes_, c10::elementSize(type.dtype)) * static_cast<int64_t>(c10::elementSize(type.dtype));
  if (bytes_ == 0) return;
  at::Tensor numbers = row_numbers(part, dims);
  const auto* p = static_cast<const int64_t*>(data(numbers));
  for (int64_t i = 0; i < numbers.numel(); ++i) {
    const int64_t offset = p[i] * row;
    if (!runs_.empty() && runs_.back().offset + runs_.back().bytes == offset)
      runs_.back().bytes += row;
    else
      runs_.push_back({offset, row});
  }
}

}  // namespace td::storage::redis
