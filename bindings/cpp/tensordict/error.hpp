// Failures as exceptions: Error, and below it a class for each status, so that a program catches what it can mend.
//
//     try {
//       Tensor obs = td.get("obs");
//     } catch (const KeyError& e) {
//       std::cerr << e.what() << "\n";        // the whole message; e.key(), e.where() and e.hint() are its parts
//     }
#ifndef TENSORDICT_ERROR_HPP
#define TENSORDICT_ERROR_HPP

#include <tensordict.h>

#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace tensordict {
namespace detail {

inline td_str str(std::string_view text) noexcept {
  return td_str{text.data(), text.size()};
}

// Text that may be left out: empty text is "not given".
inline td_str optional_str(std::string_view text) noexcept {
  return text.empty() ? td_str{nullptr, 0} : str(text);
}

inline std::string_view view(td_str text) noexcept {
  return text.data ? std::string_view(text.data, text.size) : std::string_view();
}

// Text that may be absent.
inline std::optional<std::string> maybe(td_str text) {
  return text.data ? std::optional<std::string>(view(text)) : std::nullopt;
}

}  // namespace detail

class Error : public std::exception {
 public:
  // What a callback may throw: it arrives at whoever called the library.
  Error(td_status status, std::string_view message) noexcept : raw_(td_error_new(status, detail::str(message))) {}

  // Takes over a reference.
  static Error adopt(td_error* raw) noexcept { return Error(raw); }

  Error(const Error& other) noexcept : std::exception(other), raw_(other.raw_) { td_error_retain(raw_); }
  Error& operator=(const Error& other) noexcept {
    td_error_retain(other.raw_);
    td_error_release(std::exchange(raw_, other.raw_));
    return *this;
  }
  ~Error() override { td_error_release(raw_); }

  // The whole message, one line: what was wrong, where, and what to do.
  const char* what() const noexcept override { return td_error_message(raw_).data; }
  std::string_view message() const noexcept { return detail::view(td_error_message(raw_)); }

  td_status status() const noexcept { return td_error_code(raw_); }
  std::string_view status_name() const noexcept { return detail::view(td_status_name(status())); }

  // The parts of the message; empty where there is nothing to say. They live as long as the error and its copies.
  std::string_view key() const noexcept { return detail::view(td_error_key(raw_)); }
  std::string_view where() const noexcept { return detail::view(td_error_where(raw_)); }
  std::string_view hint() const noexcept { return detail::view(td_error_hint(raw_)); }
  // The same with braces around names of the C header, which stand there without td_ or TD_.
  std::string_view hint_format() const noexcept { return detail::view(td_error_hint_format(raw_)); }
  std::optional<Error> cause() const noexcept;

  td_error* get() const noexcept { return raw_; }

 private:
  explicit Error(td_error* raw) noexcept : raw_(raw) {}

  td_error* raw_;
};

inline std::optional<Error> Error::cause() const noexcept {
  const td_error* cause = td_error_cause(raw_);
  if (!cause) return std::nullopt;
  td_error_retain(cause);
  return Error(const_cast<td_error*>(cause));
}

// The class of a status.
template <td_status code>
class ErrorOf : public Error {
 public:
  explicit ErrorOf(std::string_view message) noexcept : Error(code, message) {}
  explicit ErrorOf(const Error& error) noexcept : Error(error) {}
};

using ArgumentError = ErrorOf<TD_ERR_ARGUMENT>;
using KeyError = ErrorOf<TD_ERR_KEY>;
using ShapeError = ErrorOf<TD_ERR_SHAPE>;
using DTypeError = ErrorOf<TD_ERR_DTYPE>;
using DeviceError = ErrorOf<TD_ERR_DEVICE>;
using IndexError = ErrorOf<TD_ERR_INDEX>;
using LockedError = ErrorOf<TD_ERR_LOCKED>;
using UnsupportedError = ErrorOf<TD_ERR_UNSUPPORTED>;
using VersionError = ErrorOf<TD_ERR_VERSION>;
using IoError = ErrorOf<TD_ERR_IO>;
using NoSpaceError = ErrorOf<TD_ERR_NOSPACE>;
using CorruptError = ErrorOf<TD_ERR_CORRUPT>;
using PluginError = ErrorOf<TD_ERR_PLUGIN>;
using CallbackError = ErrorOf<TD_ERR_CALLBACK>;
using TimeoutError = ErrorOf<TD_ERR_TIMEOUT>;
using ClosedError = ErrorOf<TD_ERR_CLOSED>;
using TorchError = ErrorOf<TD_ERR_TORCH>;
using OutOfMemoryError = ErrorOf<TD_ERR_OOM>;
using InternalError = ErrorOf<TD_ERR_INTERNAL>;
using NotFoundError = ErrorOf<TD_ERR_NOT_FOUND>;
using ExistsError = ErrorOf<TD_ERR_EXISTS>;
using CancelledError = ErrorOf<TD_ERR_CANCELLED>;
using BusyError = ErrorOf<TD_ERR_BUSY>;  // another thread is using the same dict

namespace detail {

template <td_status... codes>
[[noreturn]] void throw_one_of(const Error& error) {
  const td_status status = error.status();
  ((status == codes ? throw ErrorOf<codes>(error) : void()), ...);
  throw error;  // of a library newer than this header
}

// Throws the class that the status stands for.
[[noreturn]] inline void throw_typed(const Error& error) {
  throw_one_of<TD_ERR_ARGUMENT, TD_ERR_KEY, TD_ERR_SHAPE, TD_ERR_DTYPE, TD_ERR_DEVICE, TD_ERR_INDEX, TD_ERR_LOCKED,
               TD_ERR_UNSUPPORTED, TD_ERR_VERSION, TD_ERR_IO, TD_ERR_NOSPACE, TD_ERR_CORRUPT, TD_ERR_PLUGIN,
               TD_ERR_CALLBACK, TD_ERR_TIMEOUT, TD_ERR_CLOSED, TD_ERR_TORCH, TD_ERR_OOM, TD_ERR_INTERNAL,
               TD_ERR_NOT_FOUND, TD_ERR_EXISTS, TD_ERR_CANCELLED, TD_ERR_BUSY>(error);
}

}  // namespace detail
}  // namespace tensordict

#endif
