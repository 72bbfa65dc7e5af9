// Functions of the caller's: who owns their userdata, and what becomes of their failures.
#pragma once

#include <exception>
#include <utility>

#include "capi/convert.h"
#include "capi/guard.h"
#include "core/nn/module.h"
#include "core/tensor/factory.h"

namespace td::capi {

// `fn(userdata, arguments..., &err)`; throws Error(callback) for a failure and for an exception.
template <class Fn, class... A>
void call_back(Fn fn, void* userdata, const char* what, A... arguments) {
  td_error* err = nullptr;
  td_status status = TD_OK;
  try {
    status = fn(userdata, arguments..., &err);
  } catch (...) {
    td_error_release(err);
    throw_escaped(what);
  }
  if (status != TD_OK) throw_foreign(Code::callback, status, err, what);
  td_error_release(err);
}

// A copy of the caller's struct of functions, whatever the version of the header it was built with, and the only owner
// of its userdata. Made before anything can fail: then `destroy` runs once, however the call ends. What is wrong with
// the struct is said by `check`; one that is not understood is empty here, and nothing of it is destroyed.
template <class F>
class Owned {
 public:
  Owned(const F* given, const char* what) noexcept {
    try {
      if (!given) throw_null(what);
      functions_ = options(given);
    } catch (...) {
      wrong_ = std::current_exception();
    }
  }
  Owned(Owned&& other) noexcept
      : functions_(std::exchange(other.functions_, F{})), wrong_(std::exchange(other.wrong_, nullptr)) {}
  Owned& operator=(Owned&&) = delete;
  ~Owned() {
    if (functions_.destroy) call_release(functions_.destroy, functions_.userdata);
  }

  void check() const {
    if (wrong_) std::rethrow_exception(wrong_);
  }
  const F* operator->() const { return &functions_; }

  template <class... A>
  void operator()(const char* what, A... arguments) const {
    call_back(functions_.fn, functions_.userdata, what, arguments...);
  }

  // The same for one of several functions.
  template <class Fn, class... A>
  void call(Fn F::*function, const char* what, A... arguments) const {
    call_back(functions_.*function, functions_.userdata, what, arguments...);
  }

 private:
  F functions_{};
  std::exception_ptr wrong_;
};

// Shared by the copies of a std::function; throws Error(argument) if there is no function.
template <class F>
std::shared_ptr<const Owned<F>> shared_callback(Owned<F>&& owned) {
  owned.check();
  if (!owned->fn) throw_null("fn");
  return std::make_shared<const Owned<F>>(std::move(owned));
}

inline std::vector<ModulePtr> modules_of(td_module* const* handles, size_t n) {
  if (n > 0 && !handles) throw_null("the array of modules");
  std::vector<ModulePtr> out;
  for (size_t i = 0; i < n; ++i) out.push_back(share(handles[i]));
  return out;
}

inline at::ArrayRef<at::Tensor> tensors_of(td_tensor* const* handles, size_t n, const char* what) {
  if (n > 0 && !handles) throw_null(what);
  for (size_t i = 0; i < n; ++i)
    if (!handles[i]) throw_null("a tensor");
  return {reinterpret_cast<const at::Tensor*>(handles), n};
}

inline std::vector<std::string> texts(const td_str* strings, size_t n, const char* what) {
  std::vector<std::string> out;
  for (size_t i = 0; strings && i < n; ++i) {
    out.emplace_back(text(strings[i], what));
    check_utf8(out.back(), what);
  }
  return out;
}

}  // namespace td::capi
