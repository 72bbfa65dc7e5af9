// A random number generator with an identity of its own, so that draws can be repeated.
#pragma once

#include <ATen/core/Generator.h>
#include <c10/util/intrusive_ptr.h>

#include "core/torch_compat.h"

namespace td {

class Generator final : public c10::intrusive_ptr_target {
 public:
  explicit Generator(uint64_t seed);
  void seed(uint64_t value);
  uint64_t initial_seed() const;
  // The bytes of torch.Generator.get_state. Throws Error(dtype), Error(shape), Error(corrupt) for others.
  at::Tensor state() const;
  void load_state(const at::Tensor& state);
  at::Generator& get() { return generator_; }

 private:
  mutable at::Generator generator_;
};

void manual_seed(uint64_t value);  // LibTorch's default generators

}  // namespace td
