// Every rank says in the store what it is before Gloo looks for it: two versions of Gloo end each other's processes.
#pragma once

#include <string>
#include <vector>

#include "core/group/gloo/stores.h"

namespace td::group {

// Waits for all ranks; true for each that is this library, false for stock Python. Throws Error(version) for another
// wire, Error(exists) for a rank that is taken, Error(argument) for another size, Error(timeout) with who is missing.
std::vector<bool> meet(c10d::Store& store, const std::string& where, const Options& options);

}  // namespace td::group
