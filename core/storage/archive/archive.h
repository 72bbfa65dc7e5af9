// The archive: a zip file whose entries are the files of a memmap directory. What is stored in it as it is, is read
// where it lies.
#pragma once

#include <string>

#include "core/dict/node.h"
#include "core/storage/options.h"

namespace td::storage {

// The checksums of tensors that are read in place are not compared: that would read all of them. verify_archive does.
NodePtr open_archive(const std::string& path, const OpenOptions& options);

void save_archive(const Node& node, const std::string& path, const SaveOptions& options);

// Reads everything; throws Error(corrupt), with the entry, where a checksum is wrong.
void verify_archive(const std::string& path);

// Writes the checksums of what lies in the file now: after writes in mode read_write, before other tools read it.
void refresh_checksums(const std::string& path);

}  // namespace td::storage
