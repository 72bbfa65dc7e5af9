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
  std::string type_name() const override { return "function"; }

 protected:
  Tensors do_call(State, TensorsView inputs, size_t n_outputs) const override { return function_(inputs, n_outputs); }

 private:
  Function function_;
};

// One that takes and gives anything that a dict can hold, and says itself how much it gives.
class ValuesModule final : public Module {
 public:
  using Function = std::function<std::vector<Entry>(const Inputs& inputs, size_t expected)>;

  explicit ValuesModule(Function function) : function_(std::move(function)) {}
  std::string type_name() const override { return "function"; }

 protected:
  Tensors do_call(State state, TensorsView inputs, size_t n_outputs) const override;
  std::vector<Entry> do_values(State, const Inputs& inputs, size_t n_outputs) const override {
    return function_(inputs, n_outputs);
  }
  bool takes_values() const override { return true; }

 private:
  Function function_;
};

}  // namespace td
