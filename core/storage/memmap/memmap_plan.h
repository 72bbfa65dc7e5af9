// A memmap save as it will be, made before anything is written: all that can be refused is refused here.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/dict/node.h"
#include "core/storage/leaf.h"
#include "core/storage/options.h"

namespace td::storage {

struct PlannedFile {
  std::string name;
  std::vector<at::Tensor> tensors;  // their elements, one after the other
  std::string text;                 // or this
  int64_t bytes;
  bool table = false;  // it says how other files are to be read
};

struct PlannedDirectory {
  std::string meta;  // of meta.json
  std::vector<PlannedFile> files;
  std::vector<std::pair<std::string, PlannedDirectory>> directories;
};

// Throws Error(key) for names that the format needs itself, Error(unsupported) for what it cannot hold.
PlannedDirectory plan_memmap(const Node& node);

// Builds it beside `path` and puts it there atomically.
void write_plan(const PlannedDirectory& plan, const std::string& path, const SaveOptions& options);

// Returns the member of meta.json that describes a leaf.
std::string leaf_member(c10::Device device, const LeafType& type, bool nested = false);

// Returns the names of an entry's files in the directory of its dict.
std::vector<std::string> file_names(const Key& key, const Entry& entry);

int64_t planned_bytes(const PlannedDirectory& plan);

}  // namespace td::storage
