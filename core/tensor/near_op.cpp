#include "core/tensor/near_op.h"

#include <ATen/core/dispatch/Dispatcher.h>

#include "core/letters_apart.h"

namespace td {

std::string near_op(const std::string& name) {
  std::string nearest;
  size_t least = letters_misspelt(name);
  if (!least) return "";
  for (const c10::OperatorName& op : c10::Dispatcher::singleton().getAllOpNames()) {
    // Of two that are equally near the first by name, whatever order they were registered in.
    const size_t apart = letters_apart(name, op.name, least + 1);
    if (apart > least || (apart == least && !nearest.empty() && op.name >= nearest)) continue;
    least = apart;
    nearest = op.name;
  }
  return nearest;
}

}  // namespace td
