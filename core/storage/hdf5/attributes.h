// Attributes: what is kept with an object besides its data. All inside a Section.
#pragma once

#include <string>

#include "core/dict/node.h"
#include "core/storage/hdf5/library.h"

namespace td::storage::hdf5 {

bool has_attribute(hid_t object, const char* name);
// One string; none if it is absent or of another type.
optional<std::string> text_attribute(hid_t object, const char* name, const std::string& file);

// Replace what is there.
void set_text(hid_t object, const char* name, const std::string& text, const std::string& file);
void set_numbers(hid_t object, const char* name, at::IntArrayRef numbers, const std::string& file);
void set_truth(hid_t object, const char* name, const std::string& file);

}  // namespace td::storage::hdf5
