// The two ways across the border: calls, whose failure becomes an exception, and callbacks, whose exception becomes a
// failure and then, on its way back to the caller, the same exception again.
#ifndef TENSORDICT_CALL_HPP
#define TENSORDICT_CALL_HPP

#include <memory>
#include <new>

#include "error.hpp"

namespace tensordict {
namespace detail {

// What a callback threw travels inside of the td_error that it fails with. As the `destroy` of that error this function also
// tells it from what other languages put into theirs.
inline void drop_exception(void* thrown) noexcept {
  delete static_cast<std::exception_ptr*>(thrown);
}

[[noreturn]] inline void raise(td_status status, td_error* raw) {
  const Error error = raw ? Error::adopt(raw) : Error(status, "the library gave no reason");
  for (const td_error* e = error.get(); e; e = td_error_cause(e))
    if (const void* thrown = td_error_userdata(e, drop_exception))
      std::rethrow_exception(*static_cast<const std::exception_ptr*>(thrown));
  throw_typed(error);
}

inline void check(td_status status, td_error* error) {
  if (status != TD_OK) raise(status, error);
  td_error_release(error);
}

// Calls a function of tensordict.h, whose last argument is the error.
template <class F, class... A>
void call(F function, A... arguments) {
  td_error* error = nullptr;
  const td_status status = function(arguments..., &error);
  check(status, error);
}

// The same for a function whose last output is a number or the like.
template <class T, class F, class... A>
T got(F function, A... arguments) {
  T out{};
  call(function, arguments..., &out);
  return out;
}

// The same for one whose last output is a new reference, as an H.
template <class H, class F, class... A>
H made(F function, A... arguments) {
  return H::adopt(got<typename H::Raw*>(function, arguments...));
}

// The same for one that may give nothing.
template <class H, class F, class... A>
std::optional<H> maybe_made(F function, A... arguments) {
  auto* out = got<typename H::Raw*>(function, arguments...);
  if (!out) return std::nullopt;
  return H::adopt(out);
}

inline std::string take_text(td_string* raw) {
  const std::unique_ptr<td_string, void (*)(const td_string*)> owned(raw, td_string_release);
  return std::string(view(td_string_view(raw)));
}

// The same for one that gives text.
template <class F, class... A>
std::string text_of(F function, A... arguments) {
  return take_text(got<td_string*>(function, arguments...));
}

template <class F, class... A>
std::optional<std::string> maybe_text_of(F function, A... arguments) {
  auto* out = got<td_string*>(function, arguments...);
  if (!out) return std::nullopt;
  return take_text(out);
}

// Runs the body of a callback: nothing that it throws gets past it.
template <class F>
td_status guard(td_error** err, F&& body) noexcept {
  const auto fail = [&](td_status status, const char* what) {
    auto* thrown = new (std::nothrow) std::exception_ptr(std::current_exception());
    if (err)
      *err = td_error_new_with(status, str(what), thrown, drop_exception);
    else
      drop_exception(thrown);
    return status;
  };
  try {
    std::forward<F>(body)();
    return TD_OK;
  } catch (const Error& e) {
    return fail(e.status(), e.what());
  } catch (const std::exception& e) {
    return fail(TD_ERR_CALLBACK, e.what());
  } catch (...) {
    return fail(TD_ERR_CALLBACK, "an exception of unknown type");
  }
}

// A function of the caller's on the heap, which the library owns from the call on that it is handed to.
template <class F>
void* keep(F&& function) {
  return new std::decay_t<F>(std::forward<F>(function));
}

template <class F>
void destroy(void* userdata) noexcept {
  delete static_cast<F*>(userdata);
}

// A struct that the call borrows: an argument where a pointer to it is wanted.
template <class Raw>
struct Lent {
  Raw raw;
  operator const Raw*() const noexcept { return &raw; }  // NOLINT: that is what it is for
};
template <class Raw>
Lent<Raw> lend(Raw raw) noexcept {
  return {raw};
}

}  // namespace detail
}  // namespace tensordict

#endif
