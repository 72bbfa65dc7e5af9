// How near two names are, for errors that say which name was probably meant.
#pragma once

#include <cstddef>
#include <string_view>

namespace td {

// How many letters differ: missing, too many, others, or two that changed places; `limit` if there are that many.
size_t letters_apart(std::string_view a, std::string_view b, size_t limit);

// How many may differ if `name` is to be a misspelt other.
size_t letters_misspelt(std::string_view name);

}  // namespace td
