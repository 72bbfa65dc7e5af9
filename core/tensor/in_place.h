// Checks what LibTorch refuses to write in place, before anything is written: of several tensors either all are written
// or none.
#pragma once

#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

namespace td {

// Throws Error(locked) or Error(torch), naming `key`. `recorded`: a value that is written requires grad.
void check_in_place(const at::Tensor& t, const std::string& key, bool recorded = false);

// Throws Error(torch), naming `key`, for a view whose history autograd has lost: it was made while nothing recorded,
// and a recorded write to its base followed.
void check_readable(const at::Tensor& t, const std::string& key);

// check_in_place for writes that follow one another: after a recorded one, other views of its base are recorded, too.
class InPlaceChecks {
 public:
  void check(const at::Tensor& t, const std::string& key, bool recorded = false);
  // The same for a value that is copied into `t`, which is read then.
  void check_copy(const at::Tensor& t, const at::Tensor& value, const std::string& key);

 private:
  std::vector<const void*> bases_;
};

}  // namespace td
