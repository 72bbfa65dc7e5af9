// A chain of modules that have keys; each reads what those before it wrote.
#pragma once

#include "core/nn/keyed_module.h"

namespace td {

class Sequential final : public KeyedModule {
 public:
  // The members' state stands under "module", "0", and so on. Throws Error(argument) naming a member without keys.
  explicit Sequential(const std::vector<ModulePtr>& members);

  void forward(State state, Node& data) const override;
};

}  // namespace td
