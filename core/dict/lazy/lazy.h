// Lazy stacks from dicts, and dicts from lazy stacks.
#pragma once

#include <vector>

#include "core/dict/lazy/lazy_stack.h"

namespace td {

// The node itself if nothing in it is lazy, else a copy in which stacks are dicts: of the keys that all members have.
// Throws Error(shape) for members of different shapes.
NodePtr dense(const Node& node);

// Tells whether it is a stack whose members have equal keys and shapes at each level: a dense copy then lacks nothing.
bool stacks_evenly(const Node& node);

// A stack of dicts where they have the same keys and shapes, at each level; else a lazy stack of them.
NodePtr maybe_dense_stack(const Nodes& nodes, int64_t dim);

NodePtr lazy_stack(const Nodes& nodes, int64_t dim);       // throws Error(argument) without any
NodePtr lazy_empty(at::IntArrayRef element, int64_t dim);  // no members yet, of this batch size
NodePtr to_lazy_stack(const Node& node, int64_t dim);      // of views

}  // namespace td
