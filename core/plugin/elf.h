// What an ELF file says about itself, read without loading it.
#pragma once

#include <string>
#include <vector>

namespace td::plugin {

// The names of the shared libraries that `file` needs (DT_NEEDED). Throws Error(plugin) unless it is a shared library
// for this machine whose tables lie inside the file.
std::vector<std::string> needed_libraries(const std::string& file);

}  // namespace td::plugin
