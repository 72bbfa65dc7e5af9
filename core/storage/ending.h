// What the ending of a path says of the format.
#pragma once

#include "core/storage/storage.h"

namespace td::storage {

// The format that `save` gives a file of that name: `given`, unless that is automatic.
Format format_to_save(std::string_view path, Format given);

}  // namespace td::storage
