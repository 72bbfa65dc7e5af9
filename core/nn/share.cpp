#include "core/shm/share.h"
#include "core/nn/load.h"
#include "core/nn/tree.h"

namespace td {

void share_memory(Module& module) {
  std::vector<std::pair<Path, at::Tensor>> tensors;
  for (const NamedModule& m : named_modules(module, {}))
    for (const Module::Held& t : m.module->tensors()) {
      if (!t.value.defined()) continue;
      Path name = joined_path(m.name, t.name);
      tensors.emplace_back(name, t.value);
      if (t.value.is_leaf() && t.value.grad().defined()) tensors.emplace_back(name, t.value.grad());
    }
  shm::share(tensors);
}

}  // namespace td
