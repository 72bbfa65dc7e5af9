// The elements of the batch dims once more, or in another order: results are copies.
#pragma once

#include "core/dict/node.h"

namespace td {

NodePtr repeat(const Node& node, at::IntArrayRef repeats);  // one for each batch dim
NodePtr tile(const Node& node, at::IntArrayRef repeats);    // for the last dims; more of them are new dims on the left
NodePtr repeat_interleave(const Node& node, at::IntArrayRef repeats, int64_t dim);  // one, or one for each element

NodePtr flip(const Node& node, at::IntArrayRef dims);
// The shifts modulo the sizes of their dims, checked: those of any size do not overflow in ATen, and can be negated.
Dims within_a_turn(const Node& node, at::IntArrayRef shifts, at::IntArrayRef dims);
NodePtr roll(const Node& node, at::IntArrayRef shifts, at::IntArrayRef dims);  // no dims: as if flattened
NodePtr rot90(const Node& node, int64_t times, int64_t from, int64_t to);

// Unlocked; leaves that are row-major already are kept. Dims of size 1 have row-major strides too.
NodePtr contiguous(const Node& node);
bool is_contiguous(const Node& node);

}  // namespace td
