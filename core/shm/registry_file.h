// The hidden file of this user's locks. Its directory is everybody's, so a stranger may take the name first: then it
// has another, which all processes of the user find by looking for a file that is theirs.
#pragma once

#include "core/system/file.h"

namespace td::shm {

// Made if it is not there.
storage::Fd open_registry();

// Tells whether a descriptor still refers to it.
bool is_registry(int file);

}  // namespace td::shm
