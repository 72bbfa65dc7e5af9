// Numbers and text as entries, as Python's TensorDict converts them.
#pragma once

#include <string>

#include "core/dict/node.h"

namespace td {

Entry entry_of(int64_t i);             // int64, without dims
Entry entry_of(double f);              // float32
Entry entry_of(bool b);                // bool
Entry entry_of(at::IntArrayRef ints);  // one dim
Entry entry_of(at::ArrayRef<double> reals);
Entry entry_of(at::ArrayRef<uint8_t> booleans);
Entry entry_of(std::string text);  // one value for the whole batch; throws Error(argument) unless it is UTF-8

}  // namespace td
