// Datasets: what is known of one before it is read, and tensors in and out of it.
#pragma once

#include "core/dict/persistent/persistent.h"
#include "core/storage/hdf5/file.h"
#include "core/storage/hdf5/types.h"

namespace td::storage::hdf5 {

struct Dataset {
  Hid id, type;
  Dims sizes;
  ElementType element;
  bool stacked = false;  // marked to have a value for each batch element
  Code code = Code::unsupported;
  std::string why;  // it cannot be read

  Stored stored() const;
};

// All inside a Section.
Dataset describe(Hid dataset);

// Throws Error(corrupt) before it takes more memory than the file can account for; `key` is named.
void check_bytes(const Dataset& dataset, at::IntArrayRef sizes, size_t element, const File& file);

at::Tensor read_tensor(const Dataset& dataset, const IndexList& part, const File& file);
void write_tensor(const Dataset& dataset, const IndexList& part, const at::Tensor& value, const File& file);

// A dataset of this tensor that is nowhere yet.
Hid make_tensor(const at::Tensor& value, const std::string& key, const File& file);

}  // namespace td::storage::hdf5
