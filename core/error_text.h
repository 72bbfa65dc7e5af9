// Rewords messages of LibTorch and the standard library for users of neither.
#pragma once

#include <string>

namespace td {

// The first line, without a backtrace, names of C++ namespaces, and types like CPUFloatType{[2, 3]}, of which the sizes
// stay.
std::string plain_words(const char* text);

}  // namespace td
