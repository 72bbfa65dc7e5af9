// The text that Python's repr gives for the same content.
#pragma once

#include <string>

#include "core/dict/node.h"

namespace td {

// As the options of Python's set_printoptions.
struct ReprOptions {
  bool batch_size = true, device = true, is_shared = true;                       // of nodes
  bool shape = true, field_device = true, dtype = true, field_is_shared = true;  // of tensors
  bool grad = false, is_contiguous = false, is_view = false, storage_size = false, plain = false;
  bool sorted = true;
};

std::string repr(const Node& node, const ReprOptions& options = {});

// The name of a type after `torch.`, also of types that this library has no code for.
std::string type_name(at::ScalarType type);

}  // namespace td
