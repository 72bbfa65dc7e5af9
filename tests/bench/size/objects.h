// Shared libraries: which are loaded, and how large they are.
#pragma once

#include <string>
#include <vector>

namespace bench {

struct Object {
  double file = 0, read_only = 0, writable = 0;  // bytes: of the file, and of its parts that are loaded
};

Object object_at(const std::string& path);
std::vector<std::string> loaded_objects();  // paths, without the program itself

}  // namespace bench
