// State dicts: a module's tensors under dotted names, with the hooks around making and loading them.
#pragma once

#include "core/nn/module.h"

namespace td {

// Parameters, then persistent buffers, depth first; what stands under several names is under each. `keep` leaves them
// connected to autograd.
NodePtr flat_state(const Module& module, const std::string& prefix, bool keep);

struct ModuleLoadOptions {
  bool strict = true;
  bool assign = false;  // the given tensors take the places of the module's own
};
struct LoadResult {
  std::vector<std::string> missing, unexpected;
};
// Names are nested or dotted. All problems are in one Error(key) or Error(shape); nothing is loaded then.
LoadResult load_state(Module& module, const Node& state, const ModuleLoadOptions& options);

// ---- What changes every tensor of a tree
// Floating-point and complex tensors get the dtype; throws Error(dtype) for one that is neither, Error(unsupported) for
// one on "meta". Parameters stay the tensors that they are, unless they go to "meta" or come from there.
void cast_module(Module& module, optional<at::ScalarType> type, optional<c10::Device> device, bool integers);
void empty_module(Module& module, c10::Device device);       // new tensors there, of any values
void set_requires_grad(Module& module, bool requires_grad);  // parameters; throws Error(dtype)
void zero_grad(Module& module, bool set_to_none);
// Moves the memory of all tensors and gradients to where forks share it; the tensors stay what they are. Throws
// Error(unsupported), Error(nospace); nothing has moved then.
void share_memory(Module& module);

// Draws all parameters anew; returns how many modules had any.
size_t reset_parameters(Module& module, Generator* generator);

}  // namespace td
