// HDF5 files, which Python's tensordict keeps its PersistentTensorDict in. Where libhdf5 was not there when this was
// built, each of these throws Error(unsupported).
#pragma once

#include <string>

#include "core/dict/node.h"
#include "core/storage/hdf5/options.h"
#include "core/storage/options.h"

namespace td::storage {

bool has_hdf5();

struct Hdf5Options {
  bool write = false;
  bool lenient = false;            // entries that cannot be read are left out
  optional<Dims> batch = nullopt;  // else what the file keeps, or the longest that all entries have in common
  size_t batch_dims = SIZE_MAX;    // of the latter, at most
  hdf5::DatasetOptions datasets{};
};

// A dict whose entries stay in the file; copy_on_write reads all of them into memory.
NodePtr open_hdf5(const std::string& path, const OpenOptions& options);
NodePtr open_hdf5(const std::string& path, const Hdf5Options& options);

// A new file that holds what `node` does, beside `path` first: it replaces what is there as a whole.
void save_hdf5(const Node& node, const std::string& path, const SaveOptions& options);

// A new file without entries, open to be written. Throws Error(exists).
NodePtr create_hdf5(const std::string& path, const Hdf5Options& options);

}  // namespace td::storage
