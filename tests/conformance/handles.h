// Handles that release themselves, and calls whose failure is an exception.
#pragma once
#include <memory>
#include <string>
#include <utility>

#include "tensordict.h"

namespace conformance {

// A call that failed: what the step of a program ends with.
struct Failure {
  td_status status;
  std::string message;
};

// Calls a function of tensordict.h with an error of its own as the last argument.
template <class F, class... A>
void call(F function, A... arguments) {
  td_error *error = nullptr;
  const td_status status = function(arguments..., &error);
  if (status == TD_OK) return;
  Failure failure{status, error ? td_error_message(error).data : ""};
  td_error_release(error);
  throw failure;
}

// The same for a function whose last output is a new reference.
template <class T, class F, class... A>
T *made(F function, A... arguments) {
  T *out = nullptr;
  call(function, arguments..., &out);
  return out;
}

using Dict = std::shared_ptr<td_dict>;
using Tensor = std::shared_ptr<td_tensor>;
using Scope = std::shared_ptr<td_scope>;
using Module = std::shared_ptr<td_module>;
using Keys = std::shared_ptr<td_keys>;
using Text = std::shared_ptr<td_string>;
using DataList = std::shared_ptr<td_data_list>;
using PackLayout = std::shared_ptr<td_pack_layout>;

inline Dict own(td_dict *d) {
  return Dict(d, td_dict_release);
}
inline Tensor own(td_tensor *t) {
  return Tensor(t, td_tensor_release);
}
inline Module own(td_module *m) {
  return Module(m, td_module_release);
}
inline Scope own(td_scope *s) {
  return Scope(s, td_scope_release);
}
inline Keys own(td_keys *k) {
  return Keys(k, td_keys_release);
}
inline Text own(td_string *s) {
  return Text(s, td_string_release);
}
inline DataList own(td_data_list *l) {
  return DataList(l, td_data_list_release);
}

inline PackLayout own(td_pack_layout *l) {
  return PackLayout(l, td_pack_layout_release);
}

inline std::string text(const Text &owned) {
  const td_str view = td_string_view(owned.get());
  return std::string(view.data, view.size);
}

}  // namespace conformance
