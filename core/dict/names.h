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

// Throws Error(argument) unless there is one for each dim, all are UTF-8 and no name comes twice.
void check_names(const Names& names, size_t dims);

// `given`, which has the same name for each dim of `own` that has one; throws Error(argument) otherwise.
Names refined(const Names& own, const Names& given);

// `own` with each name of `from` replaced by the one in the same place of `to`; throws Error(argument) if there is
// none.
Names renamed(Names own, const Names& from, const Names& to);

// Returns the names of a node `inner` below a node `outer`: the first dims take the names of the outer ones,
// and must not have others; throws Error(argument) then. Both have one for each dim.
Names fitted(const Names& inner, const Names& outer);

// "(\"time\", None)"
std::string to_string(const Names& names);

}  // namespace td
