// Loads plugin files and remembers why others were refused. Loaded files stay loaded: types never change.
#pragma once

#include <string>

namespace td::plugin {

// Loads one file; the same file again does nothing. Throws Error(not_found), Error(plugin), Error(version) or
// Error(exists).
void load(const std::string& file);

// Loads every *.so of a directory in the order of their names; refusals go to the report only.
void add_path(const std::string& directory);

// The plugins beside this library, once.
void load_bundled();

// A line for each file that was loaded or refused.
std::string report();

}  // namespace td::plugin
