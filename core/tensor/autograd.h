// Recording and running backward, with checks that LibTorch leaves to Python.
#pragma once

#include <thread>

#include <ATen/core/Tensor.h>

namespace td {

void set_requires_grad(const at::Tensor& t, bool requires_grad);
void backward(const at::Tensor& t, const at::Tensor& gradient, bool retain_graph);

// A no-grad scope as an object: scopes nest per thread and end in reverse order, on the thread that began them.
class NoGradScope {
 public:
  NoGradScope();
  void end();  // throws Error(argument) on another thread or while an inner scope is open; changes nothing then

 private:
  std::thread::id thread_;
  NoGradScope* outer_;
  bool before_;
};

}  // namespace td
