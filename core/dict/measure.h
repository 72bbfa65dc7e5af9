// Measures a dict: counts of entries, elements and bytes.
#pragma once

#include "core/dict/node.h"

namespace td {

bool lives_in_files(const Node& node);  // tensors of its own are mapped, or those of all members
int64_t nesting(const Node& node);      // levels of nodes above the deepest tensor
optional<at::ScalarType> common_type(const Node& node);
bool is_floating_point(const Node& node);  // all tensors are; true without any
// The batch size of the dict that holds the entry, or in which the nodes on the way to it would be made.
Dims batch_at(const Node& node, PathView path);

// Elements, and bytes with those of gradients. Without `duplicates` a tensor that is under several keys counts once.
int64_t param_count(const Node& node, bool duplicates);
int64_t param_bytes(const Node& node, bool duplicates);

}  // namespace td
