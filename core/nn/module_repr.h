// A module as text, as torch.nn and tensordict.nn show it.
#pragma once

#include <string>

#include "core/nn/module.h"

namespace td {

std::string module_repr(const Module& module);

}  // namespace td
