// Dicts after the example of another, around copies of given values.
#pragma once

#include "core/dict/node.h"

namespace td {

struct NewTensorOptions {
  optional<at::ScalarType> type{};  // none: that of each tensor of the example
  optional<c10::Device> device{};   // none: that of the values
  bool requires_grad = false;
  bool numbers = false;  // the values are numbers, which every dtype must be able to hold; others are cast
};

// A copy of `data` in the place of each tensor. Throws Error(argument) for numbers that a dtype cannot hold,
// Error(dtype).
NodePtr new_tensor(const Node& node, const at::Tensor& data, const NewTensorOptions& options);

// Copies of the tensors that `data` has under the same keys; throws Error(key) for an entry that it lacks.
NodePtr new_tensor(const Node& node, const Node& data, const NewTensorOptions& options);

}  // namespace td
