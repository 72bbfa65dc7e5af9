// A function of the host language as a module without state.
#pragma once

#include <functional>

#include "core/nn/module.h"

namespace td {

class FunctionModule final : public Module {
 public:
  // Returns as many tensors as it is asked for, or throws.
  using Function = std::function<Tensors(TensorsView inputs, size_t n_outputs)>;

  explicit FunctionModule(Function function) : function_(std::move(function)) {}
  Tensors call(State, TensorsView inputs, size_t n_outputs) const override { return function_(inputs, n_outputs); }

 private:
  Function function_;
};

}  // namespace td
