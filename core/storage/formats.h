// The formats by name, and by the endings of their files.
#pragma once

#include <string_view>

#include "core/storage/options.h"

namespace td::storage {

const char* format_name(Format format);  // "memmap directory"; throws Error(argument) for what is none

// The format that `save` gives a file of that name: `given`, unless that is automatic.
Format format_to_save(std::string_view path, Format given);

}  // namespace td::storage
