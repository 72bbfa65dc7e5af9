#include "core/tensor/autograd.h"

#include <c10/core/GradMode.h>

#include "core/tensor/dims.h"

namespace td {

void set_requires_grad(const at::Tensor& t, bool requires_grad) {
  if (requires_grad && !t.is_floating_point() && !t.is_complex())
    throw Error(Code::dtype, "only floating and complex tensors can require grad");
  if (!requires_grad && t.requires_grad() && !t.is_leaf())
    throw Error(Code::argument, "the tensor is not a leaf: its history requires grad")
        .hint_naming("use {tensor_detach}");
  t.requires_grad_(requires_grad);
}

void refresh_view(const at::Tensor& t) {
  if (c10::GradMode::is_enabled() && t.requires_grad() && t.is_leaf() && t.is_view()) t.grad_fn();
}

void backward(const at::Tensor& t, const at::Tensor& gradient, bool retain_graph) {
  if (!t.requires_grad()) throw Error(Code::argument, "nothing that this tensor was computed from requires grad");
  if (!gradient.defined() && t.numel() != 1)
    throw Error(Code::shape, "a gradient is needed for a tensor of shape " + to_string(t.sizes()))
        .hint("reduce it to one element first, or give a gradient of the same shape");
  if (gradient.defined() && gradient.sizes() != t.sizes())
    throw Error(Code::shape, "the gradient has shape " + to_string(gradient.sizes()) + ", but the tensor has " +
                                 to_string(t.sizes()));
  through_graph([&] { t.backward(gradient, retain_graph); });
}

struct NoGradScope::Thread {
  Ptr innermost;

  ~Thread() {
    while (innermost) innermost = Ptr(innermost->outer_);  // one by one: a chain may be longer than the stack
  }

  static Thread& mine() {
    static thread_local Thread scopes;
    return scopes;
  }

  // Scopes that only this list still refers to cannot be ended any more.
  void forget_dropped() {
    while (innermost && innermost.use_count() == 1) innermost = Ptr(innermost->outer_);
  }
};

c10::intrusive_ptr<NoGradScope> NoGradScope::begin() {
  Thread& scopes = Thread::mine();
  scopes.forget_dropped();
  Ptr made = c10::make_intrusive<NoGradScope>();
  made->thread_ = std::this_thread::get_id();
  made->before_ = c10::GradMode::is_enabled();
  made->outer_ = std::move(scopes.innermost);
  scopes.innermost = made;
  c10::GradMode::set_enabled(false);
  return made;
}

void NoGradScope::end() {
  if (thread_ != std::this_thread::get_id())
    throw Error(Code::argument, "the no-grad scope began on another thread")
        .hint("end it there, or release it, which changes no thread's mode");
  if (!open_) throw Error(Code::closed, "the scope has ended already");
  Thread& scopes = Thread::mine();
  scopes.forget_dropped();
  if (scopes.innermost.get() != this)
    throw Error(Code::argument, "an inner no-grad scope is still open").hint("end that one first");
  open_ = false;
  scopes.innermost = std::move(outer_);
  c10::GradMode::set_enabled(before_);
}

NoGradBlock::NoGradBlock(bool wanted) : before_(c10::GradMode::is_enabled()) {
  if (wanted) c10::GradMode::set_enabled(false);
}

NoGradBlock::~NoGradBlock() {
  c10::GradMode::set_enabled(before_);
}

}  // namespace td
