// Tensors over memory that LibTorch did not allocate, and who may write to it.
#pragma once

#include <memory>
#include <string>

#include <ATen/core/Tensor.h>

namespace td {

enum class Access { read_write, read_only };

// A tensor over `data`, which `owner` keeps alive: dropped with the last view. Sizes and strides are checked for
// overflow and sign first (LibTorch 1.13 aborts on some of them). Empty `strides` with a non-empty size means
// row-major.
at::Tensor from_memory(void* data, at::ScalarType type, at::IntArrayRef sizes, at::IntArrayRef strides,
                       std::shared_ptr<const void> owner, Access access = Access::read_write);

// A row-major tensor over memory that holds elements of the dtype `stored`, which `owner` keeps alive: of uint8, with
// the bytes of the elements, in one more, last dim if an element has more than one. `sizes` include that dim. The
// storage knows the dtype.
at::Tensor from_stored(void* data, int32_t stored, at::IntArrayRef sizes, std::shared_ptr<const void> owner,
                       Access access = Access::read_write);
int32_t stored_mark(const c10::Storage& storage);  // that dtype; 0 for any other storage

// The product of the sizes, in elements; throws Error(shape) if one is negative or the bytes overflow int64.
int64_t checked_numel(at::IntArrayRef sizes, size_t itemsize);

// True if the tensor's memory was made by from_memory(..., Access::read_only): writing to it would fault.
bool read_only(const at::Tensor& t);

// Throws Error(locked) if read_only.
void check_writable(const at::Tensor& t, const std::string& key = {});

// copy_ with the checks above; `key` is named in errors. A value on the same memory is read before it is written.
void copy_values(const at::Tensor& target, const at::Tensor& value, const std::string& key = {});

// The first element of a dense tensor in this process's memory; throws Error(device) or Error(unsupported). Never null.
const void* data(const at::Tensor& t);
const void* data_or_null(const at::Tensor& t);  // null where that throws

// Our own device names: "cpu", "cuda:0". Throws Error(device) for text that names none, or one that is not there.
c10::Device parse_device(const std::string& text);

}  // namespace td
