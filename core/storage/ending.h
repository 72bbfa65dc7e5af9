// Tells the format from the ending of a path.
#pragma once

#include "core/storage/storage.h"

namespace td::storage {

// The format that `save` gives a file of that name: `given`, unless that is automatic.
Format format_to_save(std::string_view path, Format given);

}  // namespace td::storage
