// The memmap directory: one directory a dict, with a meta.json, and one file of raw elements a tensor.
#pragma once

#include <string>
#include <string_view>

#include "core/dict/node.h"
#include "core/storage/memmap/folder.h"
#include "core/storage/memmap/meta.h"
#include "core/storage/options.h"

namespace td::storage {

// `path` is a directory. Its own name may be a link; nothing below it may.
NodePtr open_memmap(const std::string& path, const OpenOptions& options);

// The same from any tree of files.
NodePtr read_memmap(const Folder& folder, bool lenient);

void save_memmap(const Node& node, const std::string& path, const SaveOptions& options);

}  // namespace td::storage
