// Autograd over the leaves of a dict.
#pragma once

#include "core/dict/node.h"

namespace td {

bool requires_grad(const Node& node);  // some leaf does
void set_requires_grad(Node& node, bool requires_grad);
NodePtr detach(const Node& node);
NodePtr grad(const Node& node);  // of the leaves that have one; null if none has
void zero_grad(Node& node, bool set_to_none);
void detach_(Node& node);  // throws Error(torch) for views that require grad; changes nothing then

}  // namespace td
