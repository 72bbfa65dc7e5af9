// The state of modules as dicts that mirror the module tree.
#pragma once

#include "core/nn/module.h"

namespace td {

// The module's own tensors, without batch dims. In each node: parameters, buffers, then what is below; children without
// state are left out.
NodePtr state_dict(const Module& module);

// The states of all modules stacked along a new batch dim 0: leaves of their own, that require grad where the first
// module's do. Throws Error(argument) for no module, Error(key) or Error(shape) naming the entry that differs.
NodePtr stacked_state(const std::vector<ModulePtr>& modules);

}  // namespace td
