// Reads what an ELF file says about itself, without loading it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/torch_compat.h"

namespace td::plugin {

// The names of the shared libraries that `file` needs (DT_NEEDED). Throws Error(plugin) unless it is a shared library
// for this machine whose tables lie inside the file.
std::vector<std::string> needed_libraries(const std::string& file);

// The text in a section; null if there is no such section. Throws as above.
optional<std::string> section_text(const std::string& file, std::string_view name);

}  // namespace td::plugin
