// Element types: what a dataset has, and what it is read into.
#pragma once

#include <string>

#include "core/dict/node.h"
#include "core/storage/hdf5/library.h"

namespace td::storage::hdf5 {

struct ElementType {
  enum class Kind { tensor, text, numpy, other };
  Kind kind = Kind::other;
  at::ScalarType dtype = at::kByte;  // of a tensor; of numpy where it is a number
  bool is_number = false;            // of numpy: a type that counts as a tensor in Python's batch size
  std::string descr;                 // of numpy: "<i8", as NumPy writes it
  std::string why;                   // of others: what it is
};

// Inside a Section.
ElementType element_type(hid_t type);

// The type that values of a tensor have in memory; `type` is the file's. For bool that of the file: one byte each.
Hid memory_type(at::ScalarType dtype, hid_t type);

// The type that h5py would write; throws Error(dtype) for one that HDF5 has no place for.
Hid file_type(at::ScalarType dtype, const std::string& key);

Hid text_type(size_t bytes = H5T_VARIABLE);  // UTF-8, of variable length or with a NUL in these bytes
Hid numpy_type(const std::string& descr, size_t bytes);
Hid truth_type();  // FALSE and TRUE

}  // namespace td::storage::hdf5
