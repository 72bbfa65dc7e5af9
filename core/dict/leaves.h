// The tensors of a tree, and where they are.
#pragma once

#include <vector>

#include "core/dict/node.h"
#include "core/error.h"

namespace td {

using Leaves = std::vector<at::Tensor>;

// The tensors, depth first in insertion order; of a lazy stack those of one member after the other. Non-tensor entries
// are not among them and stay as they are.
Leaves leaves(const Node& node);
Leaves leaves(const Node& node, std::vector<bool>& unbatched);  // and which of them belong to the whole batch

// Everything that has the batch dims of a tree without lazy stacks, in the same order: the tensors that are not
// unbatched, and the numbers of non-tensor entries. For operations that change the batch dims and would do the same to
// any leaf.
Leaves batch_leaves(const Node& node);

// The tensors without those that are unbatched, in the order of leaves(node).
Leaves batched_leaves(const Node& node);

// For each of leaves(node), whether it is unbatched.
std::vector<bool> unbatched_leaves(const Node& node);

// The keys of the leaves, in the same order; members of a stack are not part of a key.
std::vector<Path> leaf_paths(const Node& node);

Error no_stacks();  // for operations that lazy stacks do not support
// For a leaf that no longer begins with the batch size: a change of a nested dict's batch size is not reported to the
// dict that contains it.
Error stale_leaf(at::IntArrayRef sizes, at::IntArrayRef batch);

}  // namespace td
