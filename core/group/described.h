// A dict with the description that stock Python pickles of it: who receives it need not know its structure.
#pragma once

#include <string>

#include <ATen/core/Tensor.h>

#include "core/dict/node.h"

namespace td::group {

struct Described {
  at::Tensor metadata;  // the pickle, as bytes
  at::Tensor storage;   // the values of all tensors
};

// What stands in the description beside the dict: stock Python takes out what it expects, and fails on more.
enum class Extras { none, size, size_and_device };

// Throws Error(unsupported) or Error(key) for what the format cannot hold.
Described describe(const Node& node, Extras extras);

// How many bytes of tensors the description announces, whatever else it says. Throws Error(corrupt).
int64_t announced_bytes(const at::Tensor& metadata, const std::string& where);

// Its tensors are views of the storage. Nothing in the pickle is run. Throws Error(corrupt) for what makes no sense,
// Error(unsupported) for non-tensor data that is no JSON.
NodePtr read_described(const Described& described, const std::string& where);

}  // namespace td::group
