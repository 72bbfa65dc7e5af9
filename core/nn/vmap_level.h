// One level of functorch's stack, popped however the scope ends. Only sources include this.
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/functorch/BatchedTensorImpl.h>
#include <ATen/functorch/DynamicLayer.h>
#include <c10/util/SmallVector.h>

#include "core/nn/randomness.h"

namespace td {

bool under_vmap();  // on this thread

class VmapLevel {
 public:
  VmapLevel(int64_t size, Randomness randomness)
      : size_(size),
        level_(at::functorch::initAndPushDynamicLayer(at::functorch::TransformType::Vmap, size,
                                                      functorch_type(randomness))) {}
  VmapLevel(const VmapLevel&) = delete;
  VmapLevel& operator=(const VmapLevel&) = delete;
  ~VmapLevel() { at::functorch::popDynamicLayerAndDeleteMetadata(); }

  at::Tensor wrap(const at::Tensor& t, int64_t dim) const { return at::functorch::makeBatched(t, dim, level_); }

  // The members along `dim`; what does not depend on the member is repeated without a copy.
  at::Tensor unwrap(const at::Tensor& t, int64_t dim) const {
    const auto* batched = at::functorch::maybeGetBatchedImpl(t);
    if (batched && batched->level() == level_) return batched->value().movedim(batched->bdim(), dim);
    c10::SmallVector<int64_t, 6> sizes(t.sizes().begin(), t.sizes().end());
    sizes.insert(sizes.begin() + dim, size_);
    return t.unsqueeze(dim).expand(sizes);
  }

 private:
  // LibTorch 1.13 keeps the levels of all threads in one map without a lock: there one thread waits for the other. A
  // member may run a vmap of its own. No fork waits for it, as callers' code runs meanwhile: a child has a new one.
  class Turn {
   public:
    Turn();
    ~Turn();
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
  };
  static at::functorch::RandomnessType functorch_type(Randomness r) {
    switch (r) {
      case Randomness::different:
        return at::functorch::RandomnessType::Different;
      case Randomness::same:
        return at::functorch::RandomnessType::Same;
      default:
        return at::functorch::RandomnessType::Error;
    }
  }

  Turn turn_;  // first, so that it ends last
  int64_t size_, level_;
};

}  // namespace td
