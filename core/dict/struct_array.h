// Arrays of records, as C has them and NumPy's structured dtypes: every field is a strided view of the same memory.
#pragma once

#include <memory>
#include <vector>

#include "core/dict/node.h"

namespace td {

struct RecordField {
  Path path;
  at::ScalarType type;
  at::IntArrayRef dims;  // within one record, row-major
  size_t offset;         // in bytes, from the start of the record
};

// `batch` says how many records there are, row-major, each `itemsize` bytes after the one before. `owner` is dropped
// with the last view. Throws Error(argument) naming a field that does not lie in its record, or that no tensor can be a
// view of.
NodePtr from_struct_array(void* data, size_t itemsize, at::IntArrayRef batch, const std::vector<RecordField>& fields,
                          const std::shared_ptr<const void>& owner);

// Writes the entries into such an array of `size` bytes, with a dtype cast; what lies between the fields is left alone.
void to_struct_array(const Node& node, const std::vector<RecordField>& fields, size_t itemsize, void* data,
                     size_t size);

}  // namespace td
