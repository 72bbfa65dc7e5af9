// Sizes and strides of leaves, for the operations that move batch dims about: each says once how it does that by hand
// and once in LibTorch's operators.
#pragma once

#include "core/dict/copy.h"
#include "core/dict/node.h"

namespace td {

struct Geometry {
  Dims sizes, strides;
  int64_t offset;  // in elements, from the start of the storage
};
Geometry geometry(const at::Tensor& t);

using ByHand = c10::function_ref<void(Geometry&)>;
using ByOperator = c10::function_ref<at::Tensor(const at::Tensor&)>;

// The view that `hand` describes, or what `op` gives where views by hand are not allowed.
at::Tensor viewed(const at::Tensor& t, ByHand hand, ByOperator op);

// Row-major copies, in few allocations where that is allowed: `hand` describes a view with as many elements as the
// copy, and in its order. The copies have `batch` in place of the first `batch_dims` dims. Else what `op` gives.
Leaves copied(const Leaves& all, size_t batch_dims, at::IntArrayRef batch, ByHand hand, ByOperator op);

// The strides of shape `to` over the memory of `from`, which has as many elements; false if only a copy can have it.
bool restride(const Geometry& from, at::IntArrayRef to, Dims& strides);

// The strides of elements that lie in order, without gaps, also for dims of size 1.
Dims row_major(at::IntArrayRef sizes);

// `batch` in place of the first `batch_dims` sizes.
Dims with_batch(at::IntArrayRef sizes, size_t batch_dims, at::IntArrayRef batch);

// The position of a batch dim, where negative ones count from the end; throws Error(index).
size_t batch_dim(int64_t dim, size_t batch_dims);

// The same for several; throws Error(argument) if one comes twice.
std::vector<size_t> batch_dims(at::IntArrayRef dims, size_t batch_dims);

// Locks `to` where `from` is. Nodes that are locked by themselves, below one that is not, stay so.
void carry_lock(const Node& from, Node& to);
// The same for what was made of a copy without locks; returns `made`.
NodePtr locked_as(const Node& node, NodePtr made);
// Around new leaves for batch_leaves(node), as rebuild_batch; the result and its nodes are locked where `node` is.
NodePtr reshaped(const Node& node, const Leaves& leaves, at::IntArrayRef batch, const Names& names,
                 Stacked stacked = Stacked::as_before);

}  // namespace td
