// A question to a node and to all nodes below it.
#pragma once

#include "core/dict/tensordict.h"

namespace td {

// Whether `is` holds for the node or for one below it; those below one for which it holds are not asked.
template <class F>
bool any_node(const Node& node, const F& is) {
  node.check_current();
  if (is(node)) return true;
  if (const TensorDict* plain = node.plain()) {
    const Walk here = plain->walk();
    for (const Entry& e : plain->entries())
      if (e.is_node() && any_node(*e.node(), is)) return true;
    return false;
  }
  bool found = false;
  node.parts(Detail::kind, [&](const Entry& e) { found = found || (e.is_node() && any_node(*e.node(), is)); });
  return found;
}

bool has_lazy(const Node& node);        // a lazy stack: itself, or below
bool has_persistent(const Node& node);  // what shows tensors that are not its own: itself, or below

}  // namespace td
