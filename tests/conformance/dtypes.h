// Element types by the names that PyTorch gives them.
#pragma once
#include <string>

#include "tensordict.h"

namespace conformance {

td_dtype dtype_of(const std::string &name);  // throws std::runtime_error for an unknown name
const char *dtype_name(td_dtype dtype);

}  // namespace conformance
