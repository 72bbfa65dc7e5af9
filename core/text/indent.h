// Lines of text as Python's textwrap.indent sees them: blank ones are left alone, and a line ends at more than "\n".
#pragma once

#include <string>
#include <string_view>

namespace td {

std::string indented(std::string_view text, size_t spaces);

// Undoes `indented`, for text from the middle of lines: the first line was not indented, and the last continues.
std::string dedented(std::string_view text, size_t spaces);

// Is the line at the start of `text` one of those that stay as they are?
bool begins_blank(std::string_view text);

}  // namespace td
