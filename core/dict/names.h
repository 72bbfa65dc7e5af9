// Names of batch dims, as the original has them: one for each dim or none, empty when no dim has a name.
#pragma once

#include <string>
#include <vector>

#include <c10/util/ArrayRef.h>

#include "core/torch_compat.h"

namespace td {

using Name = optional<std::string>;
using Names = std::vector<Name>;

// Empty if no dim has a name.
Names tidy(Names names);

// One for each of `dims` dims, also when there are none.
Names spread(const Names& names, size_t dims);

// Throws Error(argument) unless there is one for each dim and no name comes twice.
void check_names(const Names& names, size_t dims);

}  // namespace td
