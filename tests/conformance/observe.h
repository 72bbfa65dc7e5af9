// What a program left behind, as JSON. README.md has the form; observe.py is the same for stock Python.
#pragma once
#include "program.h"

namespace conformance {

json::object observe(const Program &program);

// Non-tensor data: {"one": value} or {"stack": nested lists}.
json::object observe_data(const td_data_list *list);

// Keys as lists of strings; `brief`: those of one part as a string.
json::array observe_keys(const td_keys *keys, bool brief = false);

}  // namespace conformance
