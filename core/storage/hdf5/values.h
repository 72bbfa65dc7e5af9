// Non-tensor entries in HDF5 files, as h5py and Python's tensordict write them: text as strings of variable length,
// numbers and bytes as NumPy's own types, opaque to others.
#pragma once

#include <vector>

#include "core/dict/data/data.h"
#include "core/storage/hdf5/types.h"

namespace td::storage::hdf5 {

// Marks what Python's tensordict knows: a string that it wrote, and a dataset with a value for each batch element.
inline constexpr const char *text_mark = "__tensordict_str__", *stack_mark = "__tensordict_stack__";

// The values of a dataset of text or of a NumPy type, row-major; inside a Section. Throws Error(unsupported) for
// others.
std::vector<Value> read_values(hid_t dataset, const ElementType& type, at::IntArrayRef dims, const std::string& file);

// One value that is a nested list of these.
Value list_of(const std::vector<Value>& values, at::IntArrayRef dims);

// A dataset that is nowhere yet; inside a Section. Throws Error(unsupported) for values that the format cannot hold.
Hid make_values(hid_t file_id, const Data& data, const std::string& key, const std::string& file);

}  // namespace td::storage::hdf5
