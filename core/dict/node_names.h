// Names of dims in a whole tree: a node has those of its parent for the dims that both have.
#pragma once

#include "core/dict/node.h"

namespace td {

// Throws Error(argument) unless the dims of `node` can have these names, one for each: another dim, here or below, must
// not have one of them already. What stands under `but` does not count.
void check_names_below(const Node& node, const Names& given, const KeyView* but = nullptr);

// The names of trees that are about to change.
class KeptNames {
 public:
  void note(const NodePtr& node);  // and of all below it
  void put_back();

 private:
  std::vector<std::pair<NodePtr, Names>> before_;
};

}  // namespace td
