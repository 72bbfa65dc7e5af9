// JSON files in the encodings that JSON has had: Python's json.loads takes them all, so files that an editor has saved
// again still open.
#pragma once

#include <string>

namespace td::storage {

// In UTF-8 without a mark: UTF-8, UTF-16 or UTF-32, told apart as json.loads does, by the mark or by where the zeros
// are. Throws Error(corrupt) naming `where` for UTF-16 and UTF-32 that is no text; what is UTF-8 is left to the parser.
std::string json_text(std::string bytes, const std::string& where);

}  // namespace td::storage
