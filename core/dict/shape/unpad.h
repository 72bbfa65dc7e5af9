// Splits what pad_sequence stacked into its parts.
#pragma once

#include "core/dict/node.h"

namespace td {

struct UnpadOptions {
  int64_t pad_dim = 0;          // as for pad_sequence: counted without the dim of the samples
  Path mask_key;                // where the masks are in the dict, unless one of the next is given
  const Node* masks = nullptr;  // a mask for each tensor, as pad_sequence makes them
  at::Tensor mask;              // one for all tensors: [samples, longest]
};

// A lazy stack of the samples along the first batch dim: views of what the masks mark.
NodePtr unpad_sequence(const Node& node, const UnpadOptions& options);

}  // namespace td
