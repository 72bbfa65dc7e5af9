// Files larger than what is in them: space comes behind a part of one just before it is written in memory, so that a
// full disk is an error there and not a SIGBUS.
#pragma once

#include <string>

#include "core/system/file.h"

namespace td::storage {

// Gives the file a size, with holes in the place of bytes that it has not.
void truncate(const Fd& file, int64_t size, const std::string& where);

// Puts space behind a part of the file, which keeps its bytes; and with every byte of it 0. Throw Error(nospace).
void reserve(int file, int64_t offset, int64_t size, const std::string& where);
void reserve_zeros(int file, int64_t offset, int64_t size, const std::string& where);

}  // namespace td::storage
