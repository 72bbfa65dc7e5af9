// What a dict holds, as lists: its entries, its members, and all nodes below it.
#pragma once

#include <utility>
#include <vector>

#include "core/dict/node.h"

namespace td {

using Entries = std::vector<std::pair<Key, Entry>>;

Entries entries(const Node& node);                               // a snapshot of one level
Nodes all_members(const Node& node);                             // of a stack; none of other kinds
NodePtr with_entries(const Node& node, const Entries& entries);  // a node like it, unlocked, that holds these
Nodes whole_tree(Node& node);                                    // the node and all below it, each before its own

}  // namespace td
