// The two ways across the border: calls, whose failure becomes an exception, and callbacks, whose exception becomes a
// failure and then, on its way back to the caller, the same exception again.
#ifndef TENSORDICT_CALL_HPP
#define TENSORDICT_CALL_HPP

#include <memory>

#include "error.hpp"

namespace tensordict {
namespace detail {

// What a callback on this thread has thrown, until the call that it failed comes back. A call that fails otherwise has
// another message, so that an exception which the library got over is not taken for its reason.
struct Thrown {
  std::exception_ptr exception;
  std::string message;
};

inline Thrown& thrown() noexcept {
  thread_local Thrown last;
  return last;
}

// What was wrong, without the parts after it, which change where an error is told as the reason of another.
inline std::string first_part(const Error& error) {
  std::string_view text = error.message();
  for (const auto& [before, part] : {std::pair{" at ", error.key()}, {" ('", error.where()}, {": ", error.hint()}}) {
    if (part.empty()) continue;
    const size_t end = text.rfind(before + std::string(part));
    if (end != std::string_view::npos) text = text.substr(0, end);
  }
  return std::string(text.substr(0, text.find(" (because: ")));
}

[[noreturn]] inline void raise(td_status status, td_error* raw) {
  const Error error = raw ? Error::adopt(raw) : Error(status, "the library gave no reason");
  const Thrown last = std::exchange(thrown(), Thrown());
  if (last.exception && error.message().find(last.message) != std::string_view::npos)
    std::rethrow_exception(last.exception);
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
  const auto fail = [&](const Error& error) {
    thrown() = Thrown{std::current_exception(), first_part(error)};
    if (err) {
      td_error_retain(error.get());
      *err = error.get();
    }
    return error.status();
  };
  thrown() = Thrown();
  try {
    std::forward<F>(body)();
    return TD_OK;
  } catch (const Error& e) {
    return fail(e);
  } catch (const std::exception& e) {
    return fail(Error(TD_ERR_CALLBACK, e.what()));
  } catch (...) {
    return fail(Error(TD_ERR_CALLBACK, "an exception of unknown type"));
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

}  // namespace detail
}  // namespace tensordict

#endif
