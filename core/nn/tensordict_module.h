// Gives a module keys: its inputs are read from in_keys, its outputs are written to out_keys ("_" drops one).
#pragma once

#include "core/nn/keyed_module.h"

namespace td {

class TensorDictModule final : public KeyedModule {
 public:
  TensorDictModule(ModulePtr inner, std::vector<Path> in_keys, std::vector<Path> out_keys);
  void forward(State state, Node& data) const override;
};

}  // namespace td
