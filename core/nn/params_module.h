// The tensors of a dict as a module: Python's TensorDictParams, seen from nn.Module.
#pragma once

#include "core/nn/module.h"

namespace td {

class ParamsModule final : public Module {
 public:
  // Throws Error(argument) for a name that cannot be one of a module, Error(unsupported) for lazy stacks.
  explicit ParamsModule(const Node& params);
  std::string type_name() const override { return "TensorDictParams"; }
  std::string extra_repr() const override;

 protected:
  Tensors do_call(State state, TensorsView inputs, size_t n_outputs) const override;
};

}  // namespace td
