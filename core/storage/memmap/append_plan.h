// The plan of an append, made before anything is written: all that can be refused is refused here.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/dict/node.h"

namespace td::storage {

// A leaf's file, whose first `old_bytes` bytes are the rows that are there.
struct GrowingFile {
  std::string name;
  int64_t old_bytes;
  at::Tensor rows;
};

// A directory of the save that has a dict in it.
struct GrowingDirectory {
  std::string below;  // where it is under the root, "" or "/n/m"
  std::string meta;   // of the new meta.json
  std::vector<GrowingFile> files;
};

// `saved` is what lies in the directory at `path`. The root comes first.
std::vector<GrowingDirectory> plan_append(const std::string& path, const Node& saved, const Node& rows);

}  // namespace td::storage
