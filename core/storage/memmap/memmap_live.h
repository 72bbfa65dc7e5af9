// Dicts that live in a memmap directory: what is added to them is added on disk, and what others added shows.
#pragma once

#include <string>

#include "core/dict/node.h"
#include "core/storage/options.h"

namespace td::storage {

// A new entry of zeros, or of the elements of `value`, in the files of `root` and in `root`; missing nodes are made.
// Throws Error(unsupported) unless the directory was opened for writing, Error(exists), Error(key), Error(shape). That
// it is locked, as such dicts are, is no obstacle.
at::Tensor make_memmap(Node& root, PathView path, at::IntArrayRef sizes, at::ScalarType type);
at::Tensor make_memmap(Node& root, PathView path, const at::Tensor& value);

// The structure of `node` with zeros in all tensors, on disk and opened for writing; in an archive if the name or the
// format says so, and then also in memory. Non-tensor entries are kept.
NodePtr memmap_like(const Node& node, const std::string& path, const SaveOptions& options);

// Reads what the directory holds now. Throws Error(unsupported) for dicts that are in none, Error(locked) unless it was
// opened for writing.
void refresh_memmap(Node& node);

}  // namespace td::storage
