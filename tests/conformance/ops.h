// The operations of programs, a table for each file.
#pragma once
#include <iterator>
#include <vector>

#include "program.h"

namespace conformance {

using Operations = std::vector<NamedOperation>;

Operations basic_operations();
Operations keys_operations();
Operations rows_operations();
Operations shape_operations();
Operations math_operations();
Operations state_operations();
Operations lazy_operations();
Operations scope_operations();
Operations files_operations();
Operations modules_operations();

}  // namespace conformance
