// Modules that hold others.
#pragma once

#include "core/nn/module.h"

namespace td {

// Members under "0", "1", ... or given names. The list itself cannot be called.
class ModuleList final : public Module {
 public:
  // Throws Error(argument) for a name that is empty or has a dot, Error(exists) for one that is taken.
  explicit ModuleList(const std::vector<ModulePtr>& members, const std::vector<std::string>& names = {});
  std::string type_name() const override { return named_ ? "ModuleDict" : "ModuleList"; }
  bool named() const { return named_; }

 protected:
  Tensors do_call(State, TensorsView, size_t) const override;

 private:
  bool named_;
};

// Each member gets what the one before it returned: torch.nn.Sequential.
class Chain final : public Module {
 public:
  explicit Chain(const std::vector<ModulePtr>& members, const std::vector<std::string>& names = {});
  std::string type_name() const override { return "Sequential"; }

 protected:
  Tensors do_call(State state, TensorsView inputs, size_t n_outputs) const override;
};

}  // namespace td
