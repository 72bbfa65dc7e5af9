// The rows of a tensor as bytes: row i is what t[i] holds in row-major order, whatever the strides.
#pragma once

#include <cstdint>
#include <string>

#include <ATen/core/Tensor.h>

namespace td {

class Rows {
 public:
  // `key` is named in errors: Error(shape) for a tensor without dims, Error(dtype) for one whose bytes say too little.
  // bfloat16 is hashed as float16, which is what torchrl does.
  Rows(const at::Tensor& t, const std::string& key);
  Rows() = default;  // none

  const uint8_t* data() const { return data_; }
  size_t size() const { return size_; }
  size_t row_bytes() const { return row_bytes_; }
  size_t stride() const { return stride_; }  // in bytes

 private:
  at::Tensor memory_;  // owns what data_ points to
  const uint8_t* data_ = nullptr;
  size_t size_ = 0, row_bytes_ = 0, stride_ = 0;
};

}  // namespace td
