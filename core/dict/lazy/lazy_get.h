// Combines the entries of the members of a lazy stack, also those of different shapes.
#pragma once

#include <vector>

#include "core/dict/lazy/lazy_stack.h"

namespace td {

// The entry of each member of the first stack on the way to `path`, by reference; where members are stacks, or have one
// on the way, those of its members in their place. Throws Error(unsupported) if there is no stack on the way.
std::vector<at::Tensor> get_list(const Node& node, PathView path);
// One value for each of those members; all or none.
void set_list(Node& node, PathView path, const std::vector<at::Tensor>& values);

struct Padding {
  c10::Scalar value = 0;
  bool left = false;  // pads before the values instead of after them
};

struct Padded {
  at::Tensor values, mask;
};
// Stacked, with every dim as long as the longest. The mask has the dims up to the last one that was padded, and is true
// for values.
Padded get_padded(const Node& node, PathView path, const Padding& padding);

struct Jagged {
  at::Tensor values, offsets;
};
// Joined along the first dim after the stack's, with the position where each begins and the end: int64 [n + 1].
Jagged get_jagged(const Node& node, PathView path);

// A dict of the entries that any member has, padded. Masks of what was padded go below `mask_key`, which may be null.
NodePtr densify(const Node& node, const Padding& padding, const Path* mask_key);

}  // namespace td
