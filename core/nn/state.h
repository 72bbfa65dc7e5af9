// The state of modules as dicts that mirror the module tree.
#pragma once

#include "core/nn/module.h"

namespace td {

// The module's own tensors, without batch dims. In each node: parameters, buffers, then what is below; children without
// state are left out. `detached` gives what a state dict has: no gradients, and nothing that is not persistent.
NodePtr module_state(const Module& module, bool detached = false);

struct StackOptions {
  bool detached = false;          // as above: every leaf is a buffer then
  bool lazy = false;              // a lazy stack of the modules' own tensors
  bool expand_identical = false;  // a tensor that all modules share is expanded, not copied
  bool as_params = false;
  bool lock = false;
};

// The states of all modules stacked along a new batch dim 0: leaves of their own, that require grad where the first
// module's do. Throws Error(argument) for no module, Error(key) or Error(shape) naming the entry that differs.
NodePtr stacked_state(const std::vector<ModulePtr>& modules, const StackOptions& options = {});

// The same as two flat dicts with dotted names, parameters and buffers, of modules that must be alike: of one type, one
// mode, and with gradients in the same places. A tied parameter has its first name only.
std::pair<NodePtr, NodePtr> stack_module_state(const std::vector<ModulePtr>& modules);

// The tensors of `module` with those of `given`, whose keys are nested or dotted, in place of its own. `tie`: a tensor
// that stands under several names is replaced under all of them. Throws Error(argument) for a key that is given twice,
// or two values for one tensor; with `strict`, Error(key) for one that is missing or unknown.
Tensors functional_state(const Layout& layout, const std::vector<const Node*>& given, bool tie, bool strict);

std::string dotted(const Path& path);
Path undotted(const Path& path);  // every dot in it separates

}  // namespace td
