// The numbers of a tensor as Python's repr writes them: all alike, so that they stand in columns.
#pragma once

#include <string>

#include <ATen/core/Tensor.h>

namespace td {

class TensorNumbers {
 public:
  // Of a real tensor; reads it whole.
  explicit TensorNumbers(const at::Tensor& t);

  size_t width() const { return width_; }
  std::string at(int64_t i) const;  // right-aligned; counts in row-major order

 private:
  void choose_form();
  std::string bare(int64_t i) const;

  at::Tensor values_;  // on the CPU and row-major, of one of four types
  bool scientific_ = false, whole_ = true;
  size_t width_ = 1;
};

}  // namespace td
