// Copies of a tree, and the one mechanism behind every operation that keeps its structure: collect the leaves, compute
// new ones, rebuild the tree around them.
#pragma once

#include <vector>

#include "core/dict/node.h"

namespace td {

using Leaves = std::vector<at::Tensor>;

NodePtr shallow_copy(const Node& node);                  // new nodes, shared tensors
NodePtr deep_copy(const Node& node);                     // new nodes, cloned tensors
NodePtr moved(const Node& node, const c10::Device& to);  // new nodes with that device

// The leaves, depth first in insertion order.
Leaves leaves(const Node& node);

// The keys of the leaves, in the same order.
std::vector<Path> leaf_paths(const Node& node);

// The same tree around other leaves, in the same order. `batch` and `names` replace the root's, whose first
// `node.batch_dims()` dims they stand for; a node with more batch dims keeps the rest.
NodePtr rebuild(const Node& node, const Leaves& leaves, at::IntArrayRef batch, const Names& names = {});

}  // namespace td
