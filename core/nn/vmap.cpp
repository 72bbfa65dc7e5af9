#include "core/nn/vmap.h"

#include <mutex>

#include <ATen/functorch/BatchedTensorImpl.h>
#include <ATen/functorch/DynamicLayer.h>

#include "core/dict/copy.h"
#include "core/dict/lazy.h"
#include "core/error.h"

namespace td {

namespace {

namespace functorch = at::functorch;

functorch::RandomnessType functorch_type(Randomness r) {
  switch (r) {
    case Randomness::different:
      return functorch::RandomnessType::Different;
    case Randomness::same:
      return functorch::RandomnessType::Same;
    default:
      return functorch::RandomnessType::Error;
  }
}

// LibTorch 1.13 keeps the levels of all threads in one map without a lock: there one thread waits for the other.
constexpr bool levels_take_turns = TD_TORCH < 200;

// Recursive, because a member may run a vmap of its own.
std::unique_lock<std::recursive_mutex> turn() {
  static auto* mutex = new std::recursive_mutex;
  return levels_take_turns ? std::unique_lock<std::recursive_mutex>(*mutex) : std::unique_lock<std::recursive_mutex>();
}

// One level of functorch's stack, popped however the scope ends.
class VmapLevel {
 public:
  VmapLevel(int64_t size, Randomness randomness)
      : size_(size),
        level_(functorch::initAndPushDynamicLayer(functorch::TransformType::Vmap, size, functorch_type(randomness))) {}
  VmapLevel(const VmapLevel&) = delete;
  VmapLevel& operator=(const VmapLevel&) = delete;
  ~VmapLevel() { functorch::popDynamicLayerAndDeleteMetadata(); }

  at::Tensor wrap(const at::Tensor& t, int64_t dim) const { return functorch::makeBatched(t, dim, level_); }

  // The members along dim 0; what does not depend on the member is repeated without a copy.
  at::Tensor unwrap(const at::Tensor& t) const {
    const auto* batched = functorch::maybeGetBatchedImpl(t);
    if (batched && batched->level() == level_) return batched->value().movedim(batched->bdim(), 0);
    c10::SmallVector<int64_t, 6> sizes{size_};
    sizes.append(t.sizes().begin(), t.sizes().end());
    return t.unsqueeze(0).expand(sizes);
  }

 private:
  std::unique_lock<std::recursive_mutex> turn_ = turn();  // first, so that it ends last
  int64_t size_, level_;
};

int64_t member_count(const Node& states) {
  if (states.batch_dims() != 1 || states.batch_size()[0] == 0)
    throw Error(Code::shape, "the states have batch size " + to_string(states.batch_size()))
        .hint("they need one batch dim with at least one member, as td_dict_from_modules gives");
  return states.batch_size()[0];
}

int64_t mapped_dim(const Node& data, int64_t dim, int64_t members) {
  auto dims = static_cast<int64_t>(data.batch_dims());
  if (dim < -dims || dim >= dims)
    throw Error(Code::index, "data_dim " + std::to_string(dim) + " is not a batch dim of data with batch size " +
                                 to_string(data.batch_size()));
  if (dim < 0) dim += dims;
  if (data.batch_size()[dim] != members)
    throw Error(Code::shape, "data has " + std::to_string(data.batch_size()[dim]) + " members along dim " +
                                 std::to_string(dim) + ", the states have " + std::to_string(members));
  return dim;
}

// The data that one member sees: without the mapped dim.
NodePtr wrapped(const Node& data, const optional<int64_t>& dim, const VmapLevel& level) {
  if (!dim) return shallow_copy(data);
  Leaves inner = leaves(data);
  for (at::Tensor& t : inner) t = level.wrap(t, *dim);
  Dims batch(data.batch_size().begin(), data.batch_size().end());
  Names names = spread(data.names(), batch.size());
  batch.erase(batch.begin() + *dim);
  names.erase(names.begin() + static_cast<std::ptrdiff_t>(*dim));
  return rebuild(data, inner, batch, names);
}

NodePtr unwrapped(const Node& data, int64_t members, const VmapLevel& level) {
  Leaves outer = leaves(data);
  for (at::Tensor& t : outer) t = level.unwrap(t);
  Dims batch{members};
  batch.append(data.batch_size().begin(), data.batch_size().end());
  Names names = spread(data.names(), data.batch_dims());
  names.insert(names.begin(), nullopt);
  return rebuild(data, outer, batch, names);
}

}  // namespace

NodePtr vmap(const Module& module, const Node& states, const Node& data, const VmapOptions& options) {
  if (has_lazy(states) || has_lazy(data)) return vmap(module, *dense(states), *dense(data), options);
  int64_t members = member_count(states);
  optional<int64_t> dim;
  if (options.data_dim) dim = mapped_dim(data, *options.data_dim, members);

  VmapLevel level(members, options.randomness);
  Tensors state = module.state_with(states, [&](const at::Tensor& t) { return level.wrap(t, 0); });
  NodePtr inner = wrapped(data, dim, level);
  module.forward(state, *inner);
  return unwrapped(*inner, members, level);
}

}  // namespace td
