#include "core/dict/change/inside.h"

#include "core/dict/lock.h"

namespace td {

Opened::Opened(Node& node) {
  Node* guarded = node.guarded();
  if (!guarded || node.locked() || !guarded->locked()) return;
  inner_ = itself(*guarded);
  Lock::release(*inner_);
}

}  // namespace td
