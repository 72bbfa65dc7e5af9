// Finds differences between the members of a lazy stack.
#pragma once

#include <vector>

#include "core/dict/lazy/lazy_stack.h"

namespace td {

// The shape of an entry: batch size for a node or data; -1 in dims where members of a stack differ, [-1] if they have
// different numbers of dims. Throws Error(key).
Dims entry_shape(const Node& node, PathView path);

// Keys of all tensors whose shape has a -1.
std::vector<Path> ragged_keys(const Node& node);

// Keys that `member` has and not all of the others.
std::vector<Path> exclusive_keys(const LazyStack& stack, size_t member);

}  // namespace td
