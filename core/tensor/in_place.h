// Checks what LibTorch refuses to write in place, before anything is written: of several tensors either all are written
// or none.
#pragma once

#include <string>

#include <ATen/core/Tensor.h>

namespace td {

// Throws Error(locked) or Error(torch), naming `key`. `recorded`: a value that is written requires grad.
void check_in_place(const at::Tensor& t, const std::string& key, bool recorded = false);

}  // namespace td
