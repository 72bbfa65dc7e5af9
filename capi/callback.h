// Functions of the caller's: who owns their userdata, and what becomes of their failures.
#pragma once

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

// F is a struct {fn, userdata, destroy}; this is the only owner of the userdata.
template <class F>
class Owned {
 public:
  explicit Owned(F function) : function_(function) {}
  Owned(Owned&& other) noexcept : function_(std::exchange(other.function_, {})) {}
  Owned& operator=(Owned&&) = delete;
  ~Owned() {
    if (function_.destroy) call_release(function_.destroy, function_.userdata);
  }

  bool given() const { return function_.fn != nullptr; }
  void* userdata() const { return function_.userdata; }

  template <class... A>
  void operator()(const char* what, A... arguments) const {
    call_back(function_.fn, function_.userdata, what, arguments...);
  }

 private:
  F function_;
};

// Shared by the copies of a std::function; throws Error(argument) if there is no function.
template <class F>
std::shared_ptr<Owned<F>> shared_callback(Owned<F>&& owned) {
  if (!owned.given()) throw_null("fn");
  return std::make_shared<Owned<F>>(std::move(owned));
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
