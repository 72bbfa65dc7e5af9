// Copies of a tree, and the one mechanism behind every operation that keeps its structure: collect the leaves, compute
// new ones, rebuild the tree around them.
#pragma once

#include <vector>

#include "core/dict/leaves.h"
#include "core/dict/node.h"

namespace td {

// Each keeps lazy stacks lazy.
NodePtr shallow_copy(const Node& node);                  // new nodes, shared tensors
NodePtr deep_copy(const Node& node);                     // new nodes, cloned tensors
NodePtr moved(const Node& node, const c10::Device& to);  // new nodes with that device

// The same tree around other leaves, in the same order. `batch` and `names` replace the root's, whose first
// `node.batch_dims()` dims they stand for; a node with more batch dims keeps the rest.
NodePtr rebuild(const Node& node, const Leaves& leaves, at::IntArrayRef batch, const Names& names = {});
NodePtr rebuild(const Node& node, Leaves&& leaves, at::IntArrayRef batch, const Names& names = {});

// The same with other non-tensor entries, in the same order among themselves.
NodePtr rebuild(const Node& node, Leaves&& leaves, const std::vector<DataPtr>& data, at::IntArrayRef batch,
                const Names& names);

// Says how a non-tensor entry is stored in the result: as before; a stack, as the original has it after it expands or
// unsqueezes; or one value again, if it was made a stack of one value.
enum class Stacked { as_before, all, undone };

// The same with the results for batch_leaves(node).
NodePtr rebuild_batch(const Node& node, const Leaves& leaves, at::IntArrayRef batch, const Names& names = {},
                      Stacked stacked = Stacked::as_before);

// The same with what `leaf` makes of each of batch_leaves(node), without collecting them first. With `mapped`, a dict
// that is mapped from files is so in the result too.
using MakeLeaf = c10::function_ref<at::Tensor(const at::Tensor&)>;
NodePtr rebuild_views(const Node& node, MakeLeaf leaf, at::IntArrayRef batch, const Names& names,
                      Stacked stacked = Stacked::as_before, bool mapped = false);

}  // namespace td
