// Rows that are added to a memmap directory: its files grow, and all that reads it sees the old rows or all of them.
#pragma once

#include <string_view>

#include "core/dict/node.h"

namespace td::storage {

// Along the first batch dim. Throws, before anything is written, Error(shape), Error(key), Error(dtype) or
// Error(argument) for rows that do not fit, Error(unsupported) for what cannot grow; else Error(nospace), Error(io),
// and then the directory holds what it held.
void append_rows(std::string_view path, const Node& rows, bool sync);

}  // namespace td::storage
