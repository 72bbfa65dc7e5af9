// The order of versions like "1.2.3" and "2.0.0-rc1".
#pragma once

#include <string_view>

namespace td::plugin {

// Negative, 0 or positive. Numbers count as numbers; with a suffix after '-' a version comes before the one without.
int compare_versions(std::string_view a, std::string_view b);

}  // namespace td::plugin
