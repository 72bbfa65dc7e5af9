#include "core/tensor/autograd.h"

#include <c10/core/GradMode.h>

#include "capi/callback.h"
#include "capi/convert.h"

using namespace td::capi;

td_bool td_tensor_requires_grad(const td_tensor* self) noexcept {
  if (!self) return 0;
  return guard_value<td_bool>(0, [&] { return td_bool(tensor(self).requires_grad()); });
}

td_status td_tensor_requires_grad_(td_tensor* self, td_bool requires_grad, td_error** err) noexcept {
  return guard(err, [&] { td::set_requires_grad(tensor(self), requires_grad != 0); });
}

td_status td_tensor_backward(const td_tensor* self, const td_tensor* gradient, td_bool retain_graph,
                             td_error** err) noexcept {
  return guard(err, [&] { td::backward(tensor(self), gradient ? tensor(gradient) : at::Tensor(), retain_graph != 0); });
}

td_status td_tensor_grad(const td_tensor* self, td_tensor** out_grad, td_error** err) noexcept {
  return guard(err, [&] { give(out_grad, tensor(self).grad()); });
}

td_status td_tensor_detach(const td_tensor* self, td_tensor** out_tensor, td_error** err) noexcept {
  return guard(err, [&] { give(out_tensor, tensor(self).detach()); });
}

td_bool td_is_grad_enabled(void) noexcept {
  return td_bool(c10::GradMode::is_enabled());
}

td_status td_no_grad_begin(td_no_grad** out_scope, td_error** err) noexcept {
  return guard(err, [&] {
    out(out_scope);
    give(out_scope, td::NoGradScope::begin());
  });
}

td_status td_no_grad_end(td_no_grad* self, td_error** err) noexcept {
  return guard(err, [&] { ref(self).end(); });
}

void td_no_grad_retain(const td_no_grad* self) noexcept {
  retain(self);
}
void td_no_grad_release(const td_no_grad* self) noexcept {
  release(self);
}

td_status td_no_grad_run(td_run_function fn, void* userdata, td_error** err) noexcept {
  return guard(err, [&] {
    if (!fn) throw_null("fn");
    td::NoGradBlock block(true);
    call_back(fn, userdata, "the function");
  });
}
