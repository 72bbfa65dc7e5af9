// Dicts on disk: one interface for all formats.
#pragma once

#include <string_view>

#include "core/dict/node.h"
#include "core/storage/options.h"

namespace td::storage {

// Recognises the format by what lies at `path`, unless one is given. HDF5 must be given, or the file be trusted.
NodePtr open(std::string_view path, const OpenOptions& options);

// The format is that given, or that of the ending of `path`: .tdz, .h5 .hdf5, .safetensors, .td; else a directory. That
// of .pt .pth is not written: Error(unsupported).
void save(const Node& node, std::string_view path, const SaveOptions& options);

// Throws Error(not_found), or Error(corrupt) if nothing is recognised.
Format format_of(std::string_view path);

}  // namespace td::storage
