#include "core/dict/lazy/write_through.h"

#include "core/dict/any_node.h"
#include "core/dict/change/update.h"
#include "core/dict/copy.h"
#include "core/dict/lazy/lazy.h"

namespace td {

bool write_through(Node& node, c10::function_ref<void(Node&)> write) {
  if (!has_lazy(node) && !has_persistent(node)) return false;
  NodePtr copy = deep_copy(*dense(node));
  write(*copy);
  update(node, *copy, {true, false});
  return true;
}

}  // namespace td
