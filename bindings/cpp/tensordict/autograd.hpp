// Switching the recording of operations off for a while.
#ifndef TENSORDICT_AUTOGRAD_HPP
#define TENSORDICT_AUTOGRAD_HPP

#include "call.hpp"

namespace tensordict {

// Nothing is recorded on this thread while it lives: `NoGrad guard;`. Guards end in reverse order, on their own thread, which
// a local variable sees to by itself.
class NoGrad {
 public:
  NoGrad() : raw_(detail::got<td_no_grad*>(td_no_grad_begin)) {}
  NoGrad(const NoGrad&) = delete;
  NoGrad& operator=(const NoGrad&) = delete;
  ~NoGrad() {
    if (open_) td_no_grad_end(raw_, nullptr);
    td_no_grad_release(raw_);
  }
  // Ends it now; ArgumentError if an inner one is still open.
  void end() {
    detail::call(td_no_grad_end, raw_);
    open_ = false;
  }

 private:
  td_no_grad* raw_;
  bool open_ = true;
};

// Whether operations on this thread are recorded.
inline bool is_grad_enabled() noexcept {
  return td_is_grad_enabled() != 0;
}

// Runs `body` without recording, and gives what it gives.
template <class F>
decltype(auto) no_grad(F&& body) {
  const NoGrad guard;
  return std::forward<F>(body)();
}

}  // namespace tensordict

#endif
