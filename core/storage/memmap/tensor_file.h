// Files of one tensor: its elements, row-major, and nothing else, as a memmap directory has one for each leaf. Python's
// MemoryMappedTensor.
#pragma once

#include <string>
#include <string_view>

#include <ATen/core/Tensor.h>

#include "core/storage/options.h"

namespace td::storage {

// Make a file atomically and open it to be written. Throws Error(shape), Error(exists), Error(nospace), Error(io);
// Error(unsupported) for a format that is no directory's, and for tensors without bytes.
at::Tensor full_file(std::string_view path, at::IntArrayRef sizes, const c10::Scalar& value, at::ScalarType type,
                     const SaveOptions& options);
at::Tensor save_tensor(const at::Tensor& value, std::string_view path, const SaveOptions& options);

// The front of what is in the file. Throws Error(not_found), Error(shape); Error(corrupt) if the file is shorter, or
// none.
at::Tensor open_tensor(std::string_view path, at::ScalarType type, at::IntArrayRef sizes, Mode mode);

// The absolute path of the file whose only tensor `t` is or is a view of, as the system knows it now; empty if there is
// none.
std::string file_of(const at::Tensor& t);

}  // namespace td::storage
