// Dicts with some of the entries of another. The tensors are the same; so are nodes, unless only a part of one is
// meant.
#pragma once

#include <vector>

#include "core/dict/node.h"

namespace td {

// The entries under `keys`, in their order. Of a node of which sub-keys are named only those remain. `strict` refuses
// missing keys, which are left out otherwise.
NodePtr select(const Node& node, const std::vector<Path>& keys, bool strict);
void select_in_place(Node& node, const std::vector<Path>& keys, bool strict);
// Those that there are, in the order of `node`.
NodePtr select_in_its_order(const Node& node, const std::vector<Path>& keys);

// All other entries; a node that loses everything stays. Missing keys are no error.
NodePtr exclude(const Node& node, const std::vector<Path>& keys);
void exclude_in_place(Node& node, const std::vector<Path>& keys);

// Takes away `keys`, and the nodes above them that held nothing else and are not in `kept`.
void drop_keys(Node& node, const std::vector<Path>& keys, const std::vector<Path>& kept);

// One dict for each set of keys, and one for the rest, without empty nodes; all nodes are new.
struct SplitOptions {
  bool strict = true;
  bool structure = false;                // every part has all nodes, also those that are empty then
  at::Tensor fill{};                     // stands for missing keys, unless `strict`
  std::vector<std::vector<Path>> names;  // of the entries in each part; none: as before
};
std::vector<NodePtr> split_keys(const Node& node, const std::vector<std::vector<Path>>& sets,
                                const SplitOptions& options);

// A node like it without entries, or with the empty tree of its nodes.
NodePtr emptied(const Node& node, bool recurse);

bool is_empty(const Node& node);  // nothing but nodes, at any depth
void filter_empty(Node& node);    // removes nodes that are empty

}  // namespace td
