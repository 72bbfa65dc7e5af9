// Joining trees into one that has lazy stacks: each member is written by itself, so members may differ.
#pragma once

#include <vector>

#include "core/dict/change/assign.h"

namespace td {

// Plans the result of cat or stack as writes into `out`. Every entry that all members of `out` have must be in
// all of `nodes`, and these have nothing that `out` lacks. Throws Error(key), Error(shape).
void cat_into_members(Assignment& writes, const std::vector<const Node*>& nodes, size_t dim, Node& out);
void stack_into_members(Assignment& writes, const std::vector<const Node*>& nodes, size_t dim, Node& out);

}  // namespace td
