// Decides which files may be loaded into the process: those that no other user could have written or changed.
#pragma once

#include <filesystem>
#include <utility>

#include <sys/types.h>

namespace td::plugin {

using FileId = std::pair<dev_t, ino_t>;  // the same for every name of a file

// Throws Error(not_found), or Error(plugin) saying why the file is refused. `file` is canonical. Whoever owns this
// library may own plugins, too.
FileId check_trusted(const std::filesystem::path& file);

// Throws Error(plugin) for a file that links OpenMP, or LibTorch without saying so, and Error(version) if it was built
// with another LibTorch than this library.
void check_libraries(const std::filesystem::path& file);

// True in a process that runs with other rights than its user's, where the environment must not say what is loaded.
bool is_set_id_process();

}  // namespace td::plugin
