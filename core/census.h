// All segments and channels of this user.
#pragma once

#include <string>
#include <string_view>

namespace td {

// A JSON array of {"name", "kind", "bytes", "pid", "alive", "keep"}, or of {"name", "kind": "damaged", "error"}.
std::string list_shared(std::string_view prefix);

// Removes the names of segments whose owner has ended, and of channels without members, unless they are to be kept;
// returns how many.
int64_t prune_shared(std::string_view prefix);

}  // namespace td
