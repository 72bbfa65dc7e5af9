// The border: every function of the C API is `return guard(err, [&] { ... });`, and nothing gets past it.
#pragma once

#include <utility>

#include "capi/handles.h"
#include "core/error.h"
#include "core/warnings.h"
#include "tensordict.h"

namespace td::capi {

// The td_error of an Error; never throws and never returns NULL.
td_error* make_error(const Error& e) noexcept;

td_status fail(td_error** err) noexcept;  // the current exception, inside a catch block

// For functions that run no operator of LibTorch, which are the ones that may warn.
template <class F>
td_status guard_look(td_error** err, F&& body) noexcept {
  try {
    std::forward<F>(body)();
    return TD_OK;
  } catch (...) {
    return fail(err);
  }
}

template <class F>
td_status guard(td_error** err, F&& body) noexcept {
  WarningScope warnings;
  return guard_look(err, std::forward<F>(body));
}

// Getters without a status: the fallback for NULL handles and for what cannot be answered.
template <class R, class F>
R guard_value(R fallback, F&& body) noexcept {
  try {
    return std::forward<F>(body)();
  } catch (...) {
    return fallback;
  }
}

// Takes the error that a callback or a plugin left in `err`, with the status it returned, as an exception of `code`
// whose cause is that error itself. A view: the error would be lost if a string could not be made.
[[noreturn]] void throw_foreign(Code code, td_status status, td_error* err, std::string_view where);

// Inside a catch block: what a callback threw, as Error(callback).
[[noreturn]] void throw_escaped(const std::string& where);

}  // namespace td::capi
