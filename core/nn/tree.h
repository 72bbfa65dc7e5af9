// Finding and listing what a tree of modules holds, as torch.nn.Module does.
#pragma once

#include "core/nn/module.h"

namespace td {

struct NamedTensor {
  Path name;  // may be a module's and a dotted tensor name of several parts
  at::Tensor value;
};
struct NamedModule {
  Path name;  // empty for the root
  ModulePtr module;
};
struct ListOptions {
  Path prefix{};
  bool recurse = true;
  bool remove_duplicate = true;  // what stands under several names is listed under the first
};
std::vector<NamedTensor> named_tensors(const Module& root, Role role, const ListOptions& options);
std::vector<NamedModule> named_modules(const Module& root, const ListOptions& options);  // parents first, the root too
std::vector<NamedModule> named_children(const Module& root);                             // each module once
std::vector<ModulePtr> apply_order(const Module& root);  // children first, the root last

// The place of a tensor: null if there is none. An empty path is the root itself.
struct TensorPlace {
  Module* module = nullptr;
  size_t index = 0;
  const at::Tensor& value() const { return module->tensors()[index].value; }
  Role role() const { return module->tensors()[index].role; }
};
TensorPlace find_tensor(const Module& root, const Path& name);
ModulePtr find_module(const Module& root, const Path& name);  // null if there is none, or it holds none

// Throw Error(key) naming the part that is not there, or holds something else.
TensorPlace tensor_at(const Module& root, Role role, const Path& name);
ModulePtr module_at(const Module& root, const Path& name);
void set_submodule(Module& root, const Path& name, ModulePtr module);  // in place of one, or a new one

Path joined_path(const Path& a, const Path& b);

}  // namespace td
