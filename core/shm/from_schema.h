// Dicts of zeros where a description says: in memory, in shared memory or in files.
#pragma once

#include <string>
#include <vector>

#include "core/dict/node.h"
#include "core/storage/options.h"

namespace td {

struct SchemaEntry {
  Path path;
  Dims element;  // the sizes after the batch dims
  at::ScalarType type;
};

enum class SchemaStorage { memory, shared, memmap, hdf5 };

struct SchemaOptions {
  SchemaStorage storage = SchemaStorage::memory;
  std::string path{};              // of the directory or the file
  optional<c10::Device> device{};  // in memory only
  storage::SaveOptions save{};
};

// Throws Error(exists) for a key that comes twice, Error(key) if one runs through another, Error(shape), and what
// saving throws. Nothing has been made then.
NodePtr from_schema(const std::vector<SchemaEntry>& entries, at::IntArrayRef batch, const SchemaOptions& options);

}  // namespace td
