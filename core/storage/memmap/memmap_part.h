// A part of a memmap save: the directory in which the dict at a key is.
#pragma once

#include <memory>

#include "core/dict/key.h"
#include "core/storage/memmap/folder.h"

namespace td::storage {

// `root` itself for an empty path. Members of a lazy stack are called by their numbers, and keys of a tensorclass lead
// into its dict. Throws Error(not_found), which says what is there instead: a tensor, or nothing.
std::unique_ptr<const Folder> folder_of(std::unique_ptr<const Folder> root, const Path& part);

}  // namespace td::storage
