// A memmap save as it will be, made before anything is written: all that can be refused is refused here.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/dict/node.h"

namespace td::storage {

struct PlannedFile {
  std::string name;
  std::vector<at::Tensor> tensors;  // their elements, one after the other
  std::string text;                 // or this
  int64_t bytes;
};

struct PlannedDirectory {
  std::string meta;  // of meta.json
  std::vector<PlannedFile> files;
  std::vector<std::pair<std::string, PlannedDirectory>> directories;
};

// Throws Error(key) for names that the format needs itself, Error(unsupported) for what it cannot hold.
PlannedDirectory plan_memmap(const Node& node);

int64_t planned_bytes(const PlannedDirectory& plan);

}  // namespace td::storage
